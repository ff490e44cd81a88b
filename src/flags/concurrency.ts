// Optimistic concurrency: did somebody else change what this caller is about to change? Pure. Reference/flags-api.md §4.2.
import { sameJson } from '../activity/diff'
import { conflict } from '../errors'
import { isObject, type JsonObject } from '../json'
import { shown } from '../timestamps'
import type { FlagRecord, UpdateFlagBody } from './schema'

const isFilled = (value: unknown): value is JsonObject => isObject(value) && Object.keys(value).length > 0

/** Sets come in no particular order, moments as they are shown or as they are stored. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return shown(value)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [...value].sort()
  return value
}

const same = (a: unknown, b: unknown) => sameJson(comparable(a ?? null), comparable(b ?? null))

/** Whether a body was written against another version, and says what that was like. */
export const isOutdated = ({ version, original_flag: original }: UpdateFlagBody, current: number): boolean =>
  typeof version === 'number' && version !== current && isFilled(original)

/**
 * What is left of a body that was written against `original_flag`: fields that merely echo it are dropped, so that a stale echo does
 * not undo what somebody else did since.
 * @param current the flag as the caller would read it now.
 * @throws 409 when a field was changed by both.
 */
export function settleConflicts(body: UpdateFlagBody, current: FlagRecord): UpdateFlagBody {
  if (!isOutdated(body, current.version)) return body
  const { version: _version, original_flag, ...fields } = body
  const original = original_flag as JsonObject
  const stored = current as unknown as Record<string, unknown>
  const kept = Object.entries(fields).filter(([field, wanted]) => {
    if (!Object.hasOwn(original, field)) return true
    if (same(wanted, original[field])) return false
    const changedByOther = !same(stored[field], original[field]) && !same(wanted, stored[field])
    if (changedByOther) throw conflictWith(current.last_modified_by?.email)
    return true
  })
  return Object.fromEntries(kept) as UpdateFlagBody
}

const conflictWith = (email: string | undefined) =>
  conflict(
    `The feature flag was updated by ${email ?? 'another user'} since you started editing it. Please refresh and try again.`,
  )
