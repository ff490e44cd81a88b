// Parses ids in filters: numbers, or text of digits.

/** Returns the id in a value of any type, or null. */
export function idIn(value: unknown): number | null {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : null
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}
