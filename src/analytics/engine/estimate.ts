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
) => Promise<(string | number | null)[][][]>

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
    statistic: (index, field) => Number(statistics[index]?.[0]?.[STATISTIC_FIELDS.indexOf(field)] ?? 0),
    variable: (name, as) => variableAspect(name, as, query, run),
    page: run.limit + run.offset,
    measured: () => undefined,
  }
  return { cost: costOfParts(formulas, known), known }
}

/**
 * Checks the cost of a query before the statement at `stage` runs. The statements that read texts for the query come first, and the last
 * stage is the query itself.
 * @param run with what the earlier statements found
 * @returns the cost of the query, as far as it is known
 * @throws 400 `query_too_expensive`
 */
export type RequireAffordable = (stage: number, run: Run) => Promise<Cost>

/** Creates the check of a query's cost. Where the estimate exceeds the limit, measures replace it. */
export function createCostCheck(
  runStatements: RunStatements,
  query: CompiledQuery,
  formulas: CostFormulas,
  { known }: Pick<Estimate, 'known'>,
): RequireAffordable {
  const { measures, texts, statistics, readsEvents } = formulas
  const source = statistics.length === 0 ? 'constants' : readsEvents ? 'events' : 'tables'
  const taken = new Map<number, number[]>()
  /** Measures that are not taken count as their bounds, or as `otherwise`. */
  const inputs = (otherwise?: number) => ({
    ...known,
    measured: (measure: number, column: number) => taken.get(measure)?.[column] ?? otherwise,
  })
  const measured = inputs()
  let spentNs = 0
  return async (stage, run) => {
    const total = costOfParts(formulas, measured)
    let excess = excessOf(total)
    if (excess === null) return total
    const refuse = (reason: string) => queryTooExpensive(reason, source)
    // What no measure can admit is refused before anything is read.
    if (excessOf(costOfParts(formulas, inputs(0))) !== null) throw refuse(excess)
    const first = texts[stage - 1]?.measures ?? 0
    const end = texts[stage]?.measures ?? measures.length
    excess = excessOf(costOfParts(formulas, measured, stage + 1))
    // Those of this statement come before those that earlier ones did not need.
    for (let place = 0; place < end && excess !== null; place += 1) {
      const index = (first + place) % end
      const measure = measures[index]!
      const nanoseconds = valueOfStep(formulas, measured, measure.cost)
      if (taken.has(index) || spentNs + nanoseconds > MAX_MEASURES_NS) continue
      spentNs += nanoseconds
      const [rows] = await runStatements([
        { sql: measure.query.sql, values: valuesOf(measure.query, query, run) },
      ])
      taken.set(
        index,
        (rows?.[0] ?? []).map((value) => Math.max(0, Number(value ?? 0))),
      )
      excess = excessOf(costOfParts(formulas, measured, stage + 1))
    }
    if (excess !== null) throw refuse(excess)
    return costOfParts(formulas, measured)
  }
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
