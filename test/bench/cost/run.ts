// What queries over a million events take in workerd, beside what they are estimated to take before they run: `npm run bench -- cost`. With
// ONLY in the environment, just the queries that have it in their names; with EXPLAIN, their SQL and the parts of their estimates too.
import type { ApiError } from '../../../src/errors'
import { bindable, parameterValues } from '../../../src/analytics/engine/parameter-values'
import { type RunStatements, estimateQuery, requireAffordable } from '../../../src/analytics/engine/estimate'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import type { Cost } from '../../../src/hogql/cost/budget'
import { PROJECT } from '../queries/data'
import { openBench } from '../queries/open'
import { COST_QUERIES } from './queries'

const { EXPLAIN, ONLY = '' } = process.env

const bench = await openBench()

/** Runs SQL. @returns its rows, and the milliseconds that it took. */
async function timed(sql: string, values: unknown[]): Promise<{ rows: unknown[][]; ms: number }> {
  const started = performance.now()
  const { rows } = await bench.run({ do: 'bare', sql, values, times: 1 })
  return { rows, ms: performance.now() - started }
}

const runStatements: RunStatements = async (statements) => {
  const responses: number[][][] = []
  for (const { sql, values } of statements) responses.push((await timed(sql, values)).rows as number[][])
  return responses
}

/** The cost of a query as it is when it is let through; as text, why it is not. */
async function decide(
  query: CompiledQuery,
  run: Parameters<typeof parameterValues>[1],
): Promise<{ cost: Cost; refusal: string }> {
  const plan = query.cost!
  const estimate = await estimateQuery(runStatements, query, plan, run)
  try {
    return { cost: await requireAffordable(runStatements, query, plan, estimate, run), refusal: '' }
  } catch (error) {
    return { cost: estimate.cost, refusal: `refused: ${(error as ApiError).detail}` }
  }
}

const print = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)

print(['query', 'takes, ms', 'estimate, ms', 'ratio', 'mostly'])
print(['---', '---:', '---:', '---:', '---'])
let lowest = Infinity
for (const { name, hogql, limit = 100 } of COST_QUERIES) {
  if (!name.includes(ONLY)) continue
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
  const { cost, refusal } = await decide(query, run)
  const values = parameterValues(query, run).map(bindable)
  const { ms } = await timed(query.sql, values)
  const estimate = cost.nanoseconds / 1e6
  lowest = Math.min(lowest, estimate / ms)
  print([name, ms.toFixed(0), estimate.toFixed(0), (estimate / ms).toFixed(1), refusal || cost.mostly])
}
process.stdout.write(`\nLowest ratio: ${lowest.toFixed(1)}\n`)
await bench.close()
