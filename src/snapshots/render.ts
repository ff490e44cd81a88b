// Renders a project's document from D1, or from the document before it and what a write changed. Only the project object calls this,
// because it orders the generations.
import { Buffer } from 'node:buffer'
import type { CohortDefinition } from '../evaluation/compile/definitions'
import type { Database } from '../storage/database'
import { selectGeneration } from '../storage/flags-generation'
import { cohortBytes, flagBytes } from './definition-quota'
import { cohortFrom, definitionFrom, type FeedDefinition, matchingFrom, selectFlagSet } from './definitions'
import { FORMAT, type SdkProject, type Snapshot } from './document'

/** The heap of a project without flags. */
const HEAP_PER_PROJECT = 2_000

/** A flag or cohort as JSON text. */
interface Definition {
  readonly id: number
  readonly text: string
  readonly bytes: number
  /** The estimated heap of its compiled form. */
  readonly heap: number
}

const encode = (value: { readonly id: number }, heap: number): Definition => {
  const text = JSON.stringify(value)
  return { id: value.id, text, bytes: Buffer.byteLength(text), heap }
}

const encodeFlag = (flag: FeedDefinition): Definition =>
  encode(flag, flagBytes({ ...flag, contexts: flag.evaluation_contexts ?? [] }))

const encodeCohort = (cohort: CohortDefinition): Definition => encode(cohort, cohortBytes(cohort.filters))

/** A project at one generation, with its definitions as text. */
export interface Rendered {
  readonly facts: Omit<Snapshot, 'cohorts' | 'flags'>
  /** Cohorts and flags are in ascending order of their ids. */
  readonly cohorts: readonly Definition[]
  readonly flags: readonly Definition[]
  /** The project's public token, and what SDK endpoints need of the project. */
  readonly token: { readonly value: string; readonly project: SdkProject }
}

/** Reads a project at one generation, in one round trip and one transaction. Returns null when there is no such project. */
export async function renderFromD1(db: Database, projectId: number): Promise<Rendered | null> {
  const [[project], flags, cohorts, groupTypes] = await db.batch([
    selectGeneration(db, projectId),
    ...selectFlagSet(db, projectId),
  ])
  if (!project) return null
  const {
    generation,
    organizationId,
    timezone,
    quotaLimited,
    matchingVersion,
    apiToken,
    shard,
    queryEngine,
  } = project
  const store = { shard, queryEngine }
  return {
    facts: {
      project_id: projectId,
      generation,
      timezone,
      quota_limited: quotaLimited,
      ...matchingFrom(matchingVersion, groupTypes),
    },
    // Rows are encoded one at a time, because values take several times the memory of their text.
    cohorts: cohorts.map((row) => encodeCohort(cohortFrom(row))).toSorted(byId),
    flags: flags.map((row) => encodeFlag(definitionFrom(row))).toSorted(byId),
    token: {
      value: apiToken,
      project: { id: projectId, organizationId, timezone, store },
    },
  }
}

const byId = (a: Definition, b: Definition) => a.id - b.id

/** What a generation changes: the definition of each flag by id, or null for a deleted flag. */
export type DefinitionChanges = ReadonlyMap<number, FeedDefinition | null>

/** Returns the next generation of a project. */
export function applyChanges(before: Rendered, generation: number, changes: DefinitionChanges): Rendered {
  const changed = [...changes.values()].filter((definition) => definition !== null).map(encodeFlag)
  return {
    ...before,
    facts: { ...before.facts, generation },
    flags: [...before.flags.filter(({ id }) => !changes.has(id)), ...changed].toSorted(byId),
  }
}

/** Returns the bytes of the definitions, and the estimated heap of their compiled form. */
export function sizeOf({ cohorts, flags }: Rendered): { bytes: number; heap: number } {
  let [bytes, heap] = [0, HEAP_PER_PROJECT]
  for (const definition of [...cohorts, ...flags]) {
    bytes += definition.bytes
    heap += definition.heap
  }
  return { bytes, heap }
}

const listOf = (definitions: readonly Definition[]) => `[${definitions.map(({ text }) => text).join(',')}]`

/** Returns the document as UTF-8. */
export function documentOf({ facts, cohorts, flags }: Rendered): Uint8Array {
  const head = JSON.stringify({ format: FORMAT, ...facts }).slice(0, -1)
  return new TextEncoder().encode(`${head},"cohorts":${listOf(cohorts)},"flags":${listOf(flags)}}`)
}
