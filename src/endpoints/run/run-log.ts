// What a run leaves behind once its answer is on its way: a line in the log, a count, and when it was. A failure changes nothing for the
// caller.
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { addLine } from '../logs/log-entry'
import { runBatch } from '../../storage/run-batch'
import type { RunnableEndpoint, RunnableVersion } from './find-runnable'
import { type Budget, countRun } from './run-throttle'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpoints, endpointVersions } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'

export interface Note {
  level: 'INFO' | 'ERROR'
  message: string
  /** The version that gave an answer. */
  executed?: RunnableVersion
}

export interface Noted {
  deps: Deps
  actor: Actor
  project: Project
  endpoint: RunnableEndpoint
  executionId: string
  /** What it counts as. */
  budget: Budget
  now: Date
}

/** Notes a run, after the response. */
export function noteRun(
  { deps, actor, project, endpoint, executionId, budget, now }: Noted,
  { level, message, executed }: Note,
): void {
  const { db } = deps
  const line = {
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
      ...(executed ? noteExecuted(db, actor, endpoint, executed, now) : []),
    ]),
  )
  deps.afterResponse(() => {
    const shard = deps.shardOf(project.store).db
    return runBatch(shard, addLine(shard, line))
  })
}

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
