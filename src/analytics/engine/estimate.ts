// Estimates the cost of a query on a shard before it runs, from statistics, and from measures where the statistics would reject it.
import { allParameters, type CompiledQuery, type CostFormulas, type Statement } from '../../hogql/compiled'
import { STATISTIC_FIELDS, type VariableAspect } from '../../hogql/cost/formula'
import { excessOf, MAX_MEASURES_NS, type Cost, costOfParts, valueOfStep } from '../../hogql/cost/budget'
import { queryTooExpensive } from './limits'
import { bindable, parameterValues } from './parameter-values'
import type { BoundValue, Run } from './query-engine'

/** Runs statements in one round trip. @returns the rows of each statement, by column */
export type RunStatements = (
  statements: readonly { sql: string; values: (string | number | null)[] }[],
) => Promise<number[][][]>

export interface Estimate {
  cost: Cost
  /** The input of the estimate. */
  known: Parameters<typeof costOfParts>[1]
}

export async function estimateQuery(
  runStatements: RunStatements,
  query: CompiledQuery,
  formulas: CostFormulas,
  run: Run,
): Promise<Estimate> {
  const statistics =
    formulas.statistics.length === 0
      ? []
      : await runStatements(
          formulas.statistics.map((statement) => ({
            sql: statement.sql,
            values: valuesOf(statement, query, run),
          })),
        )
  const known: Estimate['known'] = {
    statistic: (index, field) => statistics[index]?.[0]?.[STATISTIC_FIELDS.indexOf(field)] ?? 0,
    variable: (name, as) => variableAspect(name, as, query, run),
    page: run.limit + run.offset,
    measured: () => undefined,
  }
  return { cost: costOfParts(formulas, known), known }
}

/** Checks the cost of a query. Where the estimate exceeds the limit, measures replace it. @throws 400 `query_too_expensive` */
export async function requireAffordable(
  runStatements: RunStatements,
  query: CompiledQuery,
  formulas: CostFormulas,
  { cost, known }: Estimate,
  run: Run,
): Promise<Cost> {
  const measuredRows = new Map<number, number[]>()
  const measured = {
    ...known,
    measured: (measure: number, column: number) => measuredRows.get(measure)?.[column],
  }
  let excess = excessOf(cost)
  let spentNs = 0
  for (const [index, measure] of formulas.measures.entries()) {
    if (excess === null) break
    const nanoseconds = valueOfStep(formulas, measured, measure.cost)
    if (spentNs + nanoseconds > MAX_MEASURES_NS) continue
    // A measure cannot run when it looks up results that the Worker has not computed yet.
    if (measure.query.parameters.some(({ kind }) => kind === 'lookup')) continue
    spentNs += nanoseconds
    const [rows] = await runStatements([
      { sql: measure.query.sql, values: valuesOf(measure.query, query, run) },
    ])
    measuredRows.set(
      index,
      (rows?.[0] ?? []).map((value) => Math.max(0, value ?? 0)),
    )
    excess = excessOf(costOfParts(formulas, measured))
  }
  if (excess !== null) throw queryTooExpensive(excess, formulas.statistics.length > 0)
  return costOfParts(formulas, measured)
}

const placesOf = (query: CompiledQuery): ReadonlyMap<string, number> =>
  new Map(allParameters(query).map((parameter, place) => [JSON.stringify(parameter), place]))

/** Returns the values of another statement that has the query's variables. */
export function valuesOf(statement: Statement, query: CompiledQuery, run: Run): (string | number | null)[] {
  const places = placesOf(query)
  const variables = new Map(
    statement.parameters.flatMap((parameter, place) => {
      if (parameter.kind !== 'variable') return []
      const value = run.variables.get(places.get(JSON.stringify(parameter)) ?? -1)
      return value === undefined ? [] : [[place, value] as const]
    }),
  )
  return parameterValues(statement, { ...run, variables }).map(bindable)
}

/** Returns the maximum over the values of a variable. */
function variableAspect(name: string, as: VariableAspect, query: CompiledQuery, run: Run): number {
  const values = allParameters(query).flatMap((parameter, place) =>
    parameter.kind === 'variable' && parameter.name === name ? [run.variables.get(place) ?? null] : [],
  )
  return Math.max(0, ...values.map(as === 'bytes' ? bytesOf : numberOf))
}

/** Returns zero for a value that is no number. */
const numberOf = (value: BoundValue): number => (Number.isNaN(Number(value)) ? 0 : Number(value))

const bytesOf = (value: BoundValue): number => new TextEncoder().encode(String(bindable(value) ?? '')).length
