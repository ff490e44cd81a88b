// Aggregates that choose one value: any value, or that of the row in which another value is greatest or least.
import { isNumber, type Type } from '../../types'
import { aggregate } from '../define'
import { argument, like } from '../return-types'
import type { AggregateFunction, SqliteAggregateSite } from '../spec'
import { asElement, rejectUnordered } from '../sqlite-values'
import { orEmpty, valueType } from './basic'

/** The length of sortable texts by kind. */
const LENGTHS: Partial<Record<Type['kind'], number>> = { datetime: 27, date: 10, integer: 20, boolean: 20 }

/** Returns SQL of a text that sorts in the order of the value. Dates are such texts; integers are padded to twenty characters. */
function sortable(sql: string, type: Type, site: SqliteAggregateSite): string {
  if (!isNumber(type)) return sql
  return site.once(
    sql,
    (value) =>
      `CASE WHEN ${value} < 0 THEN printf('0%019d', ${value} + 9223372036854775807 + 1) ELSE printf('1%019d', ${value}) END`,
  )
}

/** Returns SQL of whether no argument is NULL. That of a type without NULL is NaN, which counts. */
const knownOf = (args: readonly string[], { types }: SqliteAggregateSite): string =>
  args
    .filter((_, index) => argument(types, index).nullable)
    .map((arg) => `${arg} IS NOT NULL`)
    .join(' AND ')

/** Packs key and value into one text. The greatest text has the value of the greatest key, so that one pass over the rows finds it. */
function packed(
  name: 'min' | 'max',
  value: string,
  by: string,
  length: number,
  site: SqliteAggregateSite,
): string {
  const [type, byType] = [argument(site.types, 0), argument(site.types, 1)]
  // A NULL number would have a text, so that NULL is excluded here.
  const known = knownOf([value, by], site)
  const key = sortable(by, byType, site)
  if (type.kind === 'string') {
    return `substr(${site.apply(`${name}(${key} || ${value})`, known)}, ${length + 1})`
  }
  const found = site.apply(`${name}(${key} || json_array(${asElement(value, type)}))`, known)
  return `substr(${found}, ${length + 1}) ->> 0`
}

const extreme = (names: string, name: 'min' | 'max'): AggregateFunction =>
  aggregate(
    names,
    'any, any',
    valueType,
    (site, value, order) => {
      const by = argument(site.types, 1)
      // A tuple is ranked by its items.
      if (by.kind !== 'tuple') rejectUnordered(names, [by])
      const length = LENGTHS[by.kind]
      const isFirst = [`${site.rank.place} = 1`, knownOf([value, order], site)].filter(Boolean).join(' AND ')
      const found = length ? packed(name, value, order, length, site) : site.apply(`max(${value})`, isFirst)
      return orEmpty(found, site)
    },
    {
      ofDistinct: true,
      ranked: (types) => (LENGTHS[argument(types, 1).kind] ? null : { by: 1, descending: name === 'max' }),
    },
  )

/** Defines an aggregate that returns any value. ClickHouse returns the first value that it reads, SQLite the least or the greatest. */
const some = (names: string, name: 'min' | 'max'): AggregateFunction =>
  aggregate(names, 'any', like(0), (site, value) => orEmpty(site.apply(`${name}(${value})`), site), {
    ofDistinct: true,
  })

export const MIN_MAX: readonly AggregateFunction[] = [
  extreme('argMax', 'max'),
  extreme('argMin', 'min'),
  some('any any_value', 'min'),
  some('anyLast', 'max'),
]
