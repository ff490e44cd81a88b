// The conformance vectors, rewritten from the shape of the local-evaluation feed to the stored shape.

import { cutIdentifier } from '../../src/evaluation/bucketing'
import { compile } from '../../src/evaluation/compile/compile'
import type { Subject } from '../../src/evaluation/context'
import type { FlagDefinition, FlagSet } from '../../src/evaluation/compile/definitions'
import { evaluate } from '../../src/evaluation/evaluate'
import { groupPropertyMaps } from '../../src/evaluation/property-maps'
import { personPropertyMap } from '../../src/evaluation/property-maps'
import type { FlagResult } from '../../src/evaluation/results'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../src/json'
import { cohort } from './support'
import vectorFile from './vectors.json'

export interface Vector {
  readonly id: string
  readonly status: string
  readonly note: string
  readonly run: () => { readonly result: FlagResult | undefined; readonly errors: boolean }
  readonly expected: JsonObject | null
}

/** A vector's definitions use the shape of the local-evaluation feed: dependencies name flags by key. */
type FeedVector = (typeof vectorFile.vectors)[number]

export const hashVectors = vectorFile.hash_vectors

export const vectors: readonly Vector[] = vectorFile.vectors.map((vector) => ({
  id: vector.id,
  status: vector.status,
  note: noteOf(vector),
  expected: expectation(vector),
  run: () => runVector(vector),
}))

function noteOf(vector: object): string {
  const note = (vector as Record<string, unknown>).note
  return typeof note === 'string' ? note : ''
}

/** Null for the few vectors that say which behaviour of the service nobody pinned down. */
function expectation(vector: FeedVector): JsonObject | null {
  const expected: unknown = (vector as Record<string, unknown>).expected_service
  return isObject(expected) && !Object.hasOwn(expected, 'unmodelled') ? expected : null
}

function runVector(vector: FeedVector): ReturnType<Vector['run']> {
  const groups = vector.groups as JsonObject
  const set = storedSet(vector)
  const distinctId = cutIdentifier(vector.distinct_id)
  const who: Subject = {
    distinctId,
    personProperties: personPropertyMap({}, vector.person_properties as JsonObject, distinctId),
    groups,
    groupProperties: groupPropertyMaps(groups, {}, vector.group_properties as Record<string, JsonObject>),
  }
  const evaluation = evaluate(compile(set), who, {
    now: Date.parse(vector.now),
    timezone: 'UTC',
    flagKeys: [vector.flag_key],
  })
  return { result: evaluation.flags.get(vector.flag_key), errors: evaluation.errorsWhileComputingFlags }
}

function storedSet(vector: FeedVector): FlagSet {
  const definitions = vector.definitions as unknown as {
    readonly flags: readonly FlagDefinition[]
    readonly cohorts?: Readonly<Record<string, JsonValue>>
    readonly group_type_mapping?: Readonly<Record<string, string>>
  }
  const ids = new Map(definitions.flags.map((each) => [each.key, each.id]))
  return {
    flags: definitions.flags.map((each) => ({ ...each, filters: withIds(each.filters as JsonValue, ids) })),
    cohorts: Object.entries(definitions.cohorts ?? {}).map(([id, tree]) => cohort(Number(id), tree)),
    group_type_mapping: definitions.group_type_mapping ?? {},
    property_matching_version: vector.property_matching_version === 2 ? 2 : 1,
  }
}

/** Rewrites dependencies from flag keys to flag ids; a key that no flag has gets an id that no flag has. */
function withIds(value: JsonValue, ids: ReadonlyMap<string, number>): JsonValue {
  if (isArray(value)) return value.map((each) => withIds(each, ids))
  if (!isObject(value)) return value
  if (value.type === 'flag' && typeof value.key === 'string') {
    const { dependency_chain: _, ...stored } = value
    return { ...stored, key: String(ids.get(value.key) ?? 999_999) }
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withIds(each ?? null, ids)]))
}
