// Decides whether a run reads materialized rows (docs/reference/endpoints.md#where-a-run-finds-its-rows). Pure: the throttle and the
// result depend on the same decision.
import { invalid } from '../../errors'
import type { CompiledQuery } from '../../hogql/compiled'
import { COMPILER_VERSION } from '../compile/compiled-version'
import { beginsOnce, canOmit } from '../insights/omitted-breakdowns'
import type { CompiledRead } from '../materialization/compiled-read'
import { readingFrom, tableName } from '../materialization/tables'
import { breakdownPropertiesOf, breakdownsIn, isFilterOf } from '../query/written-breakdowns'
import type { SourceQuery } from '../query/query-types'
import type { RunnableVersion } from './find-runnable'
import { expiryOf } from './result-cache'
import type { RunRequest } from './run-request'

export interface MaterializedRead {
  /** The name of the table of one build. */
  table: string
  query: CompiledQuery
  /** The time of the rows. */
  materializedAt: Date
  expiresAt: Date
  /** Variables or breakdown properties that the run requires. */
  required: readonly string[]
  /** Values of the run, including those of `filters_override`. */
  given: Readonly<Record<string, unknown>>
  /** Whether to run the query itself when no row matches. */
  inlineWhenEmpty: boolean
}

type Materialized = Pick<
  RunnableVersion,
  'query' | 'dataFreshnessSeconds' | 'materialization' | 'optionalBreakdownProperties'
>

/** Returns null when the query itself has to run. */
export function chooseMaterializedRead(
  version: Materialized,
  request: Pick<RunRequest, 'refresh' | 'variables' | 'filtersOverride'>,
  { timezone, now }: { timezone: string; now: Date },
): MaterializedRead | null {
  const { materialization } = version
  if (materialization === null || request.refresh === 'direct') return null
  const { id, generation, lastMaterializedAt } = materialization
  if (generation === null || lastMaterializedAt === null || materialization.plan === null) return null
  const materializedAt = new Date(lastMaterializedAt)
  const expiresAt = expiryOf(materializedAt, version.dataFreshnessSeconds)
  if (expiresAt <= now) return null
  const compiled = JSON.parse(materialization.plan) as CompiledRead
  // A query of another compiler is not used, and the next build replaces it.
  if (compiled.compiler !== COMPILER_VERSION || compiled.timezone !== timezone) return null
  const required = requiredOf(version, compiled)
  const given = givenIn(version.query, request, required)
  if (given === null || !areSufficient(version.query, given, required)) return null
  const table = tableName({ id, generation })
  const { read, inlineWhenEmpty } = compiled
  const query = readingFrom(read, table)
  return { table, query, materializedAt, expiresAt, required, given, inlineWhenEmpty }
}

/** Whether a version has materialized rows, or hibernated ones. */
export const isDirectAllowed = ({ materialization }: Pick<RunnableVersion, 'materialization'>): boolean =>
  materialization !== null && (materialization.generation !== null || materialization.hibernatedAt !== null)

/** @throws 400 `variables` with the missing names */
export function requireGiven({ required, given }: MaterializedRead): void {
  const missing = required.filter((name) => isMissing(given, name))
  if (missing.length === 0) return
  throw invalid(
    'variables',
    `Required variable(s) ${missing.map((name) => `'${name}'`).join(', ')} not provided`,
  )
}

/** Whether a value is missing. Null counts as missing. */
const isMissing = (given: MaterializedRead['given'], name: string) =>
  !Object.hasOwn(given, name) || (given[name] ?? null) === null

/** Whether the rows suffice for the breakdowns that a run leaves out. */
function areSufficient(
  query: SourceQuery,
  given: MaterializedRead['given'],
  required: readonly string[],
): boolean {
  if (query.kind === 'HogQLQuery' || canOmit(query)) return true
  const omitted = breakdownPropertiesOf(query).filter((name) => isMissing(given, name))
  return omitted.length === 0 || omitted.some((name) => required.includes(name))
}

function requiredOf({ query, optionalBreakdownProperties }: Materialized, compiled: CompiledRead): string[] {
  if (query.kind === 'HogQLQuery') return compiled.required
  return breakdownPropertiesOf(query).filter((property) => !optionalBreakdownProperties.includes(property))
}

/** Returns the values of the run, or null when the rows do not suffice for its filters. */
function givenIn(
  query: SourceQuery,
  { variables, filtersOverride }: Pick<RunRequest, 'variables' | 'filtersOverride'>,
  required: readonly string[],
): Record<string, unknown> | null {
  const known = query.kind === 'HogQLQuery' ? required : breakdownPropertiesOf(query)
  if (Object.keys(variables).some((name) => !known.includes(name))) return null
  if (filtersOverride === null) return { ...variables }
  const { date_from: from, date_to: to, properties } = filtersOverride
  if ((from ?? null) !== null || (to ?? null) !== null) return null
  const [first, ...more] = properties ?? []
  if (!first) return { ...variables }
  const chosen = choiceIn(query, first)
  const given = { ...variables, ...chosen }
  if (chosen && more.length === 0) return given
  // Other filters need the events, but cannot replace a required value.
  return required.some((name) => isMissing(given, name)) ? given : null
}

/**
 * Returns the choice that a filter makes, if it only chooses a value of the single breakdown. It does not where values are normalized, and
 * where it decides which event of an actor is the first.
 */
function choiceIn(
  query: SourceQuery,
  filter: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const [breakdown, ...others] = breakdownsIn(query)
  if (!breakdown || others.length > 0 || !isFilterOf(breakdown, filter)) return null
  if (breakdown.isUrl || (query.kind === 'RetentionQuery' && beginsOnce(query))) return null
  if ((filter.operator ?? 'exact') !== 'exact') return null
  const { value } = filter
  const [single] = Array.isArray(value) && value.length === 1 ? (value as unknown[]) : [value]
  // As a variable, an empty text chooses "no value".
  return (typeof single === 'string' && single !== '') ||
    typeof single === 'number' ||
    typeof single === 'boolean'
    ? { [breakdown.property]: single }
    : null
}
