// Shortens two long values to what differs. The functions are pure.

/** Characters of a value that are shown at first: a page with a dozen of the largest payloads would take seconds to draw. */
export const MAX_SHOWN = 2_000

/** Characters that are the same, shown before the first that differs. */
const CONTEXT = 200

/**
 * Returns the part of each value that has the first difference, with an ellipsis where characters are left out. A value of at most
 * `MAX_SHOWN` characters whose other value is as short is returned whole.
 */
export function excerptsOf(before: string | null, after: string | null): [string | null, string | null] {
  if (!isLong(before) && !isLong(after)) return [before, after]
  const start = before === null || after === null ? 0 : Math.max(0, firstDifference(before, after) - CONTEXT)
  return [excerpt(before, start), excerpt(after, start)]
}

export const isLong = (value: string | null): boolean => value !== null && value.length > MAX_SHOWN

function firstDifference(before: string, after: string): number {
  let at = 0
  while (at < before.length && before[at] === after[at]) at += 1
  return at
}

function excerpt(value: string | null, start: number): string | null {
  if (value === null) return null
  const from = between(value, start)
  const to = between(value, start + MAX_SHOWN)
  return `${from > 0 ? '…' : ''}${value.slice(from, to)}${to < value.length ? '…' : ''}`
}

/** Returns the place, or the one before it if a character of two code units is at it. */
const between = (value: string, place: number): number =>
  /^[\uDC00-\uDFFF]/.test(value.slice(place, place + 1)) ? place - 1 : place
