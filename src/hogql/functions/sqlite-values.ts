// HogQL's types in SQLite: booleans are 1 and 0, datetimes have 27 characters in UTC, dates ten, and arrays and tuples are JSON. NaN (0 / 0,
// the average of no rows) is NULL.
import { reject } from '../error'
import type { Literal } from '../ir'
import { isNumber, type Type } from '../types'
import type { SqliteSite } from './spec'

/**
 * Returns whether a NULL of SQLite stands for NaN: the type of a float that excludes NULL, or of a tuple with one. No constant is NaN.
 * @param constant undefined for what is no constant
 */
export function mayBeNaN(type: Type, constant?: Literal): boolean {
  if (type.nullable || constant !== undefined) return false
  if (type.kind !== 'tuple') return type.kind === 'float'
  return type.of.every((of) => !of.nullable) && type.of.some((of) => mayBeNaN(of))
}

/** The part of a datetime's text that follows its date at midnight. */
export const MIDNIGHT = 'T00:00:00.000000Z'

/** Returns SQL of ClickHouse's default of a type that cannot be NULL. */
function defaultOf(type: Type): string {
  if (type.nullable) return 'NULL'
  switch (type.kind) {
    case 'integer':
    case 'float':
    case 'boolean':
      return '0'
    case 'string':
    case 'json':
      return "''"
    case 'datetime':
      return `'1970-01-01${MIDNIGHT}'`
    case 'date':
      return "'1970-01-01'"
    case 'array':
      return "'[]'"
    case 'tuple':
      return `json_array(${type.of.map((of) => asElement(defaultOf(of), of)).join(', ')})`
    case 'null':
      return 'NULL'
  }
}

/** Replaces NULL by the type's default, if the type excludes NULL. */
export const orDefault = (sql: string, type: Type): string =>
  type.nullable || type.kind === 'null' ? sql : `ifnull(${sql}, ${defaultOf(type)})`

/** @throws HogqlError for arrays and tuples, whose JSON sorts in another order than their values */
export function rejectUnordered(name: string, types: readonly Type[]): void {
  const type = types.find(({ kind }) => kind === 'array' || kind === 'tuple')
  if (type)
    reject(null, `'${name}' of an ${type.kind} needs the ClickHouse engine.`.replace('an tuple', 'a tuple'))
}

/**
 * Returns the terms of an ORDER BY, with NULLs last in either direction. A tuple is sorted by its items, because its JSON has another
 * order.
 * @param name the function that sorts, for the error
 * @throws HogqlError for arrays
 */
export function orderTerms(name: string, sql: string, type: Type, direction: 'ASC' | 'DESC'): string[] {
  rejectUnordered(name, type.kind === 'array' ? [type] : [])
  return type.kind === 'tuple'
    ? type.of.flatMap((of, index) => orderTerms(name, `(${sql} ->> ${index})`, of, direction))
    : [`${sql} ${direction} NULLS LAST`]
}

/** SQL of a value as an element of a JSON array. JSON stays JSON. */
export function asElement(sql: string, type: Type): string {
  switch (type.kind) {
    case 'array':
    case 'tuple':
      return `json(${sql})`
    case 'float':
      return exactElement(sql)
    default:
      return sql
  }
}

/**
 * Writes a float as an element, in one form however the number is stored: equal arrays and tuples are equal texts. SQLite writes 15 digits
 * of a number into JSON; one that has more is written with 17.
 */
const exactElement = (sql: string): string =>
  `(SELECT CASE WHEN x IS NULL OR json_array(x) ->> 0 = x THEN x WHEN CAST(printf('%!.16g', x) AS REAL) = x THEN json(printf('%!.16g', x)) ` +
  `ELSE json(printf('%!.17g', x)) END FROM (SELECT CAST(${sql} AS REAL) AS x))`

/** Returns SQL of a datetime in local time; a date stays unchanged. */
export const wallOf = (sql: string, type: Type, { zone }: Pick<SqliteSite, 'zone'>): string =>
  type.kind === 'datetime' ? zone.toLocal(sql) : sql

/** The local date. */
export const dayOf = (sql: string, type: Type, site: Pick<SqliteSite, 'zone'>): string =>
  type.kind === 'date' ? sql : site.zone.toDay(sql)

/** Returns SQL of seconds since 1970. The fraction is cut off, because SQLite would round it, and with it the second. */
export const secondsOf = (utc: string): string => `unixepoch(substr(${utc}, 1, 19))`

/** Returns SQL of a datetime; for a date, of its local midnight. */
export const momentOf = (sql: string, type: Type, { zone }: Pick<SqliteSite, 'zone'>): string =>
  type.kind === 'date' ? zone.startToUtc(`(${sql} || '${MIDNIGHT}')`) : sql

/** Returns SQL of a value as text, as ClickHouse writes it. */
export function asText(sql: string, type: Type, site: SqliteSite): string {
  switch (type.kind) {
    case 'string':
    case 'json':
    case 'date':
      return sql
    case 'integer':
      return `CAST(${sql} AS TEXT)`
    case 'boolean':
      return site.once(sql, (value) => `CASE WHEN ${value} THEN 'true' WHEN NOT ${value} THEN 'false' END`)
    case 'float':
      return type.nullable ? site.once(sql, floatText) : `ifnull(${site.once(sql, floatText)}, 'nan')`
    case 'datetime':
      return site.once(site.zone.toLocal(sql), datetimeText)
    case 'array':
      return listText(sql, (element) => itemText(element, type.of, site))
    case 'tuple':
      return site.once(
        sql,
        (value) =>
          `'(' || ${type.of.map((of, index) => itemText(`(${value} ->> ${index})`, of, site)).join(` || ',' || `)} || ')'`,
      )
    case 'null':
      return 'NULL'
  }
}

/** Returns SQL of the texts of an array's elements in brackets. Within another array, the rows have their own alias. */
export function listText(
  array: string,
  write: (element: string) => string,
  [open, close] = ['[', ']'],
): string {
  let depth = 0
  while (array.includes(`i${depth}.value`)) depth += 1
  const alias = `i${depth}`
  return `(SELECT '${open}' || ifnull(group_concat(${write(`${alias}.value`)}, ',' ORDER BY ${alias}.key), '') || '${close}' FROM json_each(${array}) AS ${alias})`
}

/** Returns SQL of an element as it is in the text of its array: everything but numbers is quoted. */
function itemText(value: string, type: Type, site: SqliteSite): string {
  const isBare = isNumber(type) || type.kind === 'array' || type.kind === 'tuple'
  const text =
    type.kind === 'datetime'
      ? `replace(substr(${(type.zone === undefined ? site.zone : site.zoneNamed(type.zone)).toLocal(value)}, 1, 26), 'T', ' ')`
      : asText(value, type, site)
  const quoted = ESCAPES.reduce((sql, [from, to]) => `replace(${sql}, ${from}, '${to}')`, text)
  return `ifnull(${isBare ? text : `'''' || ${quoted} || ''''`}, 'NULL')`
}

const ESCAPES = [
  ["'\\'", '\\\\'],
  ["''''", "\\''"],
  ['char(8)', '\\b'],
  ['char(9)', '\\t'],
  ['char(10)', '\\n'],
  ['char(12)', '\\f'],
  ['char(13)', '\\r'],
] as const

/** Returns SQL of the shortest text that identifies the number, without a needless point or exponent. */
export const floatText = (value: string): string =>
  [
    `CASE WHEN ${value} IS NULL THEN NULL WHEN ${value} = CAST(${value} AS INTEGER) AND abs(${value}) < 9e15 THEN CAST(CAST(${value} AS INTEGER) AS TEXT)`,
    `WHEN abs(${value}) > 1.7976931348623157e308 THEN CASE WHEN ${value} > 0 THEN 'inf' ELSE '-inf' END`,
    `WHEN abs(${value}) >= 9e15 AND abs(${value}) < 1e21 THEN ${wholeText(value)}`,
    `WHEN abs(${value}) < 1e-4 AND abs(${value}) >= 1e-6 THEN ${smallText(value)}`,
    `WHEN CAST(printf('%!.15g', ${value}) AS REAL) = ${value} THEN ${withoutPoint(`printf('%!.15g', ${value})`)}`,
    `WHEN CAST(printf('%!.16g', ${value}) AS REAL) = ${value} THEN ${withoutPoint(`printf('%!.16g', ${value})`)}`,
    `ELSE ${withoutPoint(`printf('%!.17g', ${value})`)} END`,
  ].join(' ')

/** Returns SQL of a whole number that is not an exact integer: its digits, with zeros in place of the exponent. */
const wholeText = (value: string): string =>
  `(SELECT CASE WHEN instr(t, 'e') = 0 THEN replace(t, '.0', '') ` +
  `ELSE substr(replace(substr(t, 1, instr(t, 'e') - 1), '.', '') || '${'0'.repeat(20)}', 1, substr(t, instr(t, 'e') + 2) + 1 + (${value} < 0)) END ` +
  `FROM (SELECT CASE WHEN CAST(printf('%!.16g', ${value}) AS REAL) = ${value} THEN printf('%!.16g', ${value}) ELSE printf('%!.17g', ${value}) END AS t))`

/** Returns SQL of decimals when SQLite would write an exponent. */
const smallText = (value: string): string =>
  `CASE WHEN CAST(printf('%.22f', ${value}) AS REAL) = ${value} THEN rtrim(printf('%.22f', ${value}), '0') ELSE rtrim(printf('%!.22f', ${value}), '0') END`

/** SQL that writes `1.0e-07` as `1e-7`. */
const withoutPoint = (text: string): string =>
  `replace(replace(replace(replace(${text}, '.0e', 'e'), 'e-0', 'e-'), 'e+0', 'e'), 'e+', 'e')`

/** Returns SQL of a datetime as text, without a fraction of zero. */
const datetimeText = (local: string): string =>
  `substr(${local}, 1, 10) || ' ' || substr(${local}, 12, CASE WHEN substr(${local}, 20, 7) = '.000000' THEN 8 ELSE 15 END)`

/** Concatenates operands as a balanced tree, because SQLite limits the depth of expressions. */
export const joined = (operands: readonly string[]): string => {
  if (operands.length <= 8) return `(${operands.join(' || ')})`
  const half = Math.ceil(operands.length / 2)
  return `(${joined(operands.slice(0, half))} || ${joined(operands.slice(half))})`
}
