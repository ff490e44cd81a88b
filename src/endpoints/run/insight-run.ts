// Runs of an insight: binds dates and choices, and shapes the rows (docs/reference/endpoints.md#variables-of-a-run).
import { MAX_RESULT_ROWS } from '../../analytics/engine/limits'
import { aboutField, invalid } from '../../errors'
import type { CompiledQuery } from '../../hogql/compiled'
import {
  breakdownPropertiesOf,
  breakdownsIn,
  isFilterOf,
  rangeVariablesOf,
} from '../query/written-breakdowns'
import type { InsightQuery } from '../query/query-types'
import { bindVariables } from '../values/bind-variables'
import { compiledQueryOf, compileOnce } from './compiled-query'
import type { QueryKind, BoundQuery, BindContext } from './query-kind'
import type { RunRequest } from './run-request'

export const insightKind = (query: InsightQuery): QueryKind => ({
  variables: new Set([...rangeVariablesOf(query), ...breakdownPropertiesOf(query)]),
  isHogql: false,
  text: null,
  bind: (context) => bind(query, context),
})

async function bind(query: InsightQuery, context: BindContext): Promise<BoundQuery> {
  const { request, project, materialized } = context
  // A materialized insight ignores the limit, as upstream.
  if (request.limit !== null && context.version.materialization === null) {
    throw invalid('limit', `Limit/offset parameters are only supported for HogQLQuery, not ${query.kind}`)
  }
  const [
    { insightPage, insightResult, insightValues },
    { choiceOf },
    { isRangeDate },
    { withoutOmitted },
    { insightTooLarge },
  ] = await Promise.all([
    import('../insights/insight.ts'),
    import('../insights/breakdown'),
    import('../insights/date-range'),
    import('../insights/omitted-breakdowns'),
    import('../insights/result-budget'),
  ])
  const queryInRange = withRange(query, request, (name, text) => isRangeDate(name, text, project.timezone))
  // Relative dates of materialized rows refer to the time of the rows.
  const resultContext = { timezone: project.timezone, now: materialized?.materializedAt ?? context.now }
  const chosen = materialized?.given ?? request.variables
  // A filter of `filters_override` takes precedence over the variable of its property.
  const filters = materialized ? [] : (request.filtersOverride?.properties ?? [])
  const choices = breakdownsIn(query).map((breakdown) => {
    const { property } = breakdown
    const isChosen =
      Object.hasOwn(chosen, property) && !filters.some((filter) => isFilterOf(breakdown, filter))
    return choiceOf(property, isChosen ? chosen[property] : undefined)
  })
  let values: ReadonlyMap<string, string>
  try {
    values = insightValues(queryInRange, choices, resultContext)
  } catch (error) {
    // The error has no attr, because the request has no field with the stored query.
    throw aboutField(null, error)
  }
  const compiled = materialized?.query ?? (await compiledFor(queryInRange, context))
  const page = insightPage(query)
  return {
    query: compiled,
    variables: bindVariables(compiled, values, project.timezone),
    // The extra row shows whether more rows follow.
    limit: page?.limit ?? MAX_RESULT_ROWS + 1,
    offset: page?.offset ?? 0,
    shape(rows) {
      // A result with missing rows would show them as zero.
      if (rows.length > MAX_RESULT_ROWS) throw insightTooLarge()
      const known = materialized
        ? withoutOmitted({ query: queryInRange, rows }, choices)
        : { query: queryInRange, rows }
      const { hasMore = false, ...body } = insightResult(known.query, known.rows, resultContext)
      return { body, hasMore }
    },
    // The types of these properties are not stored with the version, so that a change of one would not end the result.
    isCacheable: (context.request.filtersOverride?.properties ?? []).length === 0,
  }
}

type RangeEnd = 'date_from' | 'date_to'
type IsDate = (name: RangeEnd, text: string) => boolean

/**
 * Returns the query with the date range of the run, for each end that of `filters_override` before the run's variables. As upstream, a run
 * with one end has none of the query.
 */
function withRange(query: InsightQuery, request: RunRequest, isDate: IsDate): InsightQuery {
  const from = dateOf('date_from', request, isDate)
  const to = dateOf('date_to', request, isDate)
  if (from === null && to === null) return query
  switch (query.kind) {
    case 'ActorsQuery':
      throw invalid('filters_override', 'An ActorsQuery has no date range.')
    case 'EventsQuery':
      return { ...query, after: from, before: to }
    default:
      return { ...query, dateRange: { ...query.dateRange, date_from: from, date_to: to } }
  }
}

/** @throws 400 with the field of the request */
function dateOf(name: RangeEnd, { variables, filtersOverride }: RunRequest, isDate: IsDate): string | null {
  const overriding = filtersOverride?.[name] ?? null
  const value = overriding ?? variables[name] ?? null
  if (value === null) return null
  if (typeof value === 'string' && isDate(name, value)) return value
  throw overriding === null
    ? invalid('variables', `Variable '${name}' must be a date or a distance such as '-7d'.`)
    : invalid('filters_override', `'${name}' must be a date or a distance such as '-7d'.`)
}

/** Returns the compiled query. Dates are bound to it; further filters need another compilation. */
async function compiledFor(query: InsightQuery, context: BindContext): Promise<CompiledQuery> {
  const properties = context.request.filtersOverride?.properties ?? []
  if (properties.length === 0) return compiledQueryOf(context)
  const values = [...[query.properties ?? []].flat(), ...properties]
  try {
    return await compileOnce(context, { ...query, properties: { type: 'AND', values } })
  } catch (error) {
    throw aboutField('filters_override', error)
  }
}
