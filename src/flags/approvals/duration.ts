// Durations in upstream's form: `14 00:00:00` is fourteen days. Pure.
const DURATION = /^(?:(\d{1,5}) (?:days?, )?)?(\d{1,5}):([0-5]\d):([0-5]\d)$/

/** Parses a duration or a number of seconds. Returns null for other values. */
export function secondsIn(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value).trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const match = DURATION.exec(text)
  if (!match) return null
  const [days, hours, minutes, seconds] = match.slice(1).map((part = '0') => Number(part)) as [
    number,
    number,
    number,
    number,
  ]
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}

const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')

/** Writes a duration. Below one day, it has no days. */
export function durationOf(seconds: number): string {
  const time = [(seconds / 3_600) % 24, (seconds / 60) % 60, seconds % 60].map(twoDigits).join(':')
  const days = Math.floor(seconds / 86_400)
  return days > 0 ? `${days} ${time}` : time
}
