// Describes JSON values in sentences of errors.

/** Describes the type of a value, as in `got text`. */
export function typeWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'boolean':
      return 'a boolean'
    case 'string':
      return 'text'
    case 'number':
      return Number.isInteger(value) ? 'an integer' : 'a fraction'
    default:
      return 'an object'
  }
}

/** Returns a value as JSON, or `null` for a missing one. */
export const valueJson = (value: unknown): string => JSON.stringify(value ?? null)

/** Returns a text unchanged, and any other value as JSON. */
export const valueText = (value: unknown): string => (typeof value === 'string' ? value : valueJson(value))
