// A resolved query as SQLite SQL for D1. All of its text is written here: what a user wrote is in it as a bound value or not at all.
import type { CompiledQuery } from '../compiled'
import { HogqlError } from '../error'
import type { Query } from '../ir'
import { printCondition } from './conditions'
import type { Context } from './context'
import { printExpr } from './expression'
import { Parameters } from './parameters'
import { printPaged, printQuery } from './query'
import { zoneNamed } from './zone'

export interface Printable {
  query: Query
  /** The variables that it reads. */
  variables: readonly string[]
}

/** What D1 takes (reference/endpoints-api.md §11.4). */
const MOST_COLUMNS = 100
const LONGEST = 100_000

/**
 * Prints a query for D1. Values travel as `?1`; every table is a subselect of the project's rows. What the query's own LIMIT and OFFSET are
 * says the page; the text's own are parameters of the run.
 * @param timezone IANA name of the project's time zone
 * @throws HogqlError for what only the other engine can do, and for what is too large
 */
export function printSqlite(
  { query, variables }: Printable,
  { timezone }: { timezone: string },
): CompiledQuery {
  if (query.items.length > MOST_COLUMNS) {
    throw new HogqlError(`A query gives at most ${MOST_COLUMNS} columns, and this one ${query.items.length}.`)
  }
  const parameters = new Parameters()
  const context: Context = {
    writers: { expr: printExpr, condition: printCondition, query: printQuery },
    parameters,
    zone: zoneNamed(timezone),
    known: null,
    aggregates: null,
  }
  const page = { limit: parameters.add({ kind: 'limit' }), offset: parameters.add({ kind: 'offset' }) }
  const finished = parameters.finish(printPaged(query, page, context))
  if (new TextEncoder().encode(finished.sql).length > LONGEST) {
    throw new HogqlError('The query is too long for the built-in database once it is translated.')
  }
  return {
    dialect: 'sqlite',
    ...finished,
    columns: query.items.map(({ name, type }) => ({ name, type })),
    page: { ceiling: query.limit, offset: query.offset, pageable: query.kind === 'select' },
    variables: [...variables],
  }
}
