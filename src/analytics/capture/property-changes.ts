// Setting and unsetting properties of a person or a group. Pure.
import { sameJson } from '../../activity/diff'
import { isObject, jsonBytes, type JsonObject } from '../../json'

export interface PropertyChanges {
  set: JsonObject
  /** Only where there is no such property yet. */
  setOnce: JsonObject
  unset: readonly string[]
}

/** Bytes of JSON that the properties of one person or group may take: a D1 row holds 2 MB, and so does a parameter. */
export const MAX_PROPERTIES_BYTES = 500_000

/** Properties, with an upper bound of their size that is cheap to keep while many events add to them. */
export interface Bag {
  properties: JsonObject
  /** Null until somebody has to know. */
  bytes: number | null
}

/** The changes that `$set`, `$set_once` and `$unset` of an event ask for. What has the wrong shape asks for nothing. */
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

/** The properties that changes are about. */
export const namesIn = ({ set, setOnce, unset }: PropertyChanges): string[] => [
  ...new Set([...Object.keys(set), ...Object.keys(setOnce), ...unset]),
]

/** What changes make of a property where they take effect; undefined: it is gone. */
export const valueIn = ({ set, setOnce, unset }: PropertyChanges, name: string): unknown => {
  if (unset.includes(name)) return undefined
  return Object.hasOwn(set, name) ? set[name] : setOnce[name]
}

/** Whether there is anything to change at all. */
export const asksForChanges = ({ set, setOnce, unset }: PropertyChanges): boolean =>
  unset.length > 0 || Object.keys(set).length > 0 || Object.keys(setOnce).length > 0

/** The properties after the changes: what is set wins over what is set once, and what is unset is gone. */
export function applyChanges(properties: JsonObject, { set, setOnce, unset }: PropertyChanges): JsonObject {
  const missing = Object.entries(setOnce).filter(([key]) => !Object.hasOwn(properties, key))
  const next = { ...properties, ...Object.fromEntries(missing), ...set }
  if (unset.length === 0) return next
  const gone = new Set(unset)
  return Object.fromEntries(Object.entries(next).filter(([key]) => !gone.has(key)))
}

/** Applies changes in time order: a person's properties at a past time (reference/flags-evaluation.md §9.1). */
export const mergeHistory = (history: readonly PropertyChanges[]): JsonObject =>
  history.reduce<JsonObject>(applyChanges, {})

export type Outcome = 'same' | 'changed' | 'too large'

/** Applies changes to a bag. One that would grow too large stays as it is. */
export function change(bag: Bag, changes: PropertyChanges): Outcome {
  if (!asksForChanges(changes)) return 'same'
  return replace(bag, applyChanges(bag.properties, changes), changes.set, changes.setOnce)
}

/** Adds the properties of `other` that `bag` does not have. One that would grow too large stays as it is. */
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
