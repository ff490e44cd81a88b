// Saves a flag: it shows the difference first, and both sides when another user saved in between.
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { itemIn } from '../api/queries'
import { type Flag, read } from '../api/client'
import { Problem } from '../api/problem'
import { Button } from '../design/button'
import { Dialog, focusedFirst } from '../design/popups/dialog'
import { Notice, ProblemNotice } from '../design/feedback'
import { nameOf } from '../design/small'
import { say } from '../design/popups/toast'
import { OvertakenDialog } from '../edit/overtaken-dialog'
import { sayHeld, showFlag, updateFlag } from '../flags/change-flags'
import { bodyOf, changedFields, type Draft, draftOf } from './draft'
import { ChangeList } from '../grammar/difference-list'
import { changesBetween } from '../grammar/differences'
import { rebase } from './merge'
import { toRequest } from '../shell/item-pages'

interface SaveDialogProps {
  projectId: number
  base: Flag
  draft: Draft
  /** Whether a policy holds each update that changes what people get. */
  areUpdatesHeld: boolean
  onClose(): void
  onSaved(flag: Flag): void
  /** The edit continues on what the other person saved, with the own changes on top. */
  onRebase(current: Flag, draft: Draft): void
  onRefused(problem: Problem): void
}

/** Fields that no policy holds: evaluation does not depend on them, or they have a policy of their own. */
const UNHELD: ReadonlySet<string> = new Set(['name', 'tags', 'active'])

export function SaveDialog({
  projectId,
  base,
  draft,
  areUpdatesHeld,
  onClose,
  onSaved,
  onRebase,
  onRefused,
}: SaveDialogProps) {
  const [current, setCurrent] = useState<Flag | null>(null)
  const changed = changedFields(draftOf(base), draft)
  const changes = changesBetween(changed, draftOf(base), draft)
  const isHeld = areUpdatesHeld && changed.some((field) => !UNHELD.has(field))
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
      if (error.code === 'approval_required') {
        sayHeld(projectId, error)
        // The request has the changes.
        onSaved(base)
        return
      }
      if (error.changeRequestId !== null) return
      // Without the flag as it is now, the dialog shows the conflict's own words.
      if (error.status === 409) setCurrent(await readFlag(projectId, base.id).catch(() => null))
      else if (error.status === 400) onRefused(error)
    },
  })

  if (current) {
    const theirs = changedFields(draftOf(base), draftOf(current))
    const rebased = rebase(base, draft, current)
    return (
      <OvertakenDialog
        what="flag"
        heading={`${current.last_modified_by ? nameOf(current.last_modified_by) : 'Somebody else'} changed`}
        theirs={<ChangeList changes={changesBetween(theirs, draftOf(base), draftOf(current))} />}
        mine={<ChangeList changes={changes} />}
        collisions={rebased.collisions.length > 0 && <ChangeList changes={rebased.collisions} />}
        onClose={onClose}
        onDiscard={() => onSaved(current)}
        onContinue={() => onRebase(current, rebased.draft)}
      />
    )
  }

  return (
    <Dialog
      title={isHeld ? 'Request approval for these changes' : 'Save changes'}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button kind="primary" ref={focusedFirst} isBusy={save.isPending} onClick={() => save.mutate()}>
            {isHeld ? 'Request approval' : 'Save'}
          </Button>
        </>
      }
    >
      <ChangeList changes={changes} />
      {isHeld && <Notice>This change needs approval, and takes effect once it is given.</Notice>}
      {changed.includes('key') && (
        <Notice tone="warn">Code that asks for {base.key} gets no value once this is saved.</Notice>
      )}
      {save.isError && <ProblemNotice error={save.error} />}
      {save.error instanceof Problem && save.error.changeRequestId !== null && (
        <Link {...toRequest(projectId, save.error.changeRequestId)} target="_blank">
          View the pending request
        </Link>
      )}
    </Dialog>
  )
}

/** The flag as it is now, past what pages have. */
export const readFlag = (projectId: number, id: number): Promise<Flag> =>
  read('/api/projects/{project_id}/feature_flags/{id}/', itemIn(projectId, id))
