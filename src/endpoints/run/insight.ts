// Runs of an insight query: its dates and choices bound, its rows in the shape of its kind (reference/endpoints-api.md §3.7).
import { queryTooLarge, ROW_CAP } from '../../analytics/engine/limits'
import { invalid } from '../../errors'
import type { CompiledQuery } from '../../hogql/compiled'
import type { PropertyFilters } from '../insights/shape'
import { breakdownPropertiesOf } from '../query/breakdowns'
import type { InsightQuery } from '../query/shape'
import { bindVariables } from '../values/bind'
import { compiledQueryOf, compileOnce } from './compiled'
import type { Kind, Plan, PlanContext } from './kind'
import type { RunRequest } from './request'

export const insightKind = (query: InsightQuery): Kind => ({
  variables: new Set(['date_from', 'date_to', ...breakdownPropertiesOf(query)]),
  isHogql: false,
  text: null,
  plan: (context) => plan(query, context),
})

async function plan(query: InsightQuery, context: PlanContext): Promise<Plan> {
  const { request, project, kept } = context
  if (request.limit !== null && !kept) {
    throw invalid('limit', `Limit/offset parameters are only supported for HogQLQuery, not ${query.kind}`)
  }
  const [{ insightAnswer, insightValues }, { choiceOf }, { withoutOmitted }] = await Promise.all([
    import('../insights'),
    import('../insights/breakdown'),
    import('../insights/omitted'),
  ])
  const wanted = withRange(query, request)
  // Relative dates are those of the moment that the rows are of.
  const answerContext = { timezone: project.timezone, now: kept?.materializedAt ?? context.now }
  const chosen = kept?.given ?? request.variables
  const choices = breakdownPropertiesOf(query).map((property) =>
    choiceOf(property, Object.hasOwn(chosen, property) ? chosen[property] : undefined),
  )
  const values = insightValues(wanted, choices, answerContext)
  const compiled = kept?.query ?? (await compiledFor(wanted, context))
  return {
    steps: [
      {
        query: compiled,
        variables: bindVariables(compiled, values, project.timezone),
        // One more than a run reads tells whether there are more.
        limit: ROW_CAP + 1,
        offset: 0,
      },
    ],
    answer([rows = []]) {
      // What is missing would count as nothing happened: a wrong number, and nobody would know.
      if (rows.length > ROW_CAP) throw queryTooLarge()
      const told = kept ? withoutOmitted({ query: wanted, rows }, choices) : { query: wanted, rows }
      return {
        body: { results: insightAnswer(told.query, told.rows, answerContext) },
        hasMore: false,
      }
    },
    isCacheable: true,
  }
}

/** The query over the dates that a run asks for; those of `filters_override` win. */
function withRange(query: InsightQuery, { variables, filtersOverride }: RunRequest): InsightQuery {
  const from = dateOf('date_from', filtersOverride?.date_from ?? variables.date_from)
  const to = dateOf('date_to', filtersOverride?.date_to ?? variables.date_to)
  if (from === null && to === null) return query
  const range = (query.dateRange ?? {}) as Record<string, unknown>
  return {
    ...query,
    dateRange: {
      ...range,
      ...(from === null ? {} : { date_from: from }),
      ...(to === null ? {} : { date_to: to }),
    },
  }
}

function dateOf(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  throw invalid('variables', `Variable '${name}' must be a date or a distance such as '-7d'.`)
}

/** Dates are bound; further filters make another query of it. */
function compiledFor(query: InsightQuery, context: PlanContext): Promise<CompiledQuery> {
  const properties = context.request.filtersOverride?.properties ?? []
  if (properties.length === 0) return compiledQueryOf(context)
  const own = query.properties as PropertyFilters | null | undefined
  const both: PropertyFilters = { type: 'AND', values: [...(own ? [own] : []), properties] }
  return compileOnce(context, { ...query, properties: both })
}
