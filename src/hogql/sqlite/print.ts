// Prints a resolved query as SQLite SQL for D1. Text of a user is in it only as bound values.
import type { CompiledQuery, CostFormulas, Statement } from '../compiled'
import { MAX_COMPUTED_TEXTS } from '../computed/limits'
import { estimateCost } from '../cost/estimate'
import { excessOf, tooLarge, costOfParts } from '../cost/budget'
import { HogqlError } from '../error'
import type { Query } from '../ir'
import type { Resolved } from '../resolve/resolve'
import type { Page } from '../print/dialect'
import { startStatement } from '../print/query'
import { type SqliteContext, stateOf } from './context'
import { SQLITE } from './dialect'
import { liftComputed, type Lifted } from './lift-computed'
import { lower } from './lower'
import { Parameters } from './parameters'
import { printStatistic } from './statistics'
import { isUtc } from './zone'

/** The most columns of a result on D1. */
const MAX_COLUMNS = 100

/**
 * Prints a query for D1. Values are bound as `?1`; every table is a subselect of the project's rows. LIMIT and OFFSET of the text are
 * parameters of the run, within those of `page`.
 * @param timezone IANA name of the project's time zone
 * @throws HogqlError for what only ClickHouse can do, and for a query that is too large
 */
export function printSqlite(
  { query, page, columns, variables }: Resolved,
  { timezone }: { timezone: string },
): CompiledQuery {
  if (query.items.length > MAX_COLUMNS) {
    throw new HogqlError(`A query gives at most ${MAX_COLUMNS} columns, and this one ${query.items.length}.`)
  }
  const { query: lifted, ...computed } = liftComputed(query)
  const main = statement(timezone, (context) => {
    const bounds: Page = {
      limit: context.parameters.add({ kind: 'limit' }),
      offset: context.parameters.add({ kind: 'offset' }),
    }
    return context.query(lower(lifted, isUtc(timezone)), bounds)
  })
  return {
    dialect: 'sqlite',
    ...main,
    columns,
    page,
    variables: [...variables],
    cost: costOf(lifted, computed.texts, timezone),
    ...(computed.tables.length > 0 ? { computed: printComputed(computed, timezone) } : {}),
  }
}

const printComputed = (
  { texts, tables }: Omit<Lifted, 'query'>,
  timezone: string,
): NonNullable<CompiledQuery['computed']> => ({
  tables,
  texts: texts.map((query) =>
    statement(timezone, (context) =>
      context.query({ ...lower(query, isUtc(timezone)), limit: MAX_COMPUTED_TEXTS + 1 }),
    ),
  ),
})

function costOf(query: Query, texts: readonly Query[], timezone: string): CompiledQuery['cost'] {
  const { statistics, measures, ...cost } = estimateCost(query, texts, timezone)
  requireBounded(cost)
  return {
    ...cost,
    statistics: statistics.map((reads) => statement(timezone, (context) => printStatistic(reads, context))),
    measures: measures.map((measure) => ({
      ...measure,
      query: statement(timezone, (context) => context.query(lower(measure.query, isUtc(timezone)))),
    })),
  }
}

function statement(timezone: string, write: (context: SqliteContext) => string): Statement {
  const parameters = new Parameters()
  return parameters.finish(write(startStatement(SQLITE, stateOf(timezone, parameters))))
}

/** @throws HogqlError for a query that is too large whatever the data */
function requireBounded(cost: Pick<CostFormulas, 'steps' | 'texts' | 'parts' | 'held'>): void {
  const leastCost = costOfParts(cost, { statistic: () => 0, variable: () => 0, page: 1, measured: () => 0 })
  const excess = excessOf(leastCost)
  if (excess !== null) throw new HogqlError(tooLarge(excess, 'constants'), null, 'query_too_expensive')
}
