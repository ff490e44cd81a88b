// One value out of many: any, the first, or that of the row where another is greatest or least.
import { isNumber, type Type } from '../../types'
import { argument, like } from '../returns'
import { asElement, orDefault } from '../sqlite-values'
import type { AggregateFunction, SqliteAggregateSite } from '../spec'
import { among } from './basic'

/** How many characters a moment takes, by kind: texts that compare as what they stand for. */
const WIDTHS: Partial<Record<Type['kind'], number>> = { datetime: 27, date: 10, integer: 20, boolean: 20 }

/** A value that comes first or last as text just as it does by itself: moments are; integers become twenty characters. */
function sortable(sql: string, type: Type, site: SqliteAggregateSite): string {
  if (!isNumber(type)) return sql
  return site.once(
    sql,
    (value) =>
      `CASE WHEN ${value} < 0 THEN printf('0%019d', ${value} + 9223372036854775807 + 1) ELSE printf('1%019d', ${value}) END`,
  )
}

/** The greatest of key and value in one text gives the value of the greatest key, in one pass over the rows. */
function packed(
  fn: 'min' | 'max',
  [value, by]: readonly string[],
  width: number,
  site: SqliteAggregateSite,
): string {
  const [type, byType] = [argument(site.types, 0), argument(site.types, 1)]
  const known = `${value} IS NOT NULL`
  const key = sortable(String(by), byType, site)
  if (type.kind === 'string') {
    return `substr(${site.apply(`${fn}(${key} || ${value})`, known)}, ${width + 1})`
  }
  const found = site.apply(`${fn}(${key} || json_array(${asElement(String(value), type)}))`, known)
  return `substr(${found}, ${width + 1}) ->> 0`
}

const extreme = (name: string, fn: 'min' | 'max', ...aliases: string[]): AggregateFunction => ({
  kind: 'aggregate',
  name,
  aliases,
  takes: ['any', 'any'],
  window: true,
  returns: among,
  ranked: (types) => (WIDTHS[argument(types, 1).kind] ? null : { by: 1, descending: fn === 'max' }),
  sqlite: (args, site) => {
    const width = WIDTHS[argument(site.types, 1).kind]
    const found = width
      ? packed(fn, args, width, site)
      : site.apply(
          `max(${args[0]})`,
          `${site.rank.place} = 1 AND ${args[0]} IS NOT NULL AND ${args[1]} IS NOT NULL`,
        )
    return orDefault(found, site.type)
  },
})

/** Some value that is there. ClickHouse takes the one that it meets first, here it is the least or the greatest. */
const some = (name: string, fn: 'min' | 'max', ...aliases: string[]): AggregateFunction => ({
  kind: 'aggregate',
  name,
  aliases,
  takes: ['any'],
  window: true,
  returns: like(0),
  sqlite: ([value], site) => orDefault(site.apply(`${fn}(${value})`), site.type),
})

export const EXTREMES: readonly AggregateFunction[] = [
  extreme('argMax', 'max'),
  extreme('argMin', 'min'),
  some('any', 'min', 'any_value'),
  some('anyLast', 'max'),
]
