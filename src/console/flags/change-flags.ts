// Changes of flags, shown at once and taken back when the service refuses them.
import type { InfiniteData } from '@tanstack/react-query'
import { client, dataOf, type Flag } from '../api/client'
import { flagKey, flagsKey, queryClient } from '../api/queries'
import { say, sayProblem } from '../design/toast'
import type { components } from '../api/schema'

type UpdateFlag = components['schemas']['UpdateFlag']
type Page = components['schemas']['FeatureFlagPage']

const params = (projectId: number, id: number) => ({ path: { project_id: String(projectId), id } })

export const updateFlag = (projectId: number, id: number, body: UpdateFlag): Promise<Flag> =>
  dataOf(
    client.PATCH('/api/projects/{project_id}/feature_flags/{id}/', { params: params(projectId, id), body }),
  )

/** Reads everything about flags again that pages show. */
export const refreshFlags = (projectId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: flagsKey(projectId) })

/** Puts a flag, as a response has it, into what pages show. */
export function showFlag(projectId: number, flag: Flag): void {
  queryClient.setQueryData(flagKey(projectId, flag.id), flag)
  showInLists(projectId, flag.id, () => flag)
}

function showInLists(projectId: number, id: number, change: (flag: Flag) => Flag): void {
  queryClient.setQueriesData<InfiniteData<Page>>({ queryKey: [...flagsKey(projectId), 'list'] }, (data) =>
    data
      ? {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            results: page.results.map((flag) => (flag.id === id ? change(flag) : flag)),
          })),
        }
      : data,
  )
}

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
    sayProblem(error, () => void setActive(projectId, flag, active, isUndo))
  }
}

/** Archives flags or takes them back, one request each; says how many failed. */
export async function setArchived(
  projectId: number,
  flags: readonly Flag[],
  archived: boolean,
  isUndo = false,
): Promise<void> {
  const results = await Promise.allSettled(
    // Archiving an enabled flag disables it too: an archived flag serves nobody.
    flags.map(({ id }) => updateFlag(projectId, id, archived ? { archived, active: false } : { archived })),
  )
  const failed = results.filter((result) => result.status === 'rejected')
  const done = flags.filter((_, index) => results[index]!.status === 'fulfilled')
  await refreshFlags(projectId)
  if (done.length > 0) {
    const what = done.length === 1 ? done[0]!.key : `${done.length} flags`
    say(
      `${what} ${archived ? 'archived' : 'taken out of the archive'}.`,
      isUndo ? undefined : () => void setArchived(projectId, done, !archived, true),
    )
  }
  for (const { reason } of failed.slice(0, 1)) sayProblem(reason)
}
