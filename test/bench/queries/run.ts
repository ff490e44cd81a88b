// Compares saved queries over a million events, from HogQL through the compiler and the D1 engine, with SQL written by hand for the same rows on the
// same database. Both run in workerd, without the development proxy. `npm run bench -- queries`; with EXPLAIN=1 in the
// environment, the SQL and SQLite's query plans of both are printed, too.
import { deepStrictEqual } from 'node:assert'
import { parameterValues } from '../../../src/analytics/engine/parameter-values'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { processorTime } from '../processor-time'
import { PROJECT } from './data'
import { openBench } from './open'
import { QUERIES } from './queries'
import type { Task } from './worker'

/** Each round runs either side once: other work on the machine meets both. Of both, the round with the least processor time counts. */
const ROUNDS = 9
const TRIVIAL = 'SELECT 1 AS one'
const TRIVIAL_TIMES = 500
const TRIVIAL_ROUNDS = 10

const bench = await openBench()

/** The context of the run that the engine binds. No query of the bench reads its time. */
const valuesOf = (query: CompiledQuery) =>
  parameterValues(query, {
    projectId: PROJECT,
    timezone: 'UTC',
    now: new Date(0),
    variables: new Map(),
    limit: query.page.ceiling ?? 100,
    offset: query.page.offset,
    queryId: null,
  }).map((value) => (typeof value === 'boolean' ? Number(value) : value))

async function printPlan(title: string, sql: string, values: unknown[]): Promise<void> {
  const statement = bench.events.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values)
  const { results } = await statement.all<{ id: number; parent: number; detail: string }>()
  const depth = new Map<number, number>([[0, 0]])
  process.stdout.write(`\n-- ${title}\n${sql}\n-- ${JSON.stringify(values)}\n`)
  for (const { id, parent, detail } of results) {
    depth.set(id, (depth.get(parent) ?? 0) + 1)
    process.stdout.write(`${'  '.repeat(depth.get(id)!)}${detail}\n`)
  }
}

function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2
}

const rows = [
  ['query', 'ours, CPU ms', 'by hand, CPU ms', 'ratio'],
  ['---', '---:', '---:', '---:'],
]
const ratios: number[] = []
for (const { name, hogql, sql } of QUERIES) {
  const query = await bench.compile(hogql)
  const compiled = JSON.stringify(query)
  if (process.env.EXPLAIN) {
    await printPlan(`${name}: ours`, query.sql, valuesOf(query))
    await printPlan(`${name}: by hand`, sql, [])
  }
  const spans = { ours: [] as number[], byHand: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = processorTime()
    const ours = await bench.run({ do: 'run', compiled, times: 1 })
    const between = processorTime()
    const byHand = await bench.run({ do: 'bare', sql, values: [], times: 1 })
    if (round === 0) deepStrictEqual(ours.rows, byHand.rows, `${name}: other rows`)
    spans.ours.push(between - before)
    spans.byHand.push(processorTime() - between)
  }
  const [ours, byHand] = [Math.min(...spans.ours), Math.min(...spans.byHand)]
  ratios.push(ours / byHand)
  rows.push([name, ours.toFixed(0), byHand.toFixed(0), (ours / byHand).toFixed(2)])
}
process.stdout.write(rows.map((cells) => `| ${cells.join(' | ')} |\n`).join(''))
process.stdout.write(`\nMedian ratio: ${medianOf(ratios).toFixed(2)}\n`)

type Timed = Extract<Task, { times: number }>

/** Returns the processor time of a run in milliseconds. */
async function costOf(task: Timed): Promise<number> {
  const before = processorTime()
  await bench.run(task)
  return (processorTime() - before) / task.times
}

const trivial = await bench.compile(TRIVIAL)
const tasks: [ours: Timed, bare: Timed] = [
  { do: 'run', compiled: JSON.stringify(trivial), times: TRIVIAL_TIMES },
  { do: 'bare', sql: trivial.sql, values: valuesOf(trivial), times: TRIVIAL_TIMES },
]
const differences: number[] = []
for (let round = 0; round < TRIVIAL_ROUNDS; round += 1) {
  const ours = await costOf(tasks[0])
  const bare = await costOf(tasks[1])
  // The first round warms both up.
  if (round > 0) differences.push(ours - bare)
}
process.stdout.write(
  `\n\`${TRIVIAL}\` from its stored form takes ${medianOf(differences).toFixed(3)} ms of processor time more than the same SQL sent to D1\n`,
)
await bench.close()
