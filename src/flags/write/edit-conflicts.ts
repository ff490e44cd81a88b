// Conflicts between an update and the changes since its caller read the flag. Pure. Reference/flags-api.md §4.2.
import { sameJson } from '../../activity/diff'
import { conflict } from '../../errors'
import { isObject, type JsonObject } from '../../json'
import { toApiTimestamp } from '../../timestamps'
import type { FlagRecord, UpdateFlagBody } from '../schema'

const isFilled = (value: unknown): value is JsonObject => isObject(value) && Object.keys(value).length > 0

/** Sets have no order; timestamps come as shown or as stored. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return toApiTimestamp(value)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [...value].sort()
  return value
}

const same = (a: unknown, b: unknown) => sameJson(comparable(a ?? null), comparable(b ?? null))

/** Whether a body was written against another version, which it includes. */
export const isStale = ({ version, original_flag: original }: UpdateFlagBody, current: number): boolean =>
  typeof version === 'number' && version !== current && isFilled(original)

/**
 * A stale body without the fields that equal `original_flag`, which would undo changes by others.
 * @param current the current record.
 * @throws 409 when both changed a field.
 */
export function settleConflicts(body: UpdateFlagBody, current: FlagRecord): UpdateFlagBody {
  if (!isStale(body, current.version)) return body
  const { version: _version, original_flag, ...fields } = body
  const original = original_flag as JsonObject
  const stored = current as unknown as Record<string, unknown>
  const kept = Object.entries(fields).filter(([field, sent]) => {
    if (!Object.hasOwn(original, field)) return true
    if (same(sent, original[field])) return false
    const changedByOther = !same(stored[field], original[field]) && !same(sent, stored[field])
    if (changedByOther) throw conflictWith(current.last_modified_by?.email)
    return true
  })
  return Object.fromEntries(kept) as UpdateFlagBody
}

const conflictWith = (email: string | undefined) =>
  conflict(
    `The feature flag was updated by ${email ?? 'another user'} since you started editing it. Please refresh and try again.`,
  )
