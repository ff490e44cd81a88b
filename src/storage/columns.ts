// Selects columns under their own names instead of Drizzle's, because they are the names of fields in the API.
import { type Column, getTableColumns, type GetColumnData, type SQL, sql, type Table } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Digit ? `_${First}` : First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

export const byName = <Columns extends Record<string, Column>>(columns: Columns) =>
  Object.fromEntries(Object.values(columns).map((column) => [column.name, column])) as {
    [Property in keyof Columns & string as SnakeCase<Property>]: Columns[Property]
  }

/** The columns that are fields of a record, for a select. */
export const columnsIn = <Columns extends Record<string, Column>, Fields extends object>(
  table: Table & { _: { columns: Columns } },
  fields: Fields,
) =>
  Object.fromEntries(
    Object.entries(byName(getTableColumns(table))).filter(([name]) => name in fields),
  ) as unknown as {
    [Property in keyof Columns & string as SnakeCase<Property> & keyof Fields]: Columns[Property]
  }

/** The fields that are columns, under Drizzle's names, for an insert or an update. */
export const valuesIn = <Values>(table: Table & { $inferInsert: Values }, fields: object): Partial<Values> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([, { name }]) => name in fields)
      .map(([property, { name }]) => [property, fields[name as never]]),
  ) as unknown as Partial<Values>

/** The value of an expression of JSON text. */
export const fromJson = <Value>(text: SQL): SQL<Value> =>
  text.mapWith((value: string) => JSON.parse(value) as Value)

/** A condition as a boolean, which SQLite has as a number. */
export const asBoolean = (condition: SQL): SQL<boolean> => condition.mapWith(Boolean)

/** A column under an alias, which Drizzle needs where tables share a column name. */
export const aliased = <Joined extends SQLiteColumn>(column: Joined, name: string) =>
  sql<GetColumnData<Joined>>`${column}`.mapWith(column).as(name)

/** A column of a table that may have no row. */
export const optional = <Joined extends SQLiteColumn>(column: Joined, name: string) =>
  sql<GetColumnData<Joined> | null>`${column}`.mapWith(column).as(name)
