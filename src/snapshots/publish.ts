// Building a snapshot's manifest and parts from D1, and putting them where readers look. Only the project object calls this: it orders builds.
import { rejectTooLarge } from './definition-quota'
import { cohortFrom, definitionFrom, matchingFrom, selectFlagSet } from './definitions'
import type { Database } from '../storage/database'
import {
  FORMAT,
  type Manifest,
  type Part,
  partKey,
  type Pointer,
  pointerKey,
  type SdkProject,
  tokenKey,
} from './document'
import { selectGeneration } from '../storage/flags-generation'
import { type Definition, definitionOf, encodePart, type EncodedPart, planParts } from './parts'

/** A part outlives every manifest with it; one that is still current is put again when half of this has passed. */
export const PART_TTL_S = 7 * 86_400

/** What is published of a project. */
export interface Publication {
  manifest: Manifest
  /** The parts of the manifest, in its order. */
  parts: readonly EncodedPart[]
  /** The project's public token, and what it stands for. */
  token: { value: string; project: SdkProject }
}

/**
 * Reads a project at one generation, in one round trip and one transaction. Null when there is no such project.
 * @param last the parts of the last manifest.
 * @throws 503 when the definitions are too large to be read.
 */
export async function buildPublication(
  db: Database,
  projectId: number,
  last: readonly Part[],
): Promise<Publication | null> {
  const [[project], flags, cohorts, groupTypes] = await rejectTooLarge(
    db.batch([selectGeneration(db, projectId), ...selectFlagSet(db, projectId)]),
  )
  if (!project) return null
  const { generation, timezone, apiToken, organizationId, requireEvaluationContexts, shard, queryEngine } =
    project
  const parts = await encodeParts(
    {
      // One at a time: values take several times the memory of their text.
      cohorts: cohorts.map((row) => definitionOf(cohortFrom(row))).toSorted(byId),
      flags: flags.map((row) => definitionOf(definitionFrom(row))).toSorted(byId),
    },
    last,
  )
  return {
    manifest: {
      format: FORMAT,
      project_id: projectId,
      generation,
      timezone,
      quota_limited: project.quotaLimited,
      ...matchingFrom(project.matchingVersion, groupTypes),
      parts: parts.map(({ part }) => part),
    },
    parts,
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

const byId = (a: Definition, b: Definition) => a.id - b.id

async function encodeParts(
  definitions: Parameters<typeof planParts>[0],
  last: readonly Part[],
): Promise<EncodedPart[]> {
  const known = new Map(last.map((part) => [part.hash, part]))
  const parts: EncodedPart[] = []
  for (const plan of planParts(definitions, last)) parts.push(await encodePart(plan, known))
  return parts
}

/** Publishes a manifest: its new parts first, so that every part of a manifest that a reader finds is there. */
export async function publishManifest(
  kv: KVNamespace,
  pointer: Pointer,
  parts: readonly EncodedPart[],
): Promise<void> {
  await Promise.all(
    parts.map(({ part, bytes }) =>
      kv.put(partKey(pointer.project_id, part.hash), bytes, { expirationTtl: PART_TTL_S }),
    ),
  )
  await publishPointer(kv, pointer)
}

/** Publishes what a token stands for: an isolate that starts while D1 fails knows it from there. */
export const publishToken = (kv: KVNamespace, { value, project }: Publication['token']): Promise<void> =>
  kv.put(tokenKey(value), JSON.stringify(project), { expirationTtl: PART_TTL_S })

/** Says that a generation is (still) current. */
export const publishPointer = (kv: KVNamespace, pointer: Pointer): Promise<void> =>
  kv.put(pointerKey(pointer.project_id), JSON.stringify(pointer))
