// A resolved query as SQLite SQL for D1. All of its text is written here: what a user wrote is in it as a bound value or not at all.
import type { CompiledQuery } from '../compiled'
import { HogqlError } from '../error'
import type { Resolved } from '../resolve'
import { printCondition } from './conditions'
import type { Context } from './context'
import { printExpr } from './expression'
import { Parameters } from './parameters'
import { printPaged, printQuery } from './query'
import { zoneNamed } from './zone'

/** What D1 takes (reference/endpoints-api.md §11.4). */
const MOST_COLUMNS = 100
const LONGEST = 100_000

/**
 * Prints a query for D1. Values travel as `?1`; every table is a subselect of the project's rows. What LIMIT and OFFSET the query has
 * says its page; in the text they are parameters of the run.
 * @param timezone IANA name of the project's time zone
 * @throws HogqlError for what only the other engine can do, and for what is too large
 */
export function printSqlite(
  { query, page, columns, variables }: Resolved,
  { timezone }: { timezone: string },
): CompiledQuery {
  if (query.items.length > MOST_COLUMNS) {
    throw new HogqlError(`A query gives at most ${MOST_COLUMNS} columns, and this one ${query.items.length}.`)
  }
  const parameters = new Parameters()
  const context: Context = {
    writers: { expr: printExpr, condition: printCondition, query: printQuery },
    parameters,
    zone: zoneNamed(timezone, (text) => parameters.bind(text)),
    known: null,
    aggregates: null,
    window: (sql) => sql,
  }
  const bounds = { limit: parameters.add({ kind: 'limit' }), offset: parameters.add({ kind: 'offset' }) }
  const finished = parameters.finish(printPaged(query, bounds, context))
  if (new TextEncoder().encode(finished.sql).length > LONGEST) {
    throw new HogqlError('The query is too long for the built-in database once it is translated.')
  }
  return {
    dialect: 'sqlite',
    ...finished,
    columns,
    page,
    variables: [...variables],
  }
}
