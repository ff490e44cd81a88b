// Renders a project's document from D1, or from the document before it and what a write changed. Only the project object calls this,
// because it orders the generations.
import { Buffer } from 'node:buffer'
import { measureJson } from '../http/body/json-size'
import type { Database } from '../storage/database'
import { selectGeneration } from '../storage/flags-generation'
import { cohortFrom, definitionFrom, type FeedDefinition, matchingFrom, selectFlagSet } from './definitions'
import { FORMAT, type SdkProject, type Snapshot } from './document'

/**
 * The heap of a compiled snapshot: per JSON value, besides one byte per byte of text, and at most per byte. Measured for 8 MiB of filters
 * on V8 without pointer compression, which Workers use and which halves everything but text: 55 MiB for conditions of 5 filters each (82
 * bytes per value), 127 MiB for the shortest filters (107 per value, 16 per byte), 83 MiB for lists of numbers of 5 digits, 31 MiB for
 * lists of texts, 11 MiB for payloads.
 */
const HEAP_PER_VALUE = 50
const MAX_HEAP_PER_BYTE = 8
/** The heap of the cached results of a flag, and of their text in responses. */
const HEAP_PER_FLAG = 2_500
/** The heap of a project without flags. */
const HEAP_PER_PROJECT = 2_000

/** A flag or cohort as JSON text. */
interface Definition {
  readonly id: number
  readonly text: string
  readonly bytes: number
  /** The number of JSON values in the text. */
  readonly values: number
}

const encode = (value: { readonly id: number }): Definition => {
  const text = JSON.stringify(value)
  const { values } = measureJson(text, { maxDepth: Infinity, maxValues: Infinity })
  return { id: value.id, text, bytes: Buffer.byteLength(text), values }
}

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
    cohorts: cohorts.map((row) => encode(cohortFrom(row))).toSorted(byId),
    flags: flags.map((row) => encode(definitionFrom(row))).toSorted(byId),
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
  const changed = [...changes.values()].filter((definition) => definition !== null).map(encode)
  return {
    ...before,
    facts: { ...before.facts, generation },
    flags: [...before.flags.filter(({ id }) => !changes.has(id)), ...changed].toSorted(byId),
  }
}

/** Returns the bytes of the definitions, and the estimated heap of their compiled form. */
export function sizeOf({ cohorts, flags }: Rendered): { bytes: number; heap: number } {
  let [bytes, values] = [0, 0]
  for (const definition of [...cohorts, ...flags]) {
    bytes += definition.bytes
    values += definition.values
  }
  const compiled = Math.min(bytes + HEAP_PER_VALUE * values, MAX_HEAP_PER_BYTE * bytes)
  const heap = compiled + HEAP_PER_FLAG * flags.length + HEAP_PER_PROJECT
  return { bytes, heap }
}

const listOf = (definitions: readonly Definition[]) => `[${definitions.map(({ text }) => text).join(',')}]`

/** Returns the document as UTF-8. */
export function documentOf({ facts, cohorts, flags }: Rendered): Uint8Array {
  const head = JSON.stringify({ format: FORMAT, ...facts }).slice(0, -1)
  return new TextEncoder().encode(`${head},"cohorts":${listOf(cohorts)},"flags":${listOf(flags)}}`)
}
