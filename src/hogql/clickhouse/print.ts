// A resolved query as ClickHouse SQL. All of its text is written here: what a user wrote is in it as a bound value or not at all.
import type { CompiledQuery } from '../compiled'
import type { Resolved } from '../resolve/resolve'
import { printCondition } from './conditions'
import { createContext } from './context'
import { printExpr } from './expression'
import { printPaged, printQuery } from './query'

/**
 * Prints a query for ClickHouse. Values travel as parameters of the server, `{p1:String}`; every table is a subselect of the project's rows.
 * @param timezone IANA name of the project's time zone
 */
export function printClickhouse(
  { query, page, columns, variables }: Resolved,
  { timezone }: { timezone: string },
): CompiledQuery {
  const context = createContext(timezone, { expr: printExpr, condition: printCondition, query: printQuery })
  const { parameters } = context
  const limit = parameters.add({ kind: 'limit' }, 'UInt64')
  const offset = parameters.add({ kind: 'offset' }, 'UInt64')
  const sql = printPaged(query, { limit, offset }, context)
  return {
    dialect: 'clickhouse',
    sql,
    parameters: parameters.list,
    columns,
    page,
    variables,
  }
}
