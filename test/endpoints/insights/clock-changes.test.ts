// Insights of every kind where clocks change, on D1: no event is lost or counted twice, and no query is refused.
// test/clickhouse/differential/clock-changes.test.ts compares some of them on both engines.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createShardSink } from '../../../src/analytics/ingestion/shard-sink'
import { printSqlite } from '../../../src/hogql/sqlite/print'
import { ingestionRowsOf } from '../../hogql/corpus/ingestion-rows'
import { shardEngine } from '../../support/database/d1-engine'
import { createTenant } from '../../support/tenant'
import { createRandom } from '../../clickhouse/faults/random'
import {
  CHANGES,
  drawChanges,
  happeningsAround,
  HAVE_SUMS,
  INTERVALS,
  prepare,
  queriesOf,
  sampleOf,
  sumsOf,
} from './clock-changes'

const SEED = Number(env.FUZZ_SEED || Date.now() % 1_000_003)
const RUNS = Number(env.FUZZ_RUNS || 1)
const drawn = createRandom(SEED)

type Place = readonly [timezone: string, change: string]

/** A repeated hour, a repeated half hour, and a skipped midnight: these have every interval and every query. */
const THOROUGH = [
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['America/Santiago', '2026-09-06'],
]
const isThorough = ([timezone, change]: Place) =>
  Boolean(env.FUZZ_RUNS) || THOROUGH.some(([zone, day]) => zone === timezone && change.startsWith(day!))

/** Others have the intervals whose periods a change makes shorter or longer. Other insights' tests are in UTC. */
const PLACES = [...CHANGES.filter(([timezone]) => timezone !== 'UTC'), ...drawChanges(RUNS, drawn.next)]
const CASES = PLACES.flatMap((place) =>
  (isThorough(place) ? INTERVALS : (['hour', 'day'] as const)).map(
    (interval) => [...place, interval] as const,
  ),
)

it.each(CASES)(
  `adds up in %s at %s by %s (FUZZ_SEED=${SEED})`,
  { timeout: 120_000 },
  async (timezone, change, interval) => {
    const happenings = happeningsAround(change, createRandom(SEED + Date.parse(change)).next)
    const { projectId } = await createTenant()
    await createShardSink(env.EVENTS).write(projectId, ingestionRowsOf(sampleOf(happenings), 1))
    for (const [name, query] of Object.entries(queriesOf(change, interval))) {
      if (!isThorough([timezone, change]) && !HAVE_SUMS.has(name)) continue
      const { resolved, runOf, results } = await prepare(query, timezone)
      const compiled = printSqlite(resolved, { timezone })
      const { rows } = await shardEngine()
        .run(compiled, { projectId, ...runOf(compiled) })
        .catch((error: unknown) => {
          throw new Error(`${name} by ${interval}: ${String(error)}`, { cause: error })
        })
      const sums = sumsOf(name, results(rows), happenings, { interval, timezone, change })
      if (sums) expect([name, sums[0]]).toEqual([name, sums[1]])
    }
  },
)

it('counts the events of both hours that clocks show as one', async () => {
  const { projectId } = await createTenant()
  const happenings = ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'].map((at) => ({
    who: 'p1',
    at: Date.parse(at),
  }))
  await createShardSink(env.EVENTS).write(projectId, ingestionRowsOf(sampleOf(happenings), 1))
  const query = {
    kind: 'TrendsQuery',
    interval: 'hour',
    dateRange: { date_from: '2026-11-01T00:00:00', date_to: '2026-11-01T03:00:00', explicitDate: true },
    series: [{ kind: 'EventsNode', event: 'visit' }],
  }
  const timezone = 'America/New_York'
  const { resolved, runOf, results } = await prepare(query, timezone)
  const compiled = printSqlite(resolved, { timezone })
  const { rows } = await shardEngine().run(compiled, { projectId, ...runOf(compiled) })
  const [{ days, data } = { days: [], data: [] }] = results(rows)
  expect([days, data]).toEqual([
    [
      '2026-11-01 00:00:00',
      '2026-11-01 01:00:00',
      '2026-11-01 01:00:00',
      '2026-11-01 02:00:00',
      '2026-11-01 03:00:00',
    ],
    [0, 1, 1, 0, 0],
  ])
})

it('finds paths in the second of two hours that clocks show as one', async () => {
  const { projectId } = await createTenant()
  const happenings = ['05:30', '05:36', '06:31', '06:35'].map((time) => ({
    who: 'p1',
    at: Date.parse(`2026-11-01T${time}:00Z`),
  }))
  await createShardSink(env.EVENTS).write(projectId, ingestionRowsOf(sampleOf(happenings), 1))
  const query = {
    kind: 'PathsQuery',
    dateRange: { date_from: '2026-11-01T06:30:00Z', date_to: '2026-11-01T06:40:00Z', explicitDate: true },
    pathsFilter: { includeEventTypes: ['hogql'], pathsHogQLExpression: 'toMinute(timestamp)' },
  }
  const timezone = 'America/New_York'
  const { resolved, runOf, results } = await prepare(query, timezone)
  const compiled = printSqlite(resolved, { timezone })
  const { rows } = await shardEngine().run(compiled, { projectId, ...runOf(compiled) })
  expect(results(rows)).toEqual([
    { source: '1_31', target: '2_35', value: 1, average_conversion_time: 240_000 },
  ])
})

describe('days of which one begins at one o’clock, as clocks skip midnight', () => {
  const timezone = 'America/Santiago'
  const noons = ['2026-09-04', '2026-09-05', '2026-09-06', '2026-09-07'].map((day) => ({
    who: 'p1',
    at: Date.parse(`${day}T16:00:00Z`),
  }))
  const base = {
    interval: 'day',
    dateRange: { date_from: '2026-09-04', date_to: '2026-09-09' },
    series: [{ kind: 'EventsNode', event: 'visit' }],
  }
  const linesOf = async (query: Record<string, unknown>) => {
    const { projectId } = await createTenant()
    await createShardSink(env.EVENTS).write(projectId, ingestionRowsOf(sampleOf(noons), 1))
    const { resolved, runOf, results } = await prepare(query, timezone)
    const compiled = printSqlite(resolved, { timezone })
    return results((await shardEngine().run(compiled, { projectId, ...runOf(compiled) })).rows)
  }

  it('follow each other in lifecycle', async () => {
    const lines = await linesOf({ ...base, kind: 'LifecycleQuery' })
    expect(lines.map(({ status, data }) => [status, data.map((number) => number + 0)])).toEqual([
      ['new', [0, 0, 0, 0, 0, 0]],
      ['returning', [0, 1, 1, 1, 0, 0]],
      ['resurrecting', [1, 0, 0, 0, 0, 0]],
      ['dormant', [0, 0, 0, 0, -1, 0]],
    ])
  })

  it('count who was active within a week', async () => {
    const series = [{ kind: 'EventsNode', event: 'visit', math: 'weekly_active' }]
    const [line] = await linesOf({ ...base, kind: 'TrendsQuery', series })
    expect(line!.data).toEqual([1, 1, 1, 1, 1, 1])
  })
})
