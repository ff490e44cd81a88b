// What a run leaves behind once its answer is on its way: a line in the log, a count, and when it was. A failure changes nothing for the
// caller.
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { addLine } from '../logs/write'
import { runBatch } from '../../storage/run-batch'
import { noteExecuted } from './executed'
import type { RunnableEndpoint, RunnableVersion } from './find'
import { type Budget, countRun } from './throttle'

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
