// Runs of a HogQLQuery: one compiled query, its variables bound, its rows as they are.
import { invalid } from '../../errors'
import { databaseTypeOf } from '../../hogql/types'
import type { HogqlQuery } from '../query/query-types'
import { bindVariables } from '../values/bind-variables'
import { chooseValues, codeNamesOf } from '../values/choose-values'
import { compiledQueryOf } from './compiled-query'
import type { Kind, Plan, PlanContext } from './query-kind'
import { ROW_CAP } from '../../analytics/engine/limits'
import type { CompiledQuery } from '../../hogql/compiled'

export const hogqlKind = (query: HogqlQuery): Kind => ({
  variables: codeNamesOf(query.variables),
  isHogql: true,
  text: query.query,
  plan: (context) => plan(query, context),
})

async function plan({ variables }: HogqlQuery, context: PlanContext): Promise<Plan> {
  const { project, version, request, kept } = context
  const query = kept?.query ?? (await compiledQueryOf(context))
  if (request.limit !== null && !query.page.pageable) throw notPageable()
  const { values, fromSaved } = chooseValues(variables, request.variables, version.savedDefaults)
  const window = windowOf(query.page, request)
  return {
    query,
    variables: bindVariables(query, values, project.timezone),
    limit: window.limit,
    offset: window.offset,
    answer(rows) {
      const hasMore = cut(rows, window)
      return {
        body: {
          results: rows,
          columns: query.columns.map(({ name }) => name),
          types: query.columns.map(({ name, type }) => [name, databaseTypeOf(type)]),
        },
        hasMore,
      }
    },
    isCacheable: !fromSaved,
  }
}

const notPageable = () =>
  invalid(
    null,
    'Pagination is not supported for UNION queries. Wrap the UNION in a subquery: SELECT * FROM (... UNION ALL ...) LIMIT n',
  )

/** Rows of a query that says nothing of LIMIT, for a run that says nothing either. */
export const DEFAULT_LIMIT = 100

export interface Asked {
  limit: number | null
  offset: number | null
}

export interface Window {
  /** What the engine is asked for: one row more than is given, wherever it matters whether there is one. */
  limit: number
  offset: number
  /** Rows to give at most. */
  keep: number
  /** Whether a further row means that there are more: not where the query's own LIMIT ends. */
  tellsMore: boolean
}

/** What to ask the engine for. */
export function windowOf({ ceiling, offset: own }: CompiledQuery['page'], { limit, offset }: Asked): Window {
  const skipped = offset ?? 0
  const left = ceiling === null ? Infinity : Math.max(0, ceiling - skipped)
  const wanted = limit ?? ceiling ?? DEFAULT_LIMIT
  const keep = Math.min(wanted, left, ROW_CAP)
  // Without a limit the query gives all that it has, and there is more only of what the cap cut off.
  const tellsMore = limit === null ? wanted > ROW_CAP && left > ROW_CAP : keep < left
  return { limit: tellsMore ? keep + 1 : keep, offset: own + skipped, keep, tellsMore }
}

/** Cuts off the row that was asked for in excess, in place. Returns whether there are more. */
export function cut(rows: unknown[][], { keep, tellsMore }: Window): boolean {
  const hasMore = tellsMore && rows.length > keep
  if (rows.length > keep) rows.length = keep
  return hasMore
}
