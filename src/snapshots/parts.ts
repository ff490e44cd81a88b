// Which part a flag or cohort goes into, and what a part is as bytes. Pure, but for hashing.
import { Buffer } from 'node:buffer'
import { measureJson } from '../http/json-size'
import { chunksOf } from '../storage/json-parameters'
import type { Part, PartContent, PartKind } from './document'

/**
 * A larger part is split, unless it has one object only. So a change rewrites at most about this much, and a part stays far below the 25 MiB
 * of a value in KV.
 */
export const MAX_PART_BYTES = 1024 * 1024
/** Parts that are made by a split have at most this size, and neighbours that fit into it together are merged. */
const SPLIT_PART_BYTES = MAX_PART_BYTES / 2

/**
 * Heap of a compiled snapshot: per JSON value, beside one byte per byte of text, and at most per byte. Measured for 8 MiB of filters on V8
 * without pointer compression, which Workers use and which halves everything but text: 55 MiB for conditions of 5 filters each (82 bytes per
 * value), 127 MiB for the shortest filters (107 per value, 16 per byte), 83 MiB for lists of numbers of 5 digits, 31 MiB for lists of texts,
 * 11 MiB for payloads.
 */
const HEAP_PER_VALUE = 50
const MAX_HEAP_PER_BYTE = 8
/** Heap of the cached results of a flag. */
const HEAP_PER_FLAG = 1_000

/** A flag or cohort as JSON text. */
export interface Definition {
  readonly id: number
  readonly text: string
  readonly bytes: number
}

export const definitionOf = (value: { readonly id: number }): Definition => {
  const text = JSON.stringify(value)
  return { id: value.id, text, bytes: Buffer.byteLength(text) }
}

interface Definitions {
  readonly cohorts: readonly Definition[]
  readonly flags: readonly Definition[]
}

/** A part before it has a hash. */
export interface PartPlan extends Definitions {
  readonly kind: PartKind
  readonly from: number
}

/**
 * Assigns definitions to parts: one part for a project that fits into it, else parts of flags and parts of cohorts, each of a range of ids.
 * The ranges of the last manifest stay, so that a change of one definition changes one part, and a split or a merge its neighbours at most.
 * @param definitions in ascending order of their ids.
 */
export function planParts(definitions: Definitions, last: readonly Part[]): PartPlan[] {
  const { cohorts, flags } = definitions
  if (sizeOf(cohorts) + sizeOf(flags) <= MAX_PART_BYTES) return [{ kind: 'all', from: 0, cohorts, flags }]
  const planOf = (kind: 'cohorts' | 'flags'): PartPlan[] => {
    const starts = last.filter((part) => part.kind === kind).map(({ from }) => from)
    return ranges(definitions[kind], starts).map(({ from, members }) => ({
      kind,
      from,
      cohorts: [],
      flags: [],
      [kind]: members,
    }))
  }
  return [...planOf('cohorts'), ...planOf('flags')]
}

interface Range {
  from: number
  members: Definition[]
}

function ranges(definitions: readonly Definition[], starts: readonly number[]): Range[] {
  const kept: Range[] = []
  let next = 0
  for (const definition of definitions) {
    let from = kept.length === 0 ? definition.id : null
    for (; starts[next] !== undefined && starts[next]! <= definition.id; next += 1) from = starts[next]!
    if (from === null) kept.at(-1)!.members.push(definition)
    else kept.push({ from, members: [definition] })
  }
  return merged(kept.flatMap(split))
}

function split(range: Range): Range[] {
  if (sizeOf(range.members) <= MAX_PART_BYTES) return [range]
  return chunksOf(range.members, ({ bytes }) => bytes, SPLIT_PART_BYTES).map((members) => ({
    from: members[0]!.id,
    members,
  }))
}

const merged = (parts: readonly Range[]): Range[] =>
  chunksOf(parts, ({ members }) => sizeOf(members), SPLIT_PART_BYTES).map((chunk) => ({
    from: chunk[0]!.from,
    members: chunk.flatMap(({ members }) => members),
  }))

const sizeOf = (definitions: readonly Definition[]): number =>
  definitions.reduce((sum, { bytes }) => sum + bytes, 0)

const listOf = (definitions: readonly Definition[]) => `[${definitions.map(({ text }) => text).join(',')}]`

/** A part with its bytes. */
export interface EncodedPart {
  readonly part: Part
  readonly bytes: Uint8Array
}

/** @param last the parts of the last manifest, by hash: an unchanged one is returned as it is there, another one with `put_at` -Infinity. */
export async function encodePart(
  { kind, from, cohorts, flags }: PartPlan,
  last: ReadonlyMap<string, Part>,
): Promise<EncodedPart> {
  const text = `{"cohorts":${listOf(cohorts)},"flags":${listOf(flags)}}`
  const bytes = new TextEncoder().encode(text)
  const hash = await hashOf(bytes)
  const known = last.get(hash)
  if (known) return { part: { ...known, kind, from }, bytes }
  const { values } = measureJson(text, { maxDepth: Infinity, maxValues: Infinity })
  const heap =
    Math.min(bytes.length + HEAP_PER_VALUE * values, MAX_HEAP_PER_BYTE * bytes.length) +
    HEAP_PER_FLAG * flags.length
  return { part: { hash, bytes: bytes.length, heap, kind, from, put_at: -Infinity }, bytes }
}

/** The content of a part's bytes; null when they are not those of the hash. */
export async function decodePart(hash: string, bytes: ArrayBuffer): Promise<PartContent | null> {
  return (await hashOf(bytes)) === hash ? parsePart(bytes) : null
}

export const parsePart = (bytes: ArrayBuffer | Uint8Array): PartContent =>
  JSON.parse(new TextDecoder().decode(bytes)) as PartContent

const hashOf = async (bytes: ArrayBuffer | ArrayBufferView): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
