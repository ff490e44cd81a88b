// Turns a query's time range into words.

export interface TimeRange {
  /** A start as the API takes it, such as `-7d` or `2026-01-31`; empty for the default. */
  from: string
  /** The end, or null for now. */
  to: string | null
}

const UNITS: Readonly<Record<string, string>> = {
  h: 'hours',
  d: 'days',
  w: 'weeks',
  m: 'months',
  q: 'quarters',
  y: 'years',
}

/** Starts without a number, by their name in the API. */
const NAMED: Readonly<Record<string, string>> = {
  all: 'All time',
  dStart: 'Today',
  mStart: 'This month',
  yStart: 'This year',
}

/** Returns for example "Last 14 days" or "From 2026-01-01 to 2026-01-31", or null for a range without a start and an end. */
export function timeRangeWords({ from, to }: TimeRange): string | null {
  const named = to === null ? (NAMED[from] ?? lastWords(from)) : null
  if (named) return named
  if (from === '') return to === null ? null : `To ${to}`
  return to === null ? `From ${from}` : `From ${from} to ${to}`
}

/** The words for a range that begins a number of units ago. */
function lastWords(from: string): string | null {
  const [, count, letter] = /^-(\d{1,4})([hdwmqy])$/.exec(from) ?? []
  if (count === undefined || letter === undefined) return null
  const units = UNITS[letter]!
  return `Last ${count} ${Number(count) === 1 ? units.slice(0, -1) : units}`
}

/** Returns the options of a choice of ranges: each start with its words. */
export const rangeOptions = (...starts: readonly string[]): (readonly [from: string, label: string])[] =>
  starts.map((from) => [from, timeRangeWords({ from, to: null }) ?? from])
