// Writes the log entry, counts and result of a run after the response, in one batch for each database.
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { addLogEntry } from '../logs/log-entry'
import { isOpenToBulk, maxBytesOf } from '../../storage/database-size'
import { runBatch } from '../../storage/run-batch'
import type { RunnableEndpoint, RunnableVersion } from './find-runnable'
import { type NewResult, storeResult } from './result-cache'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpoints, endpointVersions } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'

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
  now: Date
}

export function recordRun(
  { deps, actor, project, endpoint, executionId, now }: LoggedRun,
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
  if (executed && actor.kind === 'apiKey')
    deps.afterResponse(() => runBatch(db, updateLastExecuted(db, endpoint, executed, now)))
  deps.afterResponse(async () => {
    const shard = deps.shardOf(project.store).db
    // The last space of a shard is for events.
    const isOpen = isOpenToBulk(deps.eventsMeter.databaseBytes, maxBytesOf(deps.env))
    const stored =
      toStore && isOpen ? await storeResult({ ...deps, shard }, project.organizationId, toStore) : []
    return runBatch(shard, [...addLogEntry(shard, entry), ...stored])
  })
}

/** Updates the time of the last run, which wakes hibernated materializations. Concurrent runs end in any order, and the latest time stays. */
function updateLastExecuted(
  db: Database,
  endpoint: RunnableEndpoint,
  version: RunnableVersion,
  now: Date,
): BatchItem<'sqlite'>[] {
  const at = toStoredTimestamp(now)
  const rows = [
    { table: endpoints, id: endpoint.id },
    { table: endpointVersions, id: version.id },
  ]
  return rows.map(({ table, id }) =>
    db
      .update(table)
      .set({ lastExecutedAt: at })
      .where(and(eq(table.id, id), or(isNull(table.lastExecutedAt), lt(table.lastExecutedAt, at)))),
  )
}
