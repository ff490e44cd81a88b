// Whether a run is answered from materialized rows (reference/endpoints-api.md §3.3). Pure: the budget that a run counts for and the answer that
// it is given go by the same decision.
import { invalid } from '../../errors'
import type { CompiledQuery } from '../../hogql/compiled'
import { COMPILER_VERSION } from '../compile/compiled-version'
import { canOmit } from '../insights/omitted-breakdowns'
import type { ReadPlan } from '../materialization/stored-plan'
import { readingFrom, tableName } from '../materialization/tables'
import { breakdownPropertiesOf } from '../query/written-breakdowns'
import type { EndpointQuery } from '../query/query-types'
import type { RunnableMaterialization, RunnableVersion } from './find-runnable'
import type { RunRequest } from './run-request'

export interface KeptRows {
  /** Names the table, and with it the build that wrote it. */
  table: string
  /** Reads it. */
  query: CompiledQuery
  /** The moment that its rows are of. */
  materializedAt: Date
  /** When they are too old. */
  expiry: Date
  /** Code names or breakdown properties that the run has to give. */
  required: readonly string[]
  /** What the run gives, `filters_override` among it. */
  given: Readonly<Record<string, unknown>>
  /** Whether the query itself has to be run when there are none. */
  inlineWhenEmpty: boolean
}

type Materialized = Pick<
  RunnableVersion,
  'query' | 'dataFreshnessSeconds' | 'materialization' | 'optionalBreakdownProperties'
>

/** The rows that answer a run; null when the query itself has to be run. */
export function keptRowsFor(
  version: Materialized,
  request: Pick<RunRequest, 'refresh' | 'variables' | 'filtersOverride'>,
  { timezone, now }: { timezone: string; now: Date },
): KeptRows | null {
  const { materialization } = version
  if (materialization === null || request.refresh === 'direct') return null
  const { id, generation, lastMaterializedAt } = materialization
  if (generation === null || lastMaterializedAt === null || materialization.plan === null) return null
  const materializedAt = new Date(lastMaterializedAt)
  const expiry = new Date(materializedAt.getTime() + version.dataFreshnessSeconds * 1000)
  if (expiry <= now) return null
  const plan = JSON.parse(materialization.plan) as ReadPlan
  // Another compiler may not make this plan any more; the next build shows.
  if (plan.compiler !== COMPILER_VERSION || plan.timezone !== timezone) return null
  const required = requiredOf(version, plan)
  const given = givenIn(version.query, request, required)
  if (given === null || !areTold(version.query, given, required)) return null
  const table = tableName({ id, generation })
  const { read, inlineWhenEmpty } = plan
  const query = readingFrom(read, table)
  return { table, query, materializedAt, expiry, required, given, inlineWhenEmpty }
}

/** Whether a version has rows that a run could leave aside, or had some that sleep. */
export const isDirectAllowed = (materialization: RunnableMaterialization | null): boolean =>
  materialization !== null && (materialization.generation !== null || materialization.hibernatedAt !== null)

/** @throws 400 `variables` for those that are missing. */
export function requireGiven({ required, given }: KeptRows): void {
  const missing = required.filter((name) => isMissing(given, name))
  if (missing.length === 0) return
  throw invalid(
    'variables',
    `Required variable(s) ${missing.map((name) => `'${name}'`).join(', ')} not provided`,
  )
}

/** NULL is none. */
const isMissing = (given: KeptRows['given'], name: string) =>
  !Object.hasOwn(given, name) || (given[name] ?? null) === null

/** Whether the rows tell what is asked of an insight that leaves out breakdowns which are not required. */
function areTold(query: EndpointQuery, given: KeptRows['given'], required: readonly string[]): boolean {
  if (query.kind === 'HogQLQuery' || canOmit(query)) return true
  const omitted = breakdownPropertiesOf(query).filter((name) => isMissing(given, name))
  return omitted.length === 0 || omitted.some((name) => required.includes(name))
}

function requiredOf({ query, optionalBreakdownProperties }: Materialized, plan: ReadPlan): string[] {
  if (query.kind === 'HogQLQuery') return plan.required
  return breakdownPropertiesOf(query).filter((property) => !optionalBreakdownProperties.includes(property))
}

/** What a run asks of the rows; null when it asks for something that they do not tell. */
function givenIn(
  query: EndpointQuery,
  { variables, filtersOverride }: Pick<RunRequest, 'variables' | 'filtersOverride'>,
  required: readonly string[],
): Record<string, unknown> | null {
  const told = query.kind === 'HogQLQuery' ? required : breakdownPropertiesOf(query)
  if (Object.keys(variables).some((name) => !told.includes(name))) return null
  if (filtersOverride === null) return { ...variables }
  const { date_from: from, date_to: to, properties } = filtersOverride
  if ((from ?? null) !== null || (to ?? null) !== null) return null
  const [first, ...more] = properties ?? []
  if (!first) return { ...variables }
  const chosen = choiceIn(told, first)
  const given = { ...variables, ...chosen }
  if (chosen && more.length === 0) return given
  // Other filters need the events themselves, but are no reason to leave out what is required.
  return required.some((name) => isMissing(given, name)) ? given : null
}

/** A filter that is nothing but a value of the one breakdown. */
function choiceIn(
  breakdowns: readonly string[],
  filter: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const [property, ...others] = breakdowns
  if (property === undefined || others.length > 0 || filter.key !== property) return null
  if ((filter.operator ?? 'exact') !== 'exact') return null
  const { value } = filter
  const [single] = Array.isArray(value) && value.length === 1 ? (value as unknown[]) : [value]
  return typeof single === 'string' || typeof single === 'number' || typeof single === 'boolean'
    ? { [property]: single }
    : null
}
