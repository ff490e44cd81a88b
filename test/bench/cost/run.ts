// Measures queries over a million events in workerd, and compares their time with the estimate that is made before they run: `npm run bench --
// cost`. ONLY in the environment selects the queries that have it in their names, HOGQL replaces the list by one query, and EXPLAIN also
// prints SQL and the terms of estimates.
import type { ApiError } from '../../../src/errors'
import { bindable, parameterValues } from '../../../src/analytics/engine/parameter-values'
import { withComputedTables } from '../../../src/analytics/engine/computed-tables'
import { createCostCheck, estimateQuery, type RunStatements } from '../../../src/analytics/engine/estimate'
import type { Run } from '../../../src/analytics/engine/query-engine'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { type Cost, valueOfStep } from '../../../src/hogql/cost/budget'
import { PROJECT } from '../queries/data'
import { openBench } from '../queries/open'
import { COST_QUERIES, type CostQuery } from './queries'

const { EXPLAIN, HOGQL, ONLY = '' } = process.env

const QUERIES: readonly CostQuery[] = HOGQL
  ? [{ name: 'HOGQL', hogql: HOGQL }]
  : COST_QUERIES.filter(({ name }) => name.includes(ONLY))

const bench = await openBench()

/** Runs SQL. @returns its rows, and the milliseconds that it took */
async function timed(sql: string, values: unknown[]): Promise<{ rows: unknown[][]; ms: number }> {
  const started = performance.now()
  const { rows } = await bench.run({ do: 'bare', sql, values, times: 1 })
  return { rows, ms: performance.now() - started }
}

const runStatements: RunStatements = async (statements) => {
  const responses: Awaited<ReturnType<RunStatements>> = []
  for (const { sql, values } of statements)
    responses.push((await timed(sql, values)).rows as (typeof responses)[0])
  return responses
}

/** Returns the cost with which a query is admitted, and the run with what it looks up; or its estimate with the reason why it is refused. */
async function decide(query: CompiledQuery, run: Run): Promise<{ cost: Cost; known: Run; refusal: string }> {
  const formulas = query.cost!
  const estimate = await estimateQuery(runStatements, query, formulas, run)
  if (EXPLAIN) {
    for (const [label, place] of [...formulas.texts, formulas].flatMap(({ parts }) => parts))
      process.stdout.write(
        `${label}: ${(valueOfStep(formulas, estimate.known, place) / 1e6).toFixed(0)} ms\n`,
      )
    process.stdout.write(`memory: ${(estimate.cost.held / 1e6).toFixed(0)} MB\n\n`)
  }
  let { cost } = estimate
  const check = createCostCheck(runStatements, query, formulas, estimate)
  try {
    const known = await withComputedTables(query, run, runStatements, async (stage, now) => {
      cost = await check(stage, now)
      return cost
    })
    return { cost, known, refusal: '' }
  } catch (error) {
    return { cost: estimate.cost, known: run, refusal: `refused: ${(error as ApiError).detail}` }
  }
}

const print = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)

print(['query', 'takes, ms', 'estimate, ms', 'ratio', 'mostly'])
print(['---', '---:', '---:', '---:', '---'])
let lowest = Infinity
for (const { name, hogql, limit = 100 } of QUERIES) {
  const query = await bench.compile(hogql)
  if (EXPLAIN) process.stdout.write(`\n${query.sql}\n\n`)
  const run = {
    projectId: PROJECT,
    timezone: 'UTC',
    now: new Date(0),
    variables: new Map(),
    limit,
    offset: 0,
    queryId: null,
  }
  const { cost, known, refusal } = await decide(query, run)
  const estimate = cost.nanoseconds / 1e6
  // A query that is refused may take hours.
  if (HOGQL && refusal) {
    print([name, '', estimate.toFixed(0), '', refusal])
    continue
  }
  const values = parameterValues(query, known).map(bindable)
  const { ms } = await timed(query.sql, values)
  lowest = Math.min(lowest, estimate / ms)
  print([name, ms.toFixed(0), estimate.toFixed(0), (estimate / ms).toFixed(1), refusal || cost.mostly])
}
if (Number.isFinite(lowest)) process.stdout.write(`\nLowest ratio: ${lowest.toFixed(1)}\n`)
await bench.close()
