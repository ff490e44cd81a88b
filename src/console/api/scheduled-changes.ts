// Defines scheduled changes of a flag.
import { queryOptions } from '@tanstack/react-query'
import { client, reading, post } from './client'
import { flagKey, inProject, itemIn } from './queries'
import type { components } from './schema'

export type ScheduledChange = components['schemas']['ScheduledChange']
export type NewChange = components['schemas']['ScheduledChangeBody']

const PATH = '/api/projects/{project_id}/scheduled_changes/'

/** Those of a flag that the page shows, the newest first. */
const MAX_CHANGES = 100
/** A change that runs shows within this time. */
const REFRESH_MS = 15_000

export const scheduledChangesQuery = (projectId: number, flagId: number) =>
  queryOptions({
    queryKey: [...flagKey(projectId, flagId), 'scheduled'],
    queryFn: reading(PATH, {
      path: inProject(projectId),
      query: { record_id: String(flagId), limit: MAX_CHANGES },
    }),
    refetchInterval: REFRESH_MS,
  })

export const scheduleChange = (projectId: number, body: NewChange): Promise<ScheduledChange> =>
  post(PATH, { path: inProject(projectId) }, body)

export const cancelChange = (projectId: number, id: number) =>
  client.DELETE(`${PATH}{id}/`, { params: itemIn(projectId, id) })
