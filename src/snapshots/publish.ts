// Building a snapshot from D1 and laying it where readers look. Only the project object calls this: it keeps builds in order.
import { rejectTooLarge } from './definition-quota'
import { flagSetFrom, selectFlagSet } from './definitions'
import type { Database } from '../storage/database'
import {
  documentKey,
  FORMAT,
  type Pointer,
  pointerKey,
  type SdkProject,
  type Snapshot,
  tokenKey,
} from './document'
import { selectGeneration } from '../storage/flags-generation'

/** A document outlives every pointer to it; one that is still current is laid down again when half of this has passed. */
export const DOCUMENT_LIFE_S = 7 * 86_400

/** What is published of a project. */
export interface Publication {
  snapshot: Snapshot
  /** The project's public token, and what it stands for. */
  token: { value: string; project: SdkProject }
}

/** Reads a project at one generation, in one round trip and one transaction. Null when there is no such project. */
export async function buildPublication(db: Database, projectId: number): Promise<Publication | null> {
  const [[project], flags, cohorts, groupTypes] = await rejectTooLarge(
    db.batch([selectGeneration(db, projectId), ...selectFlagSet(db, projectId)]),
  )
  if (!project) return null
  const { generation, timezone, apiToken, organizationId, requireEvaluationContexts, shard, queryEngine } =
    project
  return {
    snapshot: {
      format: FORMAT,
      project_id: projectId,
      generation,
      timezone,
      quota_limited: project.quotaLimited,
      ...flagSetFrom(project.matchingVersion, flags, cohorts, groupTypes),
    },
    token: {
      value: apiToken,
      project: {
        id: projectId,
        organizationId,
        timezone,
        requireEvaluationContexts,
        store: { shard, queryEngine },
      },
    },
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

/** Publishes what a token stands for: an isolate that starts while D1 fails knows it from there. */
export const publishToken = (kv: KVNamespace, { value, project }: Publication['token']): Promise<void> =>
  kv.put(tokenKey(value), JSON.stringify(project), { expirationTtl: DOCUMENT_LIFE_S })

/** Says that a generation is (still) current. */
export const publishPointer = (kv: KVNamespace, projectId: number, pointer: Pointer): Promise<void> =>
  kv.put(pointerKey(projectId), JSON.stringify(pointer))
