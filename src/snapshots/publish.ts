// Building a snapshot from D1 and laying it where readers look. Only the project object calls this: it keeps builds in order.
import { rejectTooLarge } from '../flags/definition-quota'
import { flagSetFrom, selectFlagSet } from '../flags/definitions'
import type { Database } from '../storage/database'
import { documentKey, FORMAT, type Pointer, pointerKey, type Snapshot } from './document'
import { selectGeneration } from './generation'

/** A document outlives every pointer to it; one that is still current is laid down again when half of this has passed. */
export const DOCUMENT_LIFE_S = 7 * 86_400

/** Reads a project at one generation, in one round trip and one transaction. Null when there is no such project. */
export async function buildSnapshot(db: Database, projectId: number): Promise<Snapshot | null> {
  const [[project], flags, cohorts, groupTypes] = await rejectTooLarge(
    db.batch([selectGeneration(db, projectId), ...selectFlagSet(db, projectId)]),
  )
  if (!project) return null
  return {
    format: FORMAT,
    project_id: projectId,
    generation: project.generation,
    timezone: project.timezone,
    quota_limited: project.quotaLimited,
    ...flagSetFrom(project.matchingVersion, flags, cohorts, groupTypes),
  }
}

/** Publishes a snapshot: the document first, so that a pointer never leads nowhere. */
export async function publishSnapshot(kv: KVNamespace, snapshot: Snapshot, checkedAt: number): Promise<void> {
  const { project_id: projectId, generation } = snapshot
  await kv.put(documentKey(projectId, generation), JSON.stringify(snapshot), {
    expirationTtl: DOCUMENT_LIFE_S,
  })
  await publishPointer(kv, projectId, { generation, checked_at: checkedAt })
}

/** Says that a generation is (still) current. */
export const publishPointer = (kv: KVNamespace, projectId: number, pointer: Pointer): Promise<void> =>
  kv.put(pointerKey(projectId), JSON.stringify(pointer))
