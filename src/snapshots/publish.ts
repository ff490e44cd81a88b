// Reading what a snapshot is made of from D1, and putting it where readers look. Only the project object calls this: it orders builds.
import type { Database } from '../storage/database'
import { selectGeneration } from '../storage/flags-generation'
import { rejectTooLarge } from './definition-quota'
import { cohortFrom, definitionFrom, type FeedDefinition, matchingFrom, selectFlagSet } from './definitions'
import {
  FORMAT,
  type Manifest,
  partKey,
  type Pointer,
  pointerKey,
  type SdkProject,
  tokenKey,
} from './manifest'
import {
  decodePart,
  type Definition,
  type Definitions,
  encodeDefinition,
  type EncodedPart,
  storedPart,
} from './parts'

/** A part outlives every manifest with it; one that is still current is put again when half of this has passed. */
export const PART_TTL_S = 7 * 86_400

/** The published values of a project at one generation. */
export interface Publication extends Definitions {
  facts: Omit<Manifest, 'parts'>
  /** The project's public token, and its project. */
  token: { value: string; project: SdkProject }
}

/**
 * Reads a project at one generation, in one round trip and one transaction. Null when there is no such project.
 * @throws 503 when the definitions are too large to be read.
 */
export async function readPublication(db: Database, projectId: number): Promise<Publication | null> {
  const [[project], flags, cohorts, groupTypes] = await rejectTooLarge(
    db.batch([selectGeneration(db, projectId), ...selectFlagSet(db, projectId)]),
  )
  if (!project) return null
  const { generation, timezone } = project
  return {
    facts: {
      format: FORMAT,
      project_id: projectId,
      generation,
      timezone,
      quota_limited: project.quotaLimited,
      ...matchingFrom(project.matchingVersion, groupTypes),
    },
    // One at a time: values take several times the memory of their text.
    cohorts: cohorts.map((row) => encodeDefinition(cohortFrom(row))).toSorted(byId),
    flags: flags.map((row) => encodeDefinition(definitionFrom(row))).toSorted(byId),
    token: tokenOf(projectId, project),
  }
}

type ProjectRow = Awaited<ReturnType<typeof selectGeneration>>[number]

const tokenOf = (
  projectId: number,
  { apiToken, organizationId, timezone, requireEvaluationContexts, shard, queryEngine }: ProjectRow,
): Publication['token'] => ({
  value: apiToken,
  project: {
    id: projectId,
    organizationId,
    timezone,
    requireEvaluationContexts,
    store: { shard, queryEngine },
  },
})

/**
 * The same from the parts that KV has, for one row of D1: what the token stands for.
 * @returns null when KV does not have all of them, or the project is gone.
 */
export async function readPublished(
  db: Database,
  kv: KVNamespace,
  { parts, ...facts }: Manifest,
): Promise<{ publication: Publication; parts: EncodedPart[] } | null> {
  const projectId = facts.project_id
  const [[project], contents] = await Promise.all([
    selectGeneration(db, projectId),
    Promise.all(
      parts.map(async ({ hash }) => {
        const bytes = await kv.get(partKey(projectId, hash), { type: 'arrayBuffer' })
        return bytes && decodePart(hash, bytes)
      }),
    ),
  ])
  if (!project) return null
  const encoded = contents.flatMap((content, index): EncodedPart[] => {
    if (!content) return []
    const { put_at: _, ...part } = parts[index]!
    const cohorts = content.cohorts.map(encodeDefinition)
    const flags = content.flags.map(encodeDefinition)
    return [{ plan: { kind: part.kind, from: part.from, cohorts, flags }, part, chunks: [] }]
  })
  if (encoded.length < parts.length) return null
  const cohorts = encoded.flatMap(({ plan }) => plan.cohorts)
  const flags = encoded.flatMap(({ plan }) => plan.flags)
  return { publication: { facts, cohorts, flags, token: tokenOf(projectId, project) }, parts: encoded }
}

const byId = (a: Definition, b: Definition) => a.id - b.id

/** What a generation changes: the definition of each flag by id, null for a deleted one. */
export type DefinitionChanges = ReadonlyMap<number, FeedDefinition | null>

/** The next generation of a publication. */
export function applyChanges(
  publication: Publication,
  generation: number,
  changes: DefinitionChanges,
): Publication {
  const changed = [...changes.values()].filter((definition) => definition !== null).map(encodeDefinition)
  return {
    ...publication,
    facts: { ...publication.facts, generation },
    flags: [...publication.flags.filter(({ id }) => !changes.has(id)), ...changed].toSorted(byId),
  }
}

/** Puts parts and then the manifest, so that every part of a manifest that a reader finds is there. */
export async function putManifest(
  kv: KVNamespace,
  pointer: Pointer,
  parts: readonly EncodedPart[],
): Promise<void> {
  await Promise.all(
    parts.map(async (each) =>
      kv.put(partKey(pointer.project_id, each.part.hash), await storedPart(each), {
        expirationTtl: PART_TTL_S,
      }),
    ),
  )
  await kv.put(pointerKey(pointer.project_id), JSON.stringify(pointer))
}

/** Puts what a token stands for: an isolate that starts while D1 fails finds it there. */
export const putToken = (kv: KVNamespace, { value, project }: Publication['token']): Promise<void> =>
  kv.put(tokenKey(value), JSON.stringify(project), { expirationTtl: PART_TTL_S })
