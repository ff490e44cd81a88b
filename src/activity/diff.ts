// Compares two states field by field. The function is pure.
import { sameJson } from '../json'
import type { ActivityScope, Change } from './entry'

/** Returns whether a value counts as nothing: null and empty values do; false and 0 do not. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/**
 * Returns the changes from `before` to `after` in the given fields, in that order. A change is `created` when there was nothing, `deleted`
 * when nothing is left, else `changed`.
 * @param exact fields whose empty values are distinguished: they are logged unchanged, and those of other fields as null
 */
export function diff<State extends object>(
  type: ActivityScope,
  fields: readonly (keyof State & string)[],
  before: State,
  after: State,
  exact: ReadonlySet<string> = new Set(),
): Change[] {
  return fields.flatMap((field): Change[] => {
    const [old, now] = [before[field] ?? null, after[field] ?? null]
    if (sameJson(old, now)) return []
    if (isNothing(old) && isNothing(now) && !exact.has(field)) return []
    const shown = (value: unknown) => (isNothing(value) && !exact.has(field) ? null : value)
    const isSameNothing = isNothing(old) === isNothing(now)
    const action = isSameNothing ? 'changed' : isNothing(old) ? 'created' : 'deleted'
    return [{ type, action, field, before: shown(old), after: shown(now) }]
  })
}
