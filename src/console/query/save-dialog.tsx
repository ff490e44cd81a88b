// Saves a query: it shows the difference first, and both sides when another user saved during the edit.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Endpoint } from '../api/client'
import { Problem } from '../api/problem'
import { queryClient } from '../api/queries'
import { checkQuery, endpointQuery } from '../api/saved-queries'
import { Button } from '../design/button'
import { Dialog, focusedFirst } from '../design/popups/dialog'
import { Notice, ProblemNotice } from '../design/feedback'
import { say, sayProblem } from '../design/popups/toast'
import { OvertakenDialog } from '../edit/overtaken-dialog'
import { pick } from '../edit/use-draft'
import { refreshQueries, showQuery, updateQuery } from '../queries/change-queries'
import { changedFields, type Draft, draftOf, queryOf } from './draft'
import { QueryDifference } from './query-difference'

interface SaveDialogProps {
  projectId: number
  base: Endpoint
  draft: Draft
  onClose(): void
  onSaved(query: Endpoint): void
  /** Continues the edit on the state that the other user saved, with the own changes on top. */
  onRebase(current: Endpoint, draft: Draft): void
  onRefused(problem: Problem): void
}

/** Thrown when another user saved since the edit began. */
class Overtaken extends Error {
  constructor(readonly current: Endpoint) {
    super('This query has a newer version.')
  }
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
  const [current, setCurrent] = useState<Endpoint | null>(null)
  const before = draftOf(base)
  const changed = changedFields(before, draft)
  const isNewVersion = changed.includes('text')
  const check = useQuery({
    ...checkQuery(projectId, draft.text, null),
    enabled: isNewVersion && draft.kind === 'HogQLQuery',
  })
  const warnings = check.data?.query === draft.text ? check.data.warnings : []
  const save = useMutation({
    async mutationFn() {
      // The API takes the last write, so that the current state is read right before.
      const latest = await queryClient.fetchQuery({ ...endpointQuery(projectId, base.name), staleTime: 0 })
      if (changedFields(before, draftOf(latest)).length > 0) throw new Overtaken(latest)
      const { kind: _k, text: _t, ...settings } = pick(draft, changed)
      return updateQuery(projectId, base.name, {
        ...settings,
        ...(isNewVersion ? { query: queryOf(draft, base.query) } : {}),
      })
    },
    onSuccess(query) {
      const { materialization_error: error } = query as Endpoint & { materialization_error?: string }
      showQuery(projectId, query)
      void refreshQueries(projectId)
      say(isNewVersion ? `${query.name} saved as version ${query.current_version}.` : `${query.name} saved.`)
      if (error) sayProblem(`Version ${query.current_version} is not materialized: ${error}`)
      onSaved(query)
    },
    onError(error) {
      if (error instanceof Overtaken) setCurrent(error.current)
      else if (error instanceof Problem && error.status === 400) onRefused(error)
    },
  })

  if (current)
    return (
      <OvertakenDialog
        what="query"
        heading={`Version ${current.current_version} has`}
        theirs={<QueryDifference before={before} after={draftOf(current)} />}
        mine={<QueryDifference before={before} after={draft} />}
        onClose={onClose}
        onDiscard={() => onSaved(current)}
        onContinue={() => onRebase(current, { ...draftOf(current), ...pick(draft, changed) })}
      />
    )

  return (
    <Dialog
      title={isNewVersion ? `Save as version ${base.current_version + 1}` : 'Save changes'}
      isWide={isNewVersion}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button kind="primary" ref={focusedFirst} isBusy={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        </>
      }
    >
      <QueryDifference before={before} after={draft} />
      {warnings.map(({ start, message }) => (
        <Notice key={`${start} ${message}`} tone="warn">
          {message}
        </Notice>
      ))}
      {isNewVersion && (
        <Notice>
          Programs that name no version get the new one at once.
          {base.materialization.enabled && ' It is materialized like this one, if its query allows it.'}
        </Notice>
      )}
      {save.isError && !(save.error instanceof Overtaken) && <ProblemNotice error={save.error} />}
    </Dialog>
  )
}
