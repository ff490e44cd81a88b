// When an endpoint and its version were last run (reference/endpoints-api.md §4): by keys, give or take half an hour.
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpoints, endpointVersions } from '../../../drizzle'
import type { Actor } from '../../auth/actor'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'
import type { RunnableEndpoint, RunnableVersion } from './find'

const RESOLUTION_MS = 30 * 60_000

/** The statements that note a run where that is due. The condition is in SQL as well, so that runs which race write once. */
export function noteExecuted(
  db: Database,
  actor: Actor,
  endpoint: RunnableEndpoint,
  version: RunnableVersion,
  now: Date,
): BatchItem<'sqlite'>[] {
  if (actor.kind !== 'apiKey') return []
  const lastExecutedAt = stored(now)
  const due = stored(new Date(now.getTime() - RESOLUTION_MS))
  const isDue = (last: string | null) => last === null || last < due
  return [
    ...(isDue(endpoint.lastExecutedAt)
      ? [
          db
            .update(endpoints)
            .set({ lastExecutedAt })
            .where(
              and(
                eq(endpoints.id, endpoint.id),
                or(isNull(endpoints.lastExecutedAt), lt(endpoints.lastExecutedAt, due)),
              ),
            ),
        ]
      : []),
    ...(isDue(version.lastExecutedAt)
      ? [
          db
            .update(endpointVersions)
            .set({ lastExecutedAt })
            .where(
              and(
                eq(endpointVersions.id, version.id),
                or(isNull(endpointVersions.lastExecutedAt), lt(endpointVersions.lastExecutedAt, due)),
              ),
            ),
        ]
      : []),
  ]
}
