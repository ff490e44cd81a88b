// Parts of texts.
import { arrayOf, STRING, type Type } from '../../types'
import { always, argument, unlessNull } from '../returns'
import type { ScalarFunction, SqliteSite } from '../spec'

/** From a place on, counted from 1 or from the end; so many characters, or but so many at the end. */
function substring([value, start, length]: readonly string[], site: SqliteSite): string {
  return site.once(String(value), (v) =>
    site.once(String(start), (at) => {
      const from = `CASE WHEN ${at} > 0 THEN ${at} ELSE length(${v}) + 1 + ${at} END`
      if (length === undefined) return `CASE WHEN ${at} = 0 THEN '' ELSE substr(${v}, max(1, ${from})) END`
      return site.once(from, (first) =>
        site.once(String(length), (count) => {
          const end = `CASE WHEN ${count} < 0 THEN length(${v}) + ${count} ELSE ${first} + ${count} - 1 END`
          return `CASE WHEN ${at} = 0 THEN '' ELSE substr(${v}, max(1, ${first}), max(0, ${end} - max(1, ${first}) + 1)) END`
        }),
      )
    }),
  )
}

/** The first characters, or all but the last. */
const leftmost = (value: string, count: string, site: SqliteSite): string =>
  site.once(value, (v) =>
    site.once(
      count,
      (n) => `substr(${v}, 1, max(0, CASE WHEN ${n} < 0 THEN length(${v}) + ${n} ELSE ${n} END))`,
    ),
  )

const rightmost = (value: string, count: string, site: SqliteSite): string =>
  site.once(value, (v) =>
    site.once(
      count,
      (n) => `substr(${v}, max(1, CASE WHEN ${n} < 0 THEN 1 - ${n} ELSE length(${v}) + 1 - ${n} END))`,
    ),
  )

const end = (name: string, write: typeof leftmost, ...aliases: string[]): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['string', 'integer'],
  returns: unlessNull(STRING),
  sqlite: ([value, count], site) => write(String(value), String(count), site),
  clickhouse: (args) => `${name}UTF8(${args.join(', ')})`,
})

/** A text taken apart into a list. The quotes around the separator become those of JSON texts, once what is in between is JSON itself. */
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

/** A text as it stands between the quotes of a JSON text. */
const inJson = (text: string): string => `substr(json_quote(${text}), 2, length(json_quote(${text})) - 2)`

const splitting = (name: string): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes: ['string', 'string', 'integer'],
  optional: 1,
  returns: always(arrayOf(STRING)),
  sqlite: ([separator, value, most], site) => {
    const known = argument(site.types, 1).nullable ? `ifnull(${value}, '')` : String(value)
    const all = split(String(separator), known, site)
    return most === undefined
      ? all
      : `(SELECT json_group_array(a.value) FROM json_each(${all}) AS a WHERE a.key < ${most} OR ${most} <= 0)`
  },
  clickhouse: ([separator, value, ...rest], { types }) =>
    `${name}(${[separator, present(String(value), types[1]), ...rest].join(', ')})`,
})

/** There are no lists that are NULL: what is NULL is taken apart as if it were empty. */
const present = (value: string, type: Type | undefined): string =>
  type?.nullable ? `ifNull(${value}, '')` : value

export const SLICES: readonly ScalarFunction[] = [
  {
    kind: 'scalar',
    name: 'substring',
    aliases: ['substr', 'mid', 'substringUTF8'],
    takes: ['string', 'integer', 'integer'],
    optional: 1,
    returns: unlessNull(STRING),
    sqlite: substring,
    clickhouse: (args) => `substringUTF8(${args.join(', ')})`,
  },
  end('left', leftmost, 'leftUTF8'),
  end('right', rightmost, 'rightUTF8'),
  splitting('splitByChar'),
  splitting('splitByString'),
]
