// Values as D1 binds them.
import type { BoundValue } from './query-engine'

/** Arrays travel as JSON text, and booleans as numbers. */
export function bindable(value: BoundValue): string | number | null {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'boolean' ? Number(value) : value
}
