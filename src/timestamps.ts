// Stores and renders timestamps: ISO 8601 in UTC with `Z`, rendered with microseconds when they are not zero.

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d{0,6})?)?\s*(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i

/** Returns the stored form: UTC, six fractional digits, `Z`. */
export const toStoredTimestamp = (moment: Date): string => moment.toISOString().replace('Z', '000Z')

/** Returns the rendered form, which has no fraction when it is zero. */
export const toApiTimestamp = (timestamp: string): string => timestamp.replace('.000000Z', 'Z')

export const toApiTimestampOrNull = (timestamp: string | null): string | null =>
  timestamp && toApiTimestamp(timestamp)

/**
 * Parses an ISO 8601 date or date-time (UTC without an offset) into the stored form, to the microsecond. Returns null for other text, and
 * for days that do not exist.
 */
export function parseTimestamp(text: string): string | null {
  const match = ISO.exec(text.trim())
  if (!match) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(moment.getTime()) || moment.getUTCDate() !== Number(day)) return null
  moment.setTime(moment.getTime() - offsetMinutes(offset) * 60_000)
  const years = moment.getUTCFullYear()
  if (years < 1 || years > 9999) return null
  return `${moment.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}Z`
}

function offsetMinutes(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return offset.startsWith('-') ? -minutes : minutes
}
