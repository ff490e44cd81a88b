// Changes of flags, shown at once and taken back when the service refuses them.
import { changeInLists } from '../api/change-in-lists'
import { client, dataOf, type Flag } from '../api/client'
import { refreshRequests } from '../api/approvals'
import { messageOf, Problem } from '../api/problem'
import { flagKey, flagsKey, queryClient } from '../api/queries'
import { say, sayLink, sayProblem } from '../design/toast'
import type { components } from '../api/schema'

type UpdateFlag = components['schemas']['UpdateFlag']

const params = (projectId: number, id: number) => ({ path: { project_id: String(projectId), id } })

export const updateFlag = (projectId: number, id: number, body: UpdateFlag): Promise<Flag> =>
  dataOf(
    client.PATCH('/api/projects/{project_id}/feature_flags/{id}/', { params: params(projectId, id), body }),
  )

/** Says that changes wait for approval, where an error means that. */
export function sayHeld(projectId: number, error: unknown): boolean {
  if (!(error instanceof Problem) || error.changeRequestId === null) return false
  const isNew = error.code === 'approval_required'
  sayLink(
    isNew ? 'The change needs approval: it is requested.' : 'Such a change already waits for approval.',
    'View the request',
    `/project/${projectId}/change_requests/${error.changeRequestId}`,
  )
  void refreshRequests(projectId)
  return true
}

/** Reads everything about flags again that pages show. */
export const refreshFlags = (projectId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: flagsKey(projectId) })

/** Puts a flag, as a response has it, into what pages show. */
export function showFlag(projectId: number, flag: Flag): void {
  queryClient.setQueryData(flagKey(projectId, flag.id), flag)
  showInLists(projectId, flag.id, () => flag)
}

const showInLists = (projectId: number, id: number, change: (flag: Flag) => Flag): void =>
  changeInLists<Flag>([...flagsKey(projectId), 'list'], (flag) => flag.id === id, change)

/** Enables or disables a flag, with a way back. */
export async function setActive(
  projectId: number,
  flag: Flag,
  active: boolean,
  isUndo = false,
): Promise<void> {
  const show = (value: boolean) => {
    showInLists(projectId, flag.id, (each) => ({ ...each, active: value }))
    queryClient.setQueryData<Flag>(flagKey(projectId, flag.id), (each) => each && { ...each, active: value })
  }
  show(active)
  try {
    showFlag(projectId, await updateFlag(projectId, flag.id, { active }))
    say(
      `${flag.key} is ${active ? 'enabled' : 'disabled'}.`,
      isUndo ? undefined : () => void setActive(projectId, flag, !active, true),
    )
  } catch (error) {
    show(!active)
    if (!sayHeld(projectId, error)) sayProblem(error, () => void setActive(projectId, flag, active, isUndo))
  }
}

/** Requests at once: the browser and the key's limits are shared with the rest of the page. */
const MAX_REQUESTS = 6

/** Updates flags, a request each. @returns those that were updated, and the errors of the others. */
async function updateEach(
  projectId: number,
  flags: readonly Flag[],
  bodyOf: (flag: Flag) => UpdateFlag,
): Promise<{ done: Flag[]; errors: unknown[] }> {
  const done: Flag[] = []
  const errors: unknown[] = []
  for (let at = 0; at < flags.length; at += MAX_REQUESTS) {
    await Promise.all(
      flags.slice(at, at + MAX_REQUESTS).map((flag) =>
        updateFlag(projectId, flag.id, bodyOf(flag)).then(
          () => done.push(flag),
          (error: unknown) => errors.push(error),
        ),
      ),
    )
  }
  await refreshFlags(projectId)
  return { done, errors }
}

/** Archives flags, or takes them out of the archive, with a way back to how each was. */
export async function setArchived(
  projectId: number,
  flags: readonly Flag[],
  archived: boolean,
): Promise<void> {
  const { done, errors } = await updateEach(projectId, flags, () =>
    // An archived flag serves nobody.
    archived ? { archived, active: false } : { archived },
  )
  if (done.length > 0) {
    const what = done.length === 1 ? done[0]!.key : `${done.length} flags`
    say(`${what} ${archived ? 'archived' : 'taken out of the archive'}.`, () => {
      void updateEach(projectId, done, (flag) => ({ archived: flag.archived, active: flag.active })).then(
        ({ errors: failures }) => failures.slice(0, 1).forEach((error) => sayProblem(error)),
      )
    })
  }
  if (errors.length === 1 && flags.length === 1 && sayHeld(projectId, errors[0])) return
  if (errors.length > 0)
    sayProblem(
      flags.length === 1
        ? errors[0]
        : `${errors.length} of ${flags.length} flags failed: ${messageOf(errors[0])}`,
    )
}
