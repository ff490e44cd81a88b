// JSON values: types and guards.

/** Any JSON value as `JSON.parse` returns it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object. Keys that the object merely inherits (`constructor`) are not part of it: see `ownValue`. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** An object whose values have not been checked. */
export type UnknownObject = Record<string, unknown>

/** Returns whether `value` is a JSON object, neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns whether `value` is a JSON array. It narrows a `readonly` array, which `Array.isArray` does not. */
export const isArray = (value: unknown): value is readonly JsonValue[] => Array.isArray(value)

/** Returns the value of an own key of `object`, or undefined: `toString` is absent from `{}`. */
export const ownValue = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** Returns whether two JSON values are equal, whatever the order of their keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(Reflect.get(a, key), Reflect.get(b, key)))
  )
}
