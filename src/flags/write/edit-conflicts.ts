// Conflicts between an update and the changes since its caller read the flag: docs/reference/flags.md#conflicts-between-updates. The
// functions are pure.
import { apiErrorIn, conflict } from '../../errors'
import { isObject, type JsonObject, sameJson } from '../../json'
import { cleanNames } from '../../tags'
import { toApiTimestamp } from '../../timestamps'
import { normalize } from '../filters/normalize'
import { checkPayloads } from '../filters/payloads'
import { checkMultivariate, checkStructure } from '../filters/structure'
import type { FlagRecord, UpdateFlagBody } from '../schema'

const isFilled = (value: unknown): value is JsonObject => isObject(value) && Object.keys(value).length > 0

/** Returns a value in the form in which it is stored: a client sends one form, and reads the stored one. */
function comparable(field: string, value: unknown): unknown {
  if (field === 'filters') return storedFilters(value)
  if (typeof value === 'string') return toApiTimestamp(value)
  if (!Array.isArray(value)) return value
  if (field === 'analytics_dashboards') return [...new Set(value.map(String))].sort()
  // The order of a set does not count.
  return value.every((each) => typeof each === 'string') ? cleanNames(value) : value
}

/** Returns filters as they are stored. Filters that cannot be stored are returned unchanged: the update rejects them. */
function storedFilters(value: unknown): unknown {
  if (!isObject(value)) return value
  try {
    // The update decides on its keys.
    checkStructure(value, { requireGroups: false, stored: value })
    checkMultivariate(value.multivariate, value)
    return checkPayloads(normalize({ ...value, groups: value.groups ?? [] }))
  } catch (error) {
    if (apiErrorIn(error)) return value
    throw error
  }
}

const same = (field: string, a: unknown, b: unknown) =>
  sameJson(a ?? null, b ?? null) || sameJson(comparable(field, a ?? null), comparable(field, b ?? null))

/** The version of a caller who has none, as in upstream. */
const NO_VERSION = -1

/**
 * Returns whether a body says what its caller read. This counts at the same version, too: what the caller read may be of a version that a
 * restored database has lost, or that a release without a count of every change has overwritten.
 */
export const hasOriginal = ({ version, original_flag: original }: UpdateFlagBody): boolean =>
  typeof version === 'number' && version !== NO_VERSION && isFilled(original)

/**
 * Returns a body that has an original, without the fields that equal `original_flag`, which would undo changes by others.
 * @param current the current record
 * @throws 409 when both changed a field
 */
export function settleConflicts(body: UpdateFlagBody, current: FlagRecord): UpdateFlagBody {
  const { version: _version, original_flag, ...fields } = body
  const original = original_flag as JsonObject
  const stored = current as unknown as Record<string, unknown>
  const kept = Object.entries(fields).filter(([field, sent]) => {
    if (!Object.hasOwn(original, field)) return true
    if (same(field, sent, original[field])) return false
    const changedByOther = !same(field, stored[field], original[field]) && !same(field, sent, stored[field])
    if (changedByOther) throw conflictWith(current.last_modified_by?.email)
    return true
  })
  return Object.fromEntries(kept) as UpdateFlagBody
}

const conflictWith = (email: string | undefined) =>
  conflict(
    `The feature flag was updated by ${email ?? 'another user'} since you started editing it. Please refresh and try again.`,
  )
