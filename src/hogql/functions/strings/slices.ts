// Parts of texts.
import { arrayOf, STRING } from '../../types'
import { fn } from '../define'
import { always, argument } from '../return-types'
import type { ScalarFunction, Site, SqliteSite } from '../spec'

/** Limits a number to the range that SQLite accepts for slicing a text, which has 32 bits. No text is as long. NULL stays NULL. */
export const inRange = (sql: string): string => `max(-2000000000, min(2000000000, ${sql}))`

/** Limits a number, because ClickHouse adds positions and lengths, whose sum must not exceed 64 bits. */
const clickhouseInRange = (sql: string): string =>
  `multiIf(${sql} > 2000000000, 2000000000, ${sql} < -2000000000, -2000000000, ${sql})`

/**
 * Writes a part of a text for ClickHouse, which rejects the position 0, and begins at the first character when the position is before it.
 * Here, such a position shortens the result.
 */
function clickhouseSubstring({ constants }: Site, value: string, start = '', length?: string): string {
  const [, at, count] = constants
  const most = length === undefined || typeof count === 'number' ? length : clickhouseInRange(length)
  const from = (position: string, ...rest: string[]) =>
    `substringUTF8(${[value, position, ...rest].join(', ')})`
  if (typeof at === 'number' && at > 0) return from(start, ...(most === undefined ? [] : [most]))
  const size = `toInt64(lengthUTF8(${value}))`
  const position = clickhouseInRange(`if(${start} = 0, 1, ${start})`)
  if (most === undefined) return `multiIf(${start} = 0, '', ${start} < -${size}, ${value}, ${from(position)})`
  const rest = `if(${most} < 0, ${most}, if(${size} + ${start} + ${most} < 0, 0, ${size} + ${start} + ${most}))`
  return `multiIf(${start} = 0, '', ${start} < -${size}, ${from('1', rest)}, ${from(position, most)})`
}

/**
 * SQL of a part of a text from a position, which counts from 1 or from the end. The part has `length` characters, or with a negative
 * length all but that many.
 */
function substring(site: SqliteSite, value: string, start: string, length?: string): string {
  return site.once(value, (v) =>
    site.once(inRange(start), (at) => {
      const from = `CASE WHEN ${at} > 0 THEN ${at} ELSE length(${v}) + 1 + ${at} END`
      if (length === undefined) return `CASE WHEN ${at} = 0 THEN '' ELSE substr(${v}, max(1, ${from})) END`
      return site.once(from, (first) =>
        site.once(inRange(length), (count) => {
          const end = `CASE WHEN ${count} < 0 THEN length(${v}) + ${count} ELSE ${first} + ${count} - 1 END`
          return `CASE WHEN ${at} = 0 THEN '' ELSE substr(${v}, max(1, ${first}), max(0, ${end} - max(1, ${first}) + 1)) END`
        }),
      )
    }),
  )
}

const end = (name: string, write: (v: string, n: string) => string): ScalarFunction =>
  fn(
    `${name} ${name}UTF8`,
    'string, integer',
    'string',
    (site, value, count) => site.once(value, (v) => site.once(inRange(count), (n) => write(v, n))),
    { clickhouse: `${name}UTF8($*)` },
  )

/** Returns SQL of the characters between the quotes of a JSON text. */
const inJson = (text: string): string => `substr(json_quote(${text}), 2, length(json_quote(${text})) - 2)`

/** Splits a text into an array: in its JSON form, a separator becomes the quotes between two elements. */
function split(separator: string, value: string, site: SqliteSite): string {
  const list = site.once(`json_quote(${value})`, (json) => `replace(${json}, ${inJson(separator)}, '","')`)
  const characters =
    `(WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < length(${value})) ` +
    `SELECT json_group_array(substr(${value}, n, 1)) FROM r WHERE ${value} <> '')`
  const known = site.constants[0]
  if (known === '') return characters
  const whole = `('[' || ${list} || ']')`
  return typeof known === 'string'
    ? whole
    : `CASE WHEN ${separator} = '' THEN ${characters} ELSE ${whole} END`
}

/**
 * Defines a split. An array is never NULL: a text that is NULL is split as if it were empty, and a separator that is NULL splits nothing.
 * ClickHouse's `splitByChar` takes separators of one byte only.
 */
const splitting = (name: string): ScalarFunction =>
  fn(
    name,
    'string, string, integer?',
    always(arrayOf(STRING)),
    (site, separator, value, max?: string) => {
      const text = argument(site.types, 1).nullable ? `ifnull(${value}, '')` : value
      const parts = split(separator, text, site)
      const all = argument(site.types, 0).nullable
        ? `CASE WHEN ${separator} IS NULL THEN json_array(${text}) ELSE ${parts} END`
        : parts
      return max === undefined
        ? all
        : `(SELECT json_group_array(a.value) FROM json_each(${all}) AS a WHERE a.key < ${max} OR ifnull(${max}, 0) <= 0)`
    },
    {
      clickhouse: ({ types }, separator, value, ...rest) => {
        const known = (sql: string, index: number, otherwise: string) =>
          argument(types, index).nullable ? `ifNull(${sql}, ${otherwise})` : sql
        const text = known(value, 1, "''")
        const most = rest.map((max) => known(max, 2, '0'))
        const parts = `splitByString(${[known(separator, 0, "','"), text, ...most].join(', ')})`
        return argument(types, 0).nullable ? `if(isNull(${separator}), [${text}], ${parts})` : parts
      },
    },
  )

export const SLICES: readonly ScalarFunction[] = [
  fn('substring substr mid substringUTF8', 'string, integer, integer?', 'string', substring, {
    clickhouse: clickhouseSubstring,
  }),
  end('left', (v, n) => `substr(${v}, 1, max(0, CASE WHEN ${n} < 0 THEN length(${v}) + ${n} ELSE ${n} END))`),
  end(
    'right',
    (v, n) => `substr(${v}, max(1, CASE WHEN ${n} < 0 THEN 1 - ${n} ELSE length(${v}) + 1 - ${n} END))`,
  ),
  splitting('splitByChar'),
  splitting('splitByString'),
]
