// Compares the timestamp of an event with its arrival.

/** The lag up to which nothing is shown. Devices that were offline send events late. */
const MAX_LATE_MS = 3_600_000
const MAX_AHEAD_MS = 60_000

/** Returns null when both are about the same. */
export function lagOf({ timestamp, arrivedAt }: { timestamp: string; arrivedAt: string }) {
  const ms = Date.parse(arrivedAt) - Date.parse(timestamp)
  if (ms <= MAX_LATE_MS && ms >= -MAX_AHEAD_MS) return null
  return { isAhead: ms < 0, words: wordsOf(Math.abs(ms)) }
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const

function wordsOf(ms: number): string {
  const [size, unit] = UNITS.find(([each]) => ms >= each) ?? UNITS[2]
  const count = Math.floor(ms / size)
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`
}
