import { sameJson } from '../../activity/diff'
import { isObject, type JsonObject } from '../../json'
import { jsonBytes } from '../../json-bytes'

export interface PropertyChanges {
  set: JsonObject
  /** Only where the property does not exist. */
  setOnce: JsonObject
  unset: readonly string[]
}

/** For a person or group. A D1 row takes 2 MB, and so does a parameter. */
export const MAX_PROPERTIES_BYTES = 500_000

/** `bytes` is an upper bound, which is cheap to update; null until needed. */
export interface Bag {
  properties: JsonObject
  bytes: number | null
}

/** Changes in `$set`, `$set_once` and `$unset` of an event; malformed ones are ignored. */
export const changesIn = ({ $set, $set_once, $unset }: JsonObject): PropertyChanges => ({
  set: isObject($set) ? $set : {},
  setOnce: isObject($set_once) ? $set_once : {},
  unset: Array.isArray($unset)
    ? $unset.filter(isName).map(String)
    : isObject($unset)
      ? Object.keys($unset)
      : [],
})

const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number'

export const namesIn = ({ set, setOnce, unset }: PropertyChanges): string[] => [
  ...new Set([...Object.keys(set), ...Object.keys(setOnce), ...unset]),
]

/** The new value of a property; undefined when it is unset. */
export const valueIn = ({ set, setOnce, unset }: PropertyChanges, name: string): unknown => {
  if (unset.includes(name)) return undefined
  return Object.hasOwn(set, name) ? set[name] : setOnce[name]
}

export const hasPropertyChanges = ({ set, setOnce, unset }: PropertyChanges): boolean =>
  unset.length > 0 || Object.keys(set).length > 0 || Object.keys(setOnce).length > 0

/** `set` overrides `setOnce`, and `unset` both. */
function applyChanges(properties: JsonObject, { set, setOnce, unset }: PropertyChanges): JsonObject {
  const missing = Object.entries(setOnce).filter(([key]) => !Object.hasOwn(properties, key))
  const next = { ...properties, ...Object.fromEntries(missing), ...set }
  if (unset.length === 0) return next
  const gone = new Set(unset)
  return Object.fromEntries(Object.entries(next).filter(([key]) => !gone.has(key)))
}

/** Applies changes in time order: properties at a past time (reference/flags-evaluation.md §9.1). */
export const mergeHistory = (history: readonly PropertyChanges[]): JsonObject =>
  history.reduce<JsonObject>(applyChanges, {})

export type Outcome = 'same' | 'changed' | 'too large'

/** Applies changes, unless the bag would grow too large. */
export function change(bag: Bag, changes: PropertyChanges): Outcome {
  if (!hasPropertyChanges(changes)) return 'same'
  return replace(bag, applyChanges(bag.properties, changes), changes.set, changes.setOnce)
}

/** Adds missing properties, unless the bag would grow too large. */
export const absorb = (bag: Bag, other: JsonObject): Outcome =>
  replace(bag, { ...other, ...bag.properties }, other)

function replace(bag: Bag, next: JsonObject, ...added: JsonObject[]): Outcome {
  if (sameJson(bag.properties, next)) return 'same'
  bag.bytes ??= jsonBytes(bag.properties)
  const atMost = added.reduce((sum, each) => sum + jsonBytes(each), bag.bytes)
  const bytes = atMost > MAX_PROPERTIES_BYTES ? jsonBytes(next) : atMost
  if (bytes > MAX_PROPERTIES_BYTES) return 'too large'
  bag.properties = next
  bag.bytes = bytes
  return 'changed'
}
