// Insights of every kind and interval where clocks change: D1 and the real ClickHouse engine give the same, and what a plain count gives.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printClickhouse } from '../../../src/hogql/clickhouse/print'
import { printSqlite } from '../../../src/hogql/sqlite/print'
import {
  CHANGES,
  drawChanges,
  happeningsAround,
  INTERVALS,
  prepare,
  queriesOf,
  sampleOf,
  sumsOf,
} from '../../endpoints/insights/clock-changes'
import { createRandom } from '../faults/random'
import { type Engines, startEngines } from './engines'

const SEED = Number(process.env.FUZZ_SEED || 1)
const RUNS = Number(process.env.FUZZ_RUNS || 1)
/** A repeated hour, half an hour, and a skipped midnight. The test of D1 alone has all changes. */
const COMPARED = [
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['America/Santiago', '2026-09-06'],
] as const
const fixed = CHANGES.filter(([timezone, at]) =>
  COMPARED.some(([zone, day]) => zone === timezone && at.startsWith(day)),
)
/** With `FUZZ_RUNS`, all changes and other zones: their rules change with each release of the time zone database, which the engines have apart. */
const ALL = RUNS === 1 ? fixed : [...CHANGES, ...drawChanges(RUNS - 1, createRandom(SEED).next)]

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('clock_changes')
})
afterAll(() => engines?.stop())

/** Each query of each interval at one of the changes, and totals at all of them; with `FUZZ_RUNS`, every query at all. */
const isAsked = (name: string, number: number, place: number) =>
  RUNS > 1 || name === 'trends of total' || number % ALL.length === place

const projectOf = (place: number, run: number) => 5000 + run * ALL.length + place

describe.each(ALL.map(([timezone, change], place) => ({ timezone, change, place })))(
  'in $timezone at $change',
  ({ timezone, change, place }) => {
    it('is the same on both engines', { timeout: 600_000 }, async () => {
      for (let run = 0; run < RUNS; run += 1) {
        const random = createRandom(SEED + run + place)
        const happenings = happeningsAround(change, () => random.below(1_000_000) / 1_000_000)
        const projectId = projectOf(place, run)
        await engines.load(projectId, sampleOf(happenings))
        for (const [row, interval] of INTERVALS.entries()) {
          for (const [column, [name, query]] of Object.entries(queriesOf(change, interval)).entries()) {
            if (!isAsked(name, row + column, place)) continue
            const { resolved, runOf, results } = await prepare(query, timezone)
            const [one, other] = [
              printSqlite(resolved, { timezone }),
              printClickhouse(resolved, { timezone }),
            ]
            const d1 = results((await engines.d1.run(one, { projectId, ...runOf(one) })).rows)
            const clickhouse = results(
              (await engines.clickhouse.run(other, { projectId, ...runOf(other) })).rows,
            )
            expect({ name, interval, results: clickhouse }).toEqual({ name, interval, results: d1 })
            const sums = sumsOf(name, d1, happenings, { interval, timezone, change })
            if (sums) expect([name, interval, sums[0]]).toEqual([name, interval, sums[1]])
          }
        }
      }
    })
  },
)
