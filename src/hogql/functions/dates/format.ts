// Writes dates and times as text in a given format.
import { reject } from '../../error'
import { fn } from '../define'
import { argument } from '../return-types'
import type { ScalarFunction, SqliteSite } from '../spec'
import { joined, wallOf } from '../sqlite-values'
import { zoneAmong, zoneText } from './parse'
import { dayOfWeek, digitsOf, MONTHS, nameAt, quarterOf } from './parts'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Tokens that mean the same to SQLite's strftime. */
const SAME = new Set('YmdHSjuwVGgIp%')

/** Tokens that strftime has under other names. */
const FORMATS: Readonly<Record<string, string>> = {
  k: '%H',
  i: '%M',
  s: '%S',
  h: '%I',
  l: '%I',
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  R: '%H:%M',
  r: '%I:%M %p',
  n: '\n',
  t: '\t',
}

/** Tokens that are expressions over a local datetime. */
const EXPRESSIONS: Readonly<Record<string, (wall: string) => string>> = {
  y: (wall) => `substr(${wall}, 3, 2)`,
  C: (wall) => `substr(${wall}, 1, 2)`,
  D: (wall) => `strftime('%m/%d/', substr(${wall}, 1, 19)) || substr(${wall}, 3, 2)`,
  c: (wall) => `substr(${wall}, 6, 2)`,
  e: (wall) => `CAST(${digitsOf(wall, 9, 2)} AS TEXT)`,
  Q: (wall) => `CAST(${quarterOf(wall)} AS TEXT)`,
  M: (wall) => nameAt(digitsOf(wall, 6, 2), MONTHS),
  b: (wall) => nameAt(digitsOf(wall, 6, 2), short(MONTHS)),
  W: (wall) => nameAt(dayOfWeek(wall), DAYS),
  a: (wall) => nameAt(dayOfWeek(wall), short(DAYS)),
  f: (wall) => `substr(substr(${wall}, 21, 6) || '000000', 1, 6)`,
}

const short = (names: readonly string[]) => names.map((name) => name.slice(0, 3))

/** Returns SQL of the text. Consecutive tokens that strftime has are one call of it. */
function formatted(wall: string, format: string, site: SqliteSite): string {
  const pieces: string[] = []
  let pattern = ''
  const flush = () => {
    if (pattern !== '') pieces.push(`strftime(${site.bind(pattern)}, substr(${wall}, 1, 19))`)
    pattern = ''
  }
  for (let index = 0; index < format.length; index++) {
    if (format[index] !== '%') {
      pattern += format[index]
      continue
    }
    const token = format[++index] ?? ''
    const renamed = Object.hasOwn(FORMATS, token) ? FORMATS[token] : undefined
    const own = SAME.has(token) ? `%${token}` : renamed
    const expression = Object.hasOwn(EXPRESSIONS, token) ? EXPRESSIONS[token] : undefined
    if (own !== undefined) {
      pattern += own
    } else if (expression) {
      flush()
      pieces.push(expression(wall))
    } else {
      reject(null, `'formatDateTime' does not support '%${token}'.`)
    }
  }
  flush()
  return pieces.length === 0 ? "''" : joined(pieces)
}

export const FORMATTING: readonly ScalarFunction[] = [
  fn(
    'formatDateTime date_format',
    'temporal, string, string?',
    'string',
    (site, value) => {
      const format = site.constants[1]
      if (typeof format !== 'string')
        return reject(null, "The format of 'formatDateTime' has to be a constant text.")
      const zone = zoneAmong(site.constants.slice(1), site)
      const wall = wallOf(value, argument(site.types, 0), { zone })
      return site.once(wall, (local) => formatted(local, format, site))
    },
    {
      constantFrom: 1,
      clickhouse: (site, value, format) => {
        const zone = zoneText({ ...site, constants: site.constants.slice(1) })
        return `formatDateTime(${value}, ${format}${argument(site.types, 0).kind === 'datetime' ? `, ${zone}` : ''})`
      },
    },
  ),
]
