// Conversions. Every datetime of a statement is a DateTime64(6) in the project's time zone, every date a Date32, and every integer an
// Int64, so that branches, arrays and set operations never mix types without a common one.
import type { Query } from '../ir'
import type { Parameters } from './parameters'
import type { Context as PrintContext } from '../print/dialect'
import { databaseTypeOf, differWithin, SCALAR_NAMES, type Type, withoutMaps } from '../types'

/** Converts a datetime of UTC to the project's time zone. */
export const inZone = (moment: string, context: ClickhouseContext): string =>
  context.timezone === 'UTC' ? moment : `toTimeZone(${moment}, ${zoneText(context)})`

/** Converts `2026-01-31T12:00:00.000000Z` to the form that ClickHouse parses. */
export const bareMoment = (stored: string): string => stored.replace('T', ' ').replace(/Z$/, '')

/** Writes SQL as a value of exactly this type. */
export const cast = (sql: string, type: Type, context: ClickhouseContext): string =>
  type.kind === 'null'
    ? sql
    : `CAST(${sql}, '${databaseTypeOf(withoutMaps(type), {
        ...SCALAR_NAMES,
        datetime: `DateTime64(6, ${zoneText(context)})`,
        date: 'Date32',
      }).replaceAll("'", "\\'")}')`

/** Gives the elements of an array a type, if that of `[]` has none: ClickHouse returns no element of such an array. */
export const withElements = (sql: string, type: Type): string =>
  type.kind === 'array' && type.of.kind === 'null' ? `arrayConcat(${sql}, arrayPopBack([NULL]))` : sql

/** Converts SQL of type `from` to type `to` when their kinds differ, or those of the numbers within. */
export function convert(sql: string, from: Type, to: Type, context: ClickhouseContext): string {
  if (from.kind === 'null') return sql
  if (from.kind === to.kind) return differWithin(from, to) ? cast(sql, to, context) : sql
  switch (to.kind) {
    case 'integer':
      return from.kind === 'boolean' ? `toInt64(${sql})` : sql
    case 'float':
      return from.kind === 'integer' || from.kind === 'boolean' ? `toFloat64(${sql})` : sql
    case 'datetime':
      return from.kind === 'date' ? `toDateTime64(${sql}, 6, ${zoneText(context)})` : sql
    case 'string':
      return from.kind === 'json' ? sql : `toString(${sql})`
    case 'boolean':
    case 'date':
    case 'json':
    case 'null':
    case 'array':
    case 'tuple':
      return sql
  }
}

/** Writes a query as a source whose columns have these types. */
export function withTypes(query: Query, types: readonly Type[], context: ClickhouseContext): string {
  const sql = `(${context.query(query)})`
  if (query.items.every(({ type }, index) => type.kind === types[index]?.kind)) return sql
  const columns = query.items.map(({ type }, index) => {
    const to = types[index]!
    const column = `c${index}`
    // Arrays and tuples have no NULL.
    const isNull = type.kind === 'null' && to.kind !== 'array' && to.kind !== 'tuple'
    return `${isNull ? cast(column, to, context) : convert(column, type, to, context)} AS ${column}`
  })
  return `(SELECT ${columns.join(', ')} FROM ${sql})`
}

/** The state of one ClickHouse statement. */
export interface ClickhouseContext extends PrintContext {
  parameters: Parameters
  /** IANA name of the project's time zone. */
  timezone: string
  /** Sources whose one column is not `s<n>.<column>` but an identifier of its own: the elements of arrays. */
  bare: Set<number>
  /** The names of the parameters of lambdas, by id. */
  elements: Map<number, string>
  /** The tables. Their datetimes are in UTC, as they are stored; those of subqueries are in the project's time zone. */
  tables: Set<number>
}

/** Writes a key of a table, or `c0`, as an identifier. Keys come from the catalogue: no text of a user comes here. */
export const columnName = (key: string) => (/^\w+$/.test(key) ? key : `\`${key.replaceAll('`', '')}\``)

/** The name of a time zone as SQL text. */
const zoneText = ({ timezone }: Pick<ClickhouseContext, 'timezone'>) =>
  `'${timezone.replace(/[^\w/+-]/g, '')}'`
