import { apiErrorIn } from '../../errors'
import type { FlagContext } from '../context'
import { viewerOf } from '../context'
import { recordFrom } from '../read/record'
import type { FlagRecord } from '../schema'
import type { FlagChange } from './write-types'

/**
 * Creates, updates, deletes or restores a flag. The project object plans and commits it: each of several concurrent writes is planned on
 * the state that the one before leaves.
 * @throws 404; 400 for the first rule that is broken; 409 for a conflict, and for an update that waits for approval; no flag has changed
 * then. 503 when D1 or the project's object fails: the flag may have changed.
 */
export async function submitWrite(context: FlagContext, change: FlagChange): Promise<FlagRecord> {
  const { deps, actor, project } = context
  const { row, rollout, mark } = await deps.projectObjects
    .writeFlag({
      ...change,
      actor,
      project,
      now: deps.clock.now().getTime(),
    })
    .catch((error: unknown) => explain(context, error))
  await deps.snapshots.leaveMark(project.id, mark)
  return recordFrom(row, viewerOf(context), rollout)
}

/** @throws the error, with the change request that it names */
async function explain(context: FlagContext, error: unknown): Promise<never> {
  const rejection = apiErrorIn(error)
  const requestId = rejection?.more.change_request_id
  if (!rejection || typeof requestId !== 'string') throw error
  const { explainHeld } = await import('../approvals/explain-held')
  throw await explainHeld(context, requestId, rejection)
}
