// Which part a flag or cohort goes into, and what a part is as bytes. Pure, but for hashing.
import { Buffer } from 'node:buffer'
import { measureJson } from '../http/body/json-size'
import { chunksOf } from '../storage/json-parameters'
import type { FeedDefinition } from './definitions'
import type { SnapshotPart, PartChange, PartContent, PartKind } from './manifest'

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
/** Heap of the cached results of a flag, and of their text in responses. */
const HEAP_PER_FLAG = 2_500

/** A flag or cohort as JSON text. */
export interface Definition {
  readonly id: number
  readonly text: string
  readonly bytes: number
  /** JSON values in it. */
  readonly values: number
}

export const encodeDefinition = (value: { readonly id: number }): Definition => {
  const text = JSON.stringify(value)
  const { values } = measureJson(text, { maxDepth: Infinity, maxValues: Infinity })
  return { id: value.id, text, bytes: Buffer.byteLength(text), values }
}

export interface Definitions {
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
export function planParts(
  definitions: Definitions,
  last: readonly Pick<SnapshotPart, 'kind' | 'from'>[],
): PartPlan[] {
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

/** A part as far as its content decides it. */
type PartFacts = Omit<SnapshotPart, 'put_at'>

/** Definitions whose ids differ in the last CHUNK_BITS only: a change of one hashes no others again. */
interface Chunk {
  readonly definitions: readonly Definition[]
  readonly hash: string
}

const CHUNK_BITS = 5

/** A part with its content. */
export interface EncodedPart {
  readonly plan: PartPlan
  readonly part: PartFacts
  readonly chunks: readonly Chunk[]
}

/**
 * The parts of definitions. Costs little for definitions that are those of an earlier part.
 * @param earlier parts that were encoded before.
 * @param last the parts of the last manifest.
 */
export async function encodeParts(
  definitions: Definitions,
  earlier: readonly EncodedPart[],
  last: readonly Pick<SnapshotPart, 'kind' | 'from'>[],
): Promise<EncodedPart[]> {
  const known = new Map(earlier.flatMap(({ chunks }) => chunks.map((chunk) => [chunk.definitions[0], chunk])))
  const encoded: EncodedPart[] = []
  // One after the other: each takes the memory of its bytes while it is hashed.
  for (const plan of planParts(definitions, last)) encoded.push(await encodePart(plan, known))
  return encoded
}

/** @param known chunks that are hashed, by their first definition. */
async function encodePart(
  plan: PartPlan,
  known: ReadonlyMap<Definition | undefined, Chunk>,
): Promise<EncodedPart> {
  const chunksOfList = (list: readonly Definition[]) =>
    Promise.all(
      [...Map.groupBy(list, ({ id }) => id >> CHUNK_BITS).values()].map(
        async (definitions): Promise<Chunk> => {
          const same = known.get(definitions[0])
          if (same && isSameList(same.definitions, definitions)) return same
          return { definitions, hash: await hashOf(new TextEncoder().encode(listOf(definitions))) }
        },
      ),
    )
  const [cohorts, flags] = await Promise.all([chunksOfList(plan.cohorts), chunksOfList(plan.flags)])
  const hashes = [cohorts, flags].map((chunks) => chunks.map(({ hash }) => hash))
  const hash = await hashOf(new TextEncoder().encode(JSON.stringify(hashes)))
  const bytes = EMPTY_PART_BYTES + listBytes(plan.cohorts) + listBytes(plan.flags)
  const values = [...plan.cohorts, ...plan.flags].reduce((sum, each) => sum + each.values, 0)
  const heap =
    Math.min(bytes + HEAP_PER_VALUE * values, MAX_HEAP_PER_BYTE * bytes) + HEAP_PER_FLAG * plan.flags.length
  return {
    plan,
    part: { hash, bytes, heap, kind: plan.kind, from: plan.from },
    chunks: [...cohorts, ...flags],
  }
}

/** With the commas between them. */
const listBytes = (definitions: readonly Definition[]): number =>
  sizeOf(definitions) + Math.max(0, definitions.length - 1)

/**
 * How a part follows from one before it; null when it does not: flags have moved between parts, or cohorts have changed.
 * @param changes the flags that changed, by id.
 */
export function changeOf(
  before: EncodedPart,
  after: EncodedPart,
  changes: ReadonlyMap<number, FeedDefinition | null>,
): PartChange | null {
  const isChanged = ({ id }: Definition) => changes.has(id)
  const keptBy = ({ plan }: EncodedPart) => plan.flags.filter((flag) => !isChanged(flag))
  if (!isSameList(before.plan.cohorts, after.plan.cohorts)) return null
  if (!isSameList(keptBy(before), keptBy(after))) return null
  const fresh = after.plan.flags.filter(isChanged).map(({ id }) => id)
  const gone = before.plan.flags.filter((flag) => isChanged(flag) && !fresh.includes(flag.id))
  return {
    from: [before.part.hash],
    to: after.part.hash,
    flags: fresh.map((id) => changes.get(id)!),
    deleted: gone.map(({ id }) => id),
  }
}

const idsIn = ({ flags, deleted }: PartChange): ReadonlySet<number> =>
  new Set([...deleted, ...flags.map(({ id }) => id)])

/** A change and the one that follows it, as one. */
export function joinChanges(first: PartChange, next: PartChange): PartChange {
  const replaced = idsIn(next)
  return {
    from: [...first.from, ...next.from],
    to: next.to,
    flags: [...first.flags.filter(({ id }) => !replaced.has(id)), ...next.flags],
    deleted: [...first.deleted.filter((id) => !replaced.has(id)), ...next.deleted],
  }
}

/** The part after a change. */
export function changedPart({ cohorts, flags }: PartContent, change: PartChange): PartContent {
  const replaced = idsIn(change)
  return { cohorts, flags: [...flags.filter(({ id }) => !replaced.has(id)), ...change.flags] }
}

const isSameList = (a: readonly Definition[], b: readonly Definition[]): boolean =>
  a.length === b.length && a.every((definition, index) => definition === b[index])

/** The bytes of a part. */
export const partBytes = ({ cohorts, flags }: Definitions): Uint8Array =>
  new TextEncoder().encode(`{"cohorts":${listOf(cohorts)},"flags":${listOf(flags)}}`)

const EMPTY_PART_BYTES = partBytes({ cohorts: [], flags: [] }).length

/** Hex digits of a hash. */
const HASH_LENGTH = 64

/** A part as KV has it: its name, the hash of its bytes, and the bytes. */
export async function storedPart({ plan, part }: EncodedPart): Promise<Uint8Array> {
  const bytes = partBytes(plan)
  const stored = new Uint8Array(2 * HASH_LENGTH + bytes.length)
  new TextEncoder().encodeInto(part.hash + (await hashOf(bytes)), stored)
  stored.set(bytes, 2 * HASH_LENGTH)
  return stored
}

/** The content of a stored part; null for another part, and for bytes that have changed. */
export async function decodePart(hash: string, stored: ArrayBuffer): Promise<PartContent | null> {
  const bytes = new Uint8Array(stored, Math.min(2 * HASH_LENGTH, stored.byteLength))
  const head = Buffer.from(stored, 0, stored.byteLength - bytes.length).toString('latin1')
  return head === hash + (await hashOf(bytes)) ? parsePart(bytes) : null
}

export const parsePart = (bytes: ArrayBuffer | Uint8Array): PartContent =>
  JSON.parse(new TextDecoder().decode(bytes)) as PartContent

const hashOf = async (bytes: ArrayBuffer | ArrayBufferView): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
