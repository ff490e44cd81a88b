// Writes what a run leaves behind, after the response: one batch for each database.
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { addLogEntry } from '../logs/log-entry'
import { runBatch } from '../../storage/run-batch'
import type { RunnableEndpoint, RunnableVersion } from './find-runnable'
import { type NewResult, storeResult } from './result-cache'
import { type Budget, countRun } from './run-throttle'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpoints, endpointVersions } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'

export interface RunOutcome {
  level: 'INFO' | 'ERROR'
  message: string
  executed?: RunnableVersion
  toStore?: NewResult | undefined
}

export interface LoggedRun {
  deps: Deps
  actor: Actor
  project: Project
  endpoint: RunnableEndpoint
  executionId: string
  budget: Budget
  now: Date
}

export function logRun(
  { deps, actor, project, endpoint, executionId, budget, now }: LoggedRun,
  { level, message, executed, toStore }: RunOutcome,
): void {
  const { db } = deps
  const entry = {
    projectId: project.id,
    endpointId: endpoint.id,
    instanceId: executionId,
    at: now,
    level,
    message,
  }
  deps.afterResponse(() =>
    runBatch(db, [
      ...countRun(deps, actor, budget, now),
      ...(executed ? updateLastExecuted(db, actor, endpoint, executed, now) : []),
    ]),
  )
  deps.afterResponse(() => {
    const shard = deps.shardOf(project.store).db
    return runBatch(shard, [...addLogEntry(shard, entry), ...(toStore ? storeResult(shard, toStore) : [])])
  })
}

const RESOLUTION_MS = 30 * 60_000

/** Only when the stored time is older than the resolution; the SQL condition lets one of concurrent runs write. */
function updateLastExecuted(
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
