// Parses dates as people and mail headers write them. It is the last resort of the date parser, and always reads UTC.
import { wallOf } from '../../time/calendar'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const CLOCK = '(?:(?:,?\\s+|T)(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(\\.\\d+)?)?\\s*([ap]m)?)?'
const OFFSET = '(?:\\s*(?:(?:Z|UTC|GMT)|([+-])(\\d\\d):?(\\d\\d)))?'
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\\s+)?'

/** The forms, each with the order in which its first three captures are the year, the month and the day. */
const FORMS: readonly { readonly pattern: RegExp; readonly order: readonly [number, number, number] }[] = [
  { pattern: form('(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})'), order: [1, 2, 3] },
  { pattern: form('(\\d{1,2})/(\\d{1,2})/(\\d{4})'), order: [3, 1, 2] },
  { pattern: form('([a-z]{3,9})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})'), order: [3, 1, 2] },
  { pattern: form('(\\d{1,2})(?:st|nd|rd|th)?[\\s-]+([a-z]{3,9})\\.?,?[\\s-]+(\\d{4})'), order: [3, 2, 1] },
]

function form(calendar: string): RegExp {
  return new RegExp(`^${WEEKDAY}${calendar}${CLOCK}${OFFSET}$`, 'i')
}

/**
 * Returns the epoch milliseconds of `2024/01/05`, `1/5/2024` (month first), `January 5, 2024 10:00`, `5 Jan 2024`, mail headers such as
 * `Fri, 05 Jan 2024 10:00:00 +0100`, and ISO texts with an offset outside RFC 3339. Returns null for anything else. The caller bounds the
 * length of `text`. The reference does not define this parser; the forms here are those that are read the same everywhere.
 */
export function parseFreeDate(text: string): number | null {
  for (const { pattern, order } of FORMS) {
    const match = pattern.exec(text.trim())
    if (match === null) continue
    const wall = wallOf(
      match[order[0]],
      monthNumber(match[order[1]] ?? ''),
      match[order[2]],
      hourOf(match[4], match[8]),
      match[5],
      match[6],
      match[7],
    )
    if (wall === null) return null
    const offset = (Number(match[10] ?? 0) * 60 + Number(match[11] ?? 0)) * 60_000
    return match[9] === '-' ? wall + offset : wall - offset
  }
  return null
}

/** Returns `3` for `3`, `Mar` and `march`. For anything else it returns a text that no month has, which the calendar check rejects. */
function monthNumber(month: string): string {
  if (/^\d+$/.test(month)) return month
  return String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1)
}

/** Returns the hour of the day on a 24-hour clock. For `13 pm` it is one that no clock shows. */
function hourOf(hour: string | undefined, half: string | undefined): string {
  const number = Number(hour ?? 0)
  if (half === undefined) return String(number)
  if (number < 1 || number > 12) return '99'
  return String((number % 12) + (half.toLowerCase() === 'pm' ? 12 : 0))
}
