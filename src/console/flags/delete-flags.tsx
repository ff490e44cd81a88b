import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client'
import { dependentsQuery, queryClient, inProject } from '../api/queries'
import { EACH_HELD_WORDS, HELD_WORDS, useHolds } from '../approvals/use-holds'
import { Button } from '../design/button'
import { Dialog } from '../design/popups/dialog'
import { SwitchRow } from '../design/fields/field'
import { Loading, Notice, ProblemNotice } from '../design/feedback'
import { say } from '../design/popups/toast'
import { refreshFlags, requestDeletions, restoreFlags } from './change-flags'

interface DeleteFlagsProps {
  projectId: number
  ids: number[]
  onClose(): void
  onDeleted(): void
}

/** The beginning of the reason why a policy keeps a flag. */
const NEEDS_APPROVAL = 'Deleting this flag needs approval.'

/** Flags whose dependents are read before they are deleted. */
const MAX_READ = 30

/** The flags that depend on these, and those that depend on them. The first are read at once, as far as the limit goes. */
async function dependentsOf(projectId: number, ids: readonly number[]): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  const read = new Set<number>()
  for (let next = ids.slice(0, MAX_READ); next.length > 0;) {
    for (const id of next) read.add(id)
    const dependents = await Promise.all(
      next.map((id) => queryClient.fetchQuery({ ...dependentsQuery(projectId, id), staleTime: 0 })),
    )
    for (const { id, key } of dependents.flat()) if (!ids.includes(id)) found.set(id, key)
    next = [...found.keys()].filter((id) => !read.has(id)).slice(0, MAX_READ - read.size)
  }
  return found
}

/** Asks before flags are deleted, with those that depend on them, and shows those that could not be, with the reason. */
export function DeleteFlags({ projectId, ids, onClose, onDeleted }: DeleteFlagsProps) {
  const path = inProject(projectId)
  // The flags stay on the page while the dialog is open, also when some are gone.
  const [chosen] = useState(ids)
  const keys = useQuery({
    queryKey: ['project', projectId, 'keys', chosen],
    queryFn: () =>
      post('/api/projects/{project_id}/feature_flags/bulk_keys/', { path }, { ids: chosen.slice(0, 100) }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const dependents = useQuery({
    queryKey: ['project', projectId, 'dependents', chosen],
    queryFn: () => dependentsOf(projectId, chosen),
    staleTime: 0,
    gcTime: 0,
  })
  const depending = [...(dependents.data ?? [])]
  const [isWithDependents, setIsWithDependents] = useState(false)
  const going = isWithDependents ? [...chosen, ...depending.map(([id]) => id)] : chosen
  const isHeld = useHolds(projectId, 'feature_flag.update')
  const remove = useMutation({
    async mutationFn() {
      const { deleted, errors } = await post(
        '/api/projects/{project_id}/feature_flags/bulk_delete/',
        { path },
        { ids: going },
      )
      const held = errors.flatMap(({ id, key, reason }) =>
        id !== null && reason.startsWith(NEEDS_APPROVAL) ? [{ id, key }] : [],
      )
      if (!isHeld) return { deleted, errors, held }
      await requestDeletions(projectId, held)
      return { deleted, errors: errors.filter(({ id }) => !held.some((each) => each.id === id)), held: [] }
    },
    async onSuccess({ deleted, errors }) {
      await refreshFlags(projectId)
      if (deleted.length > 0) {
        onDeleted()
        say(
          deleted.length === 1 ? `${deleted[0]!.key} deleted.` : `${deleted.length} flags deleted.`,
          () => void restoreFlags(projectId, deleted),
        )
      }
      if (errors.length === 0) onClose()
    },
  })
  const result = remove.data
  const held = result?.held ?? []
  // One by one, each becomes a change request.
  const request = useMutation({ mutationFn: () => requestDeletions(projectId, held), onSuccess: onClose })
  const names = Object.values(keys.data?.keys ?? {})
  const what = chosen.length === 1 ? (names[0] ?? 'this flag') : `${chosen.length} flags`
  return (
    <Dialog
      title={`Delete ${what}?`}
      onClose={onClose}
      error={request.error ?? remove.error}
      footer={
        result ? (
          <>
            <Button kind={held.length > 0 ? 'default' : 'primary'} onClick={onClose}>
              Close
            </Button>
            {held.length > 0 && (
              <Button kind="primary" isBusy={request.isPending} onClick={() => request.mutate()}>
                Request approval
              </Button>
            )}
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              kind="primary"
              className={isHeld ? '' : 'danger'}
              isBusy={remove.isPending}
              onClick={() => remove.mutate()}
            >
              {isHeld
                ? `Request ${going.length === 1 ? 'approval' : 'approvals'}`
                : `Delete ${going.length === 1 ? 'flag' : `${going.length} flags`}`}
            </Button>
          </>
        )
      }
    >
      {!result && (
        <>
          <p>
            Applications that ask for {chosen.length === 1 ? 'it' : 'them'} get no value any more. Flags that
            other flags depend on are not deleted.
          </p>
          {depending.length > 0 && (
            <>
              <Notice tone="warn">
                {depending.length === 1 ? 'Another flag depends' : `${depending.length} other flags depend`}{' '}
                on {chosen.length === 1 ? 'it' : 'them'}:
              </Notice>
              <ul className="flag-list mono small" tabIndex={0} aria-label="Flags that depend on these">
                {depending.map(([id, key]) => (
                  <li key={id}>{key}</li>
                ))}
              </ul>
              <SwitchRow
                title="Delete these too"
                isChecked={isWithDependents}
                onChange={setIsWithDependents}
              />
            </>
          )}
          {dependents.isError && <ProblemNotice error={dependents.error} />}
          {keys.isPending || dependents.isPending ? (
            <Loading />
          ) : (
            chosen.length > 1 && (
              <ul className="flag-list mono small" tabIndex={0} aria-label="Flags to delete">
                {names.map((key) => (
                  <li key={key}>{key}</li>
                ))}
                {chosen.length > names.length && (
                  <li className="soft">and {chosen.length - names.length} more</li>
                )}
              </ul>
            )
          )}
        </>
      )}
      {!result && isHeld && <p>{going.length === 1 ? HELD_WORDS : EACH_HELD_WORDS}</p>}
      {result && (
        <>
          {result.deleted.length > 0 && <Notice tone="good">{result.deleted.length} deleted.</Notice>}
          <Notice tone="warn">{result.errors.length} could not be deleted:</Notice>
          <ul className="stack small">
            {result.errors.map(({ id, key, reason }) => (
              <li key={id ?? key}>
                <code>{key || id}</code>: {reason.startsWith(NEEDS_APPROVAL) ? NEEDS_APPROVAL : reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
