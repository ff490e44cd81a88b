// Payloads: JSON text by variant key, or under `true` for a boolean flag. Rules 29–32 of docs/reference/flags.md#rules-for-filters.
import { isObject } from '../../json'
import { type FlagFilters, variantsOf, reject } from './flag-filters'

/**
 * Checks the payloads of `filters` and returns them as they are stored: a string stays as it is, and anything else becomes its JSON text.
 * @throws 400, attr `filters`
 */
export function checkPayloads(filters: FlagFilters): FlagFilters {
  const { payloads } = filters
  if (payloads === undefined) return filters
  if (!isObject(payloads)) return reject('Payloads must be an object')

  const variants = new Set(variantsOf(filters).map(({ key }) => key))
  const encoded: [string, string][] = Object.entries(payloads).map(([key, value]) => [key, encode(value)])
  for (const [key] of encoded) {
    if (variants.size > 0 && !variants.has(key))
      reject('Payload keys must match a variant key for multivariate flags')
    if (variants.size === 0 && key !== 'true') reject("Payload keys must be 'true' for boolean flags")
  }
  return { ...filters, payloads: Object.fromEntries(encoded) }
}

function encode(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  try {
    JSON.parse(value)
    return value
  } catch {
    return reject('Payload value is not valid JSON')
  }
}
