// Computes the update of a flag that a scheduled change makes. Pure.
import { isObject, type JsonObject } from '../../json'
import { type FlagFilters, variantsOf } from '../filters/flag-filters'
import type { UpdateFlagBody } from '../schema'
import { type ChangePayload, rejectPayload } from './payload'

interface ChangedFlag {
  filters: FlagFilters
  has_encrypted_payloads: boolean | null
}

/**
 * Returns the update that makes the change.
 * @param flag in its current state
 * @throws 400, attr `payload`, for new variants of a flag with encrypted payloads, because a scheduled change is stored as plain text
 */
export function updateOf(payload: ChangePayload, flag: ChangedFlag): UpdateFlagBody {
  const { operation, value } = payload
  if (operation === 'update_status') return { active: value }
  // Encrypted payloads stay unchanged when they are not sent.
  const { payloads, ...rest } = flag.filters
  const filters = flag.has_encrypted_payloads ? rest : flag.filters
  if (operation === 'add_release_condition')
    return { filters: { ...filters, groups: [...filters.groups, ...value.groups] } as FlagFilters }
  if (flag.has_encrypted_payloads)
    throw rejectPayload('Variants of a flag with encrypted payloads cannot be scheduled.')
  return {
    filters: {
      ...rest,
      multivariate: value.variants.length === 0 ? null : { variants: value.variants },
      payloads: value.payloads ?? keptPayloads(value.variants, payloads, flag.filters),
    } as FlagFilters,
  }
}

/** Returns the payloads of variants that stay. */
function keptPayloads(
  variants: readonly unknown[],
  payloads: FlagFilters['payloads'],
  filters: FlagFilters,
): JsonObject {
  const keys = new Set(variants.map((variant) => (isObject(variant) ? variant.key : null)))
  const known = new Set(variantsOf(filters).map(({ key }) => key))
  return Object.fromEntries(Object.entries(payloads ?? {}).filter(([key]) => known.has(key) && keys.has(key)))
}
