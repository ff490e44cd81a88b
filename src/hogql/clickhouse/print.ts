// Prints a resolved query as ClickHouse SQL. Text of a user is in it only as bound values.
import type { CompiledQuery } from '../compiled'
import type { Resolved } from '../resolve/resolve'
import { startStatement } from '../print/query'
import { CLICKHOUSE } from './dialect'
import { Parameters } from './parameters'

/**
 * Prints a query for ClickHouse. Values are parameters of the server, `{p1:String}`; every table is a subselect of the project's rows.
 * @param timezone IANA name of the project's time zone
 */
export function printClickhouse(
  { query, page, columns, variables }: Resolved,
  { timezone }: { timezone: string },
): CompiledQuery {
  const parameters = new Parameters()
  const context = startStatement(CLICKHOUSE, {
    parameters,
    timezone,
    bare: new Set(),
    elements: new Map(),
    tables: new Set(),
  })
  const limit = parameters.add({ kind: 'limit' }, 'UInt64')
  const offset = parameters.add({ kind: 'offset' }, 'UInt64')
  const sql = context.query(query, { limit, offset })
  return {
    dialect: 'clickhouse',
    sql,
    parameters: parameters.list,
    columns,
    page,
    variables,
  }
}
