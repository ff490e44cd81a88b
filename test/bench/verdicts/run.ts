// Judges whether the cost model admits what runs in time, over projects of several sizes. It estimates every query of the bench `cost` and every
// published query, and runs them to their end: `npm run bench -- verdicts`. SIZES in the environment has the numbers of events.
import type { ApiError } from '../../../src/errors'
import { withComputedTables } from '../../../src/analytics/engine/computed-tables'
import { createCostCheck, estimateQuery, type RunStatements } from '../../../src/analytics/engine/estimate'
import { bindVariables } from '../../../src/endpoints/values/bind-variables'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { PUBLISHED, VARIABLES } from '../../hogql/published/published'
import { PROJECT } from '../queries/data'
import { type Bench, openBench } from '../queries/open'
import { COST_QUERIES } from '../cost/queries'

const { SIZES = '1000,8000,200000,1000000', ONLY = '', ALL } = process.env

/** A query that takes less must be admitted, and one that takes longer must be refused. */
const MAX_FAST_MS = 5_000
const MIN_LATE_MS = 15_000

/** The end of the data. */
const NOW = new Date('2026-05-30T00:00:00Z')

const TYPES = Object.fromEntries(Object.entries(VARIABLES).map(([name, { type }]) => [name, type]))
const VALUES = Object.fromEntries(Object.entries(VARIABLES).map(([name, { value }]) => [name, value]))

const QUERIES = [
  ...COST_QUERIES,
  ...PUBLISHED.flatMap(({ queries }) => queries).map((hogql) => ({
    name: hogql.replace(/\s+/g, ' '),
    hogql,
  })),
].filter(({ name }) => name.includes(ONLY))

type Verdict = 'admitted' | 'refused' | 'refused though fast' | 'admitted though late' | 'failed'

function verdictOf(isRefused: boolean, hasFailed: boolean, ms: number): Verdict {
  if (isRefused) return ms < MAX_FAST_MS && !hasFailed ? 'refused though fast' : 'refused'
  if (hasFailed) return 'failed'
  return ms > MIN_LATE_MS ? 'admitted though late' : 'admitted'
}

async function judge(bench: Bench, query: CompiledQuery) {
  const runStatements: RunStatements = async (statements) => {
    const responses: Awaited<ReturnType<RunStatements>> = []
    for (const { sql, values } of statements)
      responses.push((await bench.run({ do: 'bare', sql, values, times: 1 })).rows as (typeof responses)[0])
    return responses
  }
  const run = {
    projectId: PROJECT,
    timezone: 'UTC',
    now: NOW,
    variables: bindVariables(query, new Map(Object.entries(VALUES)), 'UTC'),
    limit: query.page.ceiling ?? 100,
    offset: query.page.offset,
    queryId: null,
  }
  const estimate = await estimateQuery(runStatements, query, query.cost!, run)
  let { nanoseconds } = estimate.cost
  const check = createCostCheck(runStatements, query, query.cost!, estimate)
  const refusal = await withComputedTables(query, run, runStatements, async (stage, known) => {
    const cost = await check(stage, known)
    nanoseconds = cost.nanoseconds
    return cost
  }).then(
    () => null,
    (error: ApiError) => error.detail,
  )
  const started = performance.now()
  const { ended } = await bench.run({
    do: 'end',
    compiled: JSON.stringify(query),
    values: VALUES,
    now: NOW.toISOString(),
  })
  const ms = performance.now() - started
  const verdict = verdictOf(refusal !== null, ended !== undefined, ms)
  return { ms, estimate: nanoseconds / 1e6, verdict, refusal, ended }
}

const print = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)

print(['events', 'query', 'takes, ms', 'estimate, ms', 'verdict'])
print(['---:', '---', '---:', '---:', '---'])
const counts = new Map<string, number>()
for (const total of SIZES.split(',').map(Number)) {
  const bench = await openBench({ total })
  for (const { name, hogql } of QUERIES) {
    const query = await bench.compile(hogql, TYPES).catch(() => null)
    if (query === null) {
      const key = `${total}: not on D1`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      continue
    }
    const { ms, estimate, verdict, refusal, ended } = await judge(bench, query)
    const key = `${total}: ${verdict}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    if (verdict === 'admitted' && !ALL) continue
    const reason = refusal === null ? '' : `: ${refusal}`
    const cells = [name.slice(0, ALL ? 2_000 : 120), ms.toFixed(0), estimate.toFixed(0)]
    print([total, ...cells, `${verdict}${reason}${ended ? ` (${ended})` : ''}`])
  }
  await bench.close()
}
process.stdout.write(`\n${[...counts].map(([key, count]) => `${key} ${count}`).join('\n')}\n`)
