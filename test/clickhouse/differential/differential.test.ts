// Queries that nobody wrote, on D1 and on the real ClickHouse engine over the same rows: D1 gives ClickHouse's values, or rejects the query.
// `FUZZ_RUNS=20 FUZZ_SEED=7 npm run test:clickhouse -- test/clickhouse/differential` tries more, of other chance.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueryEngine } from '../../../src/analytics/engine/query-engine'
import { ApiError } from '../../../src/errors'
import { compileHogql, type Compiled } from '../../../src/hogql/compile'
import { HogqlError } from '../../../src/hogql/error'
import { NOW } from '../../hogql/corpus/dataset'
import { createRandom, type Random } from '../faults/random'
import { type Engines, startEngines } from './engines'
import { callOf, operatorOf, operators, signaturesOf } from './expressions'
import { propertyType, rowsOf } from './rows'
import { sameValue } from './tolerance'

const RUNS = Number(process.env.FUZZ_RUNS || 1)
const SEED = Number(process.env.FUZZ_SEED || 1)
/** Milliseconds of a run, where nobody asked for a number of them. */
const BUDGET = process.env.FUZZ_RUNS ? Infinity : 15_000
/** Samples of a run then. */
const MOST = process.env.FUZZ_RUNS ? Infinity : 50

/** Columns of a query. */
const AT_ONCE = 10

const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu']
const zoneOf = (seed: number): string => ZONES[seed % ZONES.length]!

/** The first project with rows; each run has one of its own. */
const PROJECT = 1000

interface Shape {
  name: string
  /** Columns before those. */
  keys: number
  /** The query that has these columns. */
  query(columns: readonly string[]): string
}

const ROWS: Shape = {
  name: 'rows',
  keys: 1,
  query: (columns) => `SELECT uuid, ${columns.join(', ')} FROM events ORDER BY uuid`,
}
const GROUPS: Shape = {
  name: 'groups',
  keys: 1,
  query: (columns) => `SELECT event, ${columns.join(', ')} FROM events GROUP BY event ORDER BY event`,
}
const TOTALS: Shape = {
  name: 'totals',
  keys: 0,
  query: (columns) => `SELECT ${columns.join(', ')} FROM events`,
}
const NOTHING: Shape = {
  name: 'no rows',
  keys: 0,
  query: (columns) => `SELECT ${columns.join(', ')} FROM events WHERE event = 'nothing'`,
}

interface Sample {
  expression: string
  shape: Shape
  topic: string
}

const FRAMES = [
  '',
  'ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
  'ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING',
  'ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING',
  'ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING',
  'ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING',
]

const windowed = (random: Random, call: string) =>
  `${call} OVER (${random.isLikely(0.7) ? 'PARTITION BY event ' : ''}ORDER BY uuid ${random.pick(FRAMES)})`

function samplesOf(random: Random): Sample[] {
  const depth = random.below(3)
  const calls = signaturesOf(random).map((signature): Sample => {
    const { spec } = signature
    const call = callOf(random, signature, depth)
    if (spec.kind === 'window') return { topic: spec.name, shape: ROWS, expression: windowed(random, call) }
    if (spec.kind === 'scalar') return { topic: spec.name, shape: ROWS, expression: call }
    if (spec.window && random.isLikely(0.2) && !call.includes('DISTINCT')) {
      return { topic: spec.name, shape: ROWS, expression: windowed(random, call) }
    }
    const conditional = random.isLikely(0.2)
      ? call.replace(/\)$/, `${call.endsWith('()') ? '' : ', '}properties.flag)`).replace(/^\w+/, '$&If')
      : call
    return {
      topic: spec.name,
      shape: random.pick([GROUPS, GROUPS, TOTALS, NOTHING]),
      expression: conditional,
    }
  })
  const others = operators().map((template): Sample => ({
    topic: template,
    shape: ROWS,
    expression: operatorOf(random, template, depth),
  }))
  return random.shuffled([...calls, ...others])
}

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('differential')
  for (let run = 0; run < RUNS; run++) {
    const seed = SEED + run
    await engines.load(PROJECT + run, rowsOf(createRandom(seed), zoneOf(seed) === 'UTC'))
  }
})
afterAll(() => engines?.stop())

const compile = (sql: string, timezone: string): Promise<Compiled> =>
  compileHogql(sql, { timezone, variables: {}, propertyTypes: propertyType, findCohort: () => 1 })

/** Whether both engines can run it. */
async function isAccepted({ expression, shape }: Sample, timezone: string): Promise<boolean> {
  try {
    const { queries } = await compile(shape.query([expression]), timezone)
    return 'sql' in queries.sqlite && 'sql' in queries.clickhouse
  } catch (error) {
    if (error instanceof HogqlError) return false
    throw new Error(`${expression}: ${String(error)}`, { cause: error })
  }
}

type Outcome = { rows: unknown[][] } | { rejected: string } | { failed: string }

async function outcomeOn(
  engine: QueryEngine,
  { queries }: Compiled,
  projectId: number,
  timezone: string,
): Promise<Outcome> {
  const query = queries[engine.dialect]
  if (!('sql' in query)) return { rejected: query.refusal }
  try {
    return await engine.run(query, {
      projectId,
      timezone,
      now: NOW,
      variables: new Map(),
      limit: 1000,
      offset: 0,
      queryId: null,
    })
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { rejected: String(error.code) }
    return { failed: String(error instanceof Error ? (error.cause ?? error) : error).slice(0, 300) }
  }
}

interface Difference {
  expression: string
  shape: string
  timezone: string
  d1: unknown
  clickhouse: unknown
}

async function differencesIn(
  samples: readonly Sample[],
  projectId: number,
  timezone: string,
): Promise<Difference[]> {
  const [first] = samples
  if (!first) return []
  const { keys } = first.shape
  const sql = first.shape.query(samples.map(({ expression }) => expression))
  let compiled: Compiled
  try {
    compiled = await compile(sql, timezone)
  } catch (error) {
    if (samples.length === 1) throw error
    return (await Promise.all(samples.map((each) => differencesIn([each], projectId, timezone)))).flat()
  }
  const [one, other] = await Promise.all([
    outcomeOn(engines.d1, compiled, projectId, timezone),
    outcomeOn(engines.clickhouse, compiled, projectId, timezone),
  ])
  if (!('rows' in one) || !('rows' in other)) {
    if (samples.length > 1) {
      const found: Difference[] = []
      for (const each of samples) found.push(...(await differencesIn([each], projectId, timezone)))
      return found
    }
    // What an engine cannot compute it rejects.
    if (!('failed' in one) && !('failed' in other)) return []
    return [{ ...named(first), timezone, d1: shortened(one), clickhouse: shortened(other) }]
  }
  return samples.flatMap((sample, at) => {
    const type = compiled.columns[at + keys]?.type
    const row = one.rows.findIndex(
      (values, place) =>
        !sameValue(sample.topic, sample.expression, values[at + keys], other.rows[place]?.[at + keys]),
    )
    if (row < 0) return []
    const [d1, theirs] = [one, other].map(({ rows }) => rows[row]?.[at + keys])
    return [{ ...named(sample), timezone, d1: { row, type, value: d1 }, clickhouse: theirs }]
  })
}

const named = ({ expression, shape }: Sample) => ({ expression, shape: shape.name })

const shortened = (outcome: Outcome) => ('rows' in outcome ? 'rows' : outcome)

describe.each(Array.from({ length: RUNS }, (_, run) => SEED + run))('queries of seed %d', (seed) => {
  it('give the same on D1 and on ClickHouse, or are rejected', { timeout: 1_800_000 }, async () => {
    const random = createRandom(seed)
    const timezone = zoneOf(seed)
    const end = Date.now() + BUDGET
    const samples = samplesOf(random).slice(0, MOST)
    const found: Difference[] = []
    const waiting = new Map<Shape, Sample[]>()
    let tried = 0
    for (const sample of samples) {
      if (Date.now() > end) break
      if (!(await isAccepted(sample, timezone))) continue
      const some = [...(waiting.get(sample.shape) ?? []), sample]
      waiting.set(sample.shape, some.length === AT_ONCE ? [] : some)
      if (some.length < AT_ONCE) continue
      found.push(...(await differencesIn(some, PROJECT + seed - SEED, timezone)))
      tried += AT_ONCE
    }
    expect({ seed, found }).toEqual({ seed, found: [] })
    // A run that tries nothing would say nothing.
    expect(tried).toBeGreaterThan(0)
  })
})
