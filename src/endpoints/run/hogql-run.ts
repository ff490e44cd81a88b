// Runs of a HogQLQuery.
import { invalid } from '../../errors'
import { databaseTypeOf } from '../../hogql/types'
import type { HogqlQuery } from '../query/query-types'
import { bindVariables } from '../values/bind-variables'
import { chooseValues, codeNamesOf } from '../values/choose-values'
import { compiledQueryOf } from './compiled-query'
import type { QueryKind, BoundQuery, BindContext } from './query-kind'
import { MAX_RESULT_ROWS } from '../../analytics/engine/limits'
import type { CompiledQuery } from '../../hogql/compiled'

export const hogqlKind = (query: HogqlQuery): QueryKind => ({
  variables: codeNamesOf(query.variables),
  isHogql: true,
  text: query.query,
  bind: (context) => bind(query, context),
})

async function bind({ variables }: HogqlQuery, context: BindContext): Promise<BoundQuery> {
  const { project, version, request, materialized } = context
  const query = materialized?.query ?? (await compiledQueryOf(context))
  if (request.limit !== null && !query.page.pageable) throw notPageable()
  const { values, fromSaved } = chooseValues(variables, request.variables, version.savedVariables)
  const window = pageWindowOf(query.page, request)
  return {
    query,
    variables: bindVariables(query, values, project.timezone),
    limit: window.limit,
    offset: window.offset,
    shape(rows) {
      const hasMore = removeExtraRow(rows, window)
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

/** The limit when neither the query nor the run has one. */
export const DEFAULT_LIMIT = 100

export interface PageRequest {
  limit: number | null
  offset: number | null
}

export interface PageWindow {
  /** The number of rows to read. It is one more than `keep` where the extra row shows that more follow. */
  limit: number
  offset: number
  /** Maximum number of rows in the result. */
  keep: number
  /** Whether an extra row means that more follow. */
  readsExtraRow: boolean
}

export function pageWindowOf(
  { ceiling, offset: own }: CompiledQuery['page'],
  { limit, offset }: PageRequest,
): PageWindow {
  const skipped = offset ?? 0
  const left = ceiling === null ? Infinity : Math.max(0, ceiling - skipped)
  const requested = limit ?? ceiling ?? DEFAULT_LIMIT
  const keep = Math.min(requested, left, MAX_RESULT_ROWS)
  // The result ends at the query's own LIMIT, so that rows beyond it do not count as more rows. Rows beyond the default limit do.
  const readsExtraRow = keep < left
  return { limit: readsExtraRow ? keep + 1 : keep, offset: own + skipped, keep, readsExtraRow }
}

/** Removes the extra row in place, and returns whether more rows follow. */
export function removeExtraRow(rows: unknown[][], { keep, readsExtraRow }: PageWindow): boolean {
  const hasMore = readsExtraRow && rows.length > keep
  if (rows.length > keep) rows.length = keep
  return hasMore
}
