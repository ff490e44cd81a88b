// Finds the positions at which two JSON values differ. Pure.
import { isArray, isObject, type JsonValue } from '../../json'
import { canonicalJson } from '../fingerprint'

export interface Difference {
  /** The position, such as `filters.groups[0].rollout_percentage`. */
  place: string
  /** Undefined means that there is no value. */
  before: JsonValue | undefined
  after: JsonValue | undefined
}

export function differencesOf(
  place: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Difference[] {
  if (isArray(before) && isArray(after) && [...before, ...after].some(isObject)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, at) => at).flatMap((at) =>
      differencesOf(`${place}[${at}]`, before[at], after[at]),
    )
  }
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return keys.flatMap((key) => differencesOf(`${place}.${key}`, before[key], after[key]))
  }
  return areEqual(place, before, after) ? [] : [{ place, before, after }]
}

/** Clients get the JSON of a payload as it is. Elsewhere, null means that there is no value. */
const areEqual = (place: string, before: JsonValue | undefined, after: JsonValue | undefined): boolean =>
  place.startsWith('filters.payloads.')
    ? before !== undefined &&
      after !== undefined &&
      canonicalJson(before, 'kept') === canonicalJson(after, 'kept')
    : canonicalJson(before ?? null) === canonicalJson(after ?? null)

/** Maximum characters of a value in a line. */
const MAX_SHOWN = 200

const shown = (value: JsonValue | undefined): string => {
  if (value === undefined) return 'none'
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

export const differenceLine = ({ place, before, after }: Difference): string =>
  `${place}: ${shown(before)} → ${shown(after)}`

export const valueLine = ({ place, after }: Difference): string => `${place}: ${shown(after)}`
