// Saving: shows the difference first, and both sides when somebody else saved meanwhile.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, dataOf, type Flag } from '../api/client'
import { Problem } from '../api/problem'
import { Button } from '../design/button'
import { Dialog } from '../design/dialog'
import { Notice, ProblemNotice } from '../design/feedback'
import { nameOf } from '../design/small'
import { say } from '../design/toast'
import { showFlag, updateFlag } from '../flags/change-flags'
import { bodyOf, changedFields, type Draft, draftOf } from './draft'
import { DifferenceList } from './difference-list'
import { differencesOf } from './differences'

interface SaveDialogProps {
  projectId: number
  base: Flag
  draft: Draft
  onClose(): void
  onSaved(flag: Flag): void
  /** The edit continues on what the other person saved, with the own changes on top. */
  onRebase(current: Flag, draft: Draft): void
  onRefused(problem: Problem): void
}

export function SaveDialog({
  projectId,
  base,
  draft,
  onClose,
  onSaved,
  onRebase,
  onRefused,
}: SaveDialogProps) {
  const [current, setCurrent] = useState<Flag | null>(null)
  const changed = changedFields(draftOf(base), draft)
  const save = useMutation({
    mutationFn: () =>
      updateFlag(projectId, base.id, {
        ...bodyOf(draftOf(base), draft),
        version: base.version,
        original_flag: base as unknown as Record<string, never>,
      }),
    onSuccess(flag) {
      showFlag(projectId, flag)
      say(`${flag.key} saved.`)
      onSaved(flag)
    },
    async onError(error) {
      if (!(error instanceof Problem)) return
      // Without the flag as it is now, the dialog shows the conflict's own words.
      if (error.status === 409) setCurrent(await readFlag(projectId, base.id).catch(() => null))
      else if (error.status === 400) onRefused(error)
    },
  })

  if (current) {
    const theirs = changedFields(draftOf(base), draftOf(current))
    return (
      <Dialog
        title="Somebody saved this flag meanwhile"
        isWide
        onClose={onClose}
        description="Nothing of yours is lost. Compare, then choose how to go on."
        footer={
          <>
            <Button onClick={() => onSaved(current)}>Discard mine</Button>
            <Button
              kind="primary"
              onClick={() => onRebase(current, { ...draftOf(current), ...pick(draft, changed) })}
            >
              Continue with mine on top
            </Button>
          </>
        }
      >
        <div className="two-columns">
          <section className="stack">
            <h3>{current.last_modified_by ? nameOf(current.last_modified_by) : 'Somebody else'} changed</h3>
            <DifferenceList
              differences={theirs.flatMap((field) => differencesOf(field, base[field], current[field]))}
            />
          </section>
          <section className="stack">
            <h3>You changed</h3>
            <DifferenceList
              differences={changed.flatMap((field) => differencesOf(field, base[field], draft[field]))}
            />
          </section>
        </div>
      </Dialog>
    )
  }

  return (
    <Dialog
      title="Save changes"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button kind="primary" isBusy={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        </>
      }
    >
      <DifferenceList
        differences={changed.flatMap((field) => differencesOf(field, base[field], draft[field]))}
      />
      {changed.includes('key') && (
        <Notice tone="warn">Code that asks for {base.key} gets no value once this is saved.</Notice>
      )}
      {save.isError && <ProblemNotice error={save.error} />}
    </Dialog>
  )
}

const readFlag = (projectId: number, id: number): Promise<Flag> =>
  dataOf(
    client.GET('/api/projects/{project_id}/feature_flags/{id}/', {
      params: { path: { project_id: String(projectId), id } },
    }),
  )

const pick = (draft: Draft, fields: readonly (keyof Draft)[]): Partial<Draft> =>
  Object.fromEntries(fields.map((field) => [field, draft[field]]))
