// Runs of a HogQLQuery: one compiled query, its variables bound, its rows as they are.
import { invalid } from '../../errors'
import { databaseTypeOf } from '../../hogql/types'
import type { HogqlQuery } from '../query/shape'
import { bindVariables } from '../values/bind'
import { chooseValues, codeNamesOf } from '../values/choose'
import { compiledQueryOf } from './compiled'
import type { Kind, Plan, PlanContext } from './kind'
import { cut, windowOf } from './page'

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
