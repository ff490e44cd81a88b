// What the parts of the ClickHouse printer share while they write one statement.
import type { Expr, Query, Source } from '../ir'
import { Parameters } from './parameters'

/**
 * Where a condition stands. As a value it has to be 1 or 0. In a filter NULL is as good as 0, so that most of them need no more than the
 * comparison, and indexes are used. In the ON of a join, NULLs match nothing.
 */
export type Place = 'value' | 'filter' | 'on'

/** Its functions go down into any part of a query, so that the files that write the parts need not import each other. */
export interface Context {
  expr(expr: Expr): string
  condition(expr: Expr, place: Place): string
  query(query: Query): string
  /** IANA name of the project's time zone. */
  timezone: string
  parameters: Parameters
  /** Sources whose one column is no column of theirs but an identifier of its own: the elements of arrays. */
  bare: Set<number>
  /** Sources whose moments are in UTC, as they are stored: tables. Those of subqueries are in the project's time zone. */
  tables: Set<number>
}

interface Dispatch {
  expr(expr: Expr, context: Context): string
  condition(expr: Expr, place: Place, context: Context): string
  query(query: Query, context: Context): string
}

export function createContext(timezone: string, dispatch: Dispatch): Context {
  const context: Context = {
    expr: (expr) => dispatch.expr(expr, context),
    condition: (expr, place) => dispatch.condition(expr, place, context),
    query: (query) => dispatch.query(query, context),
    timezone,
    parameters: new Parameters(),
    bare: new Set(),
    tables: new Set(),
  }
  return context
}

export const sourceName = ({ id }: Pick<Source, 'id'>) => `s${id}`

/** A key of a table, or `c0`, as an identifier. Keys are the catalogue's; nothing that a user wrote comes here. */
export const columnName = (key: string) => (/^\w+$/.test(key) ? key : `\`${key.replaceAll('`', '')}\``)

/** The name of a time zone as SQL text. */
export const zoneText = ({ timezone }: Pick<Context, 'timezone'>) => `'${timezone.replace(/[^\w/+-]/g, '')}'`
