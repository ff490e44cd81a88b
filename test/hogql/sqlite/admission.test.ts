// Queries that take less than five seconds over 200,000 events, as `npm run bench -- verdicts` measures them, are within the budget.
import { describe, expect, it } from 'vitest'
import { compileHogql } from '../../../src/hogql/compile'
import {
  type Cost,
  costOfParts,
  excessOf,
  MAX_MEASURES_NS,
  valueOfStep,
} from '../../../src/hogql/cost/budget'
import { SORTED_ROW } from '../../../src/hogql/cost/rates'
import type { CostFormulas } from '../../../src/hogql/compiled'
import { propertyType } from '../corpus/dataset'

const EVENTS = { rows: 200_000, bytes: 140_000_000, largest: 2_000 }
const eventsOf = (rows: number) => ({ ...EVENTS, rows, bytes: rows * 700 })

/** One in ten events begins a session. */
const statisticsOf =
  ({ statistics }: CostFormulas, rows: number) =>
  (index: number, field: keyof typeof EVENTS): number => {
    const isOfSessions = statistics[index]?.sql.includes("'event_sessions'") && field === 'rows'
    return isOfSessions ? rows / 10 : eventsOf(rows)[field]
  }

type Measured = number | ((measure: number, column: number) => number | undefined)

/** The estimated cost of a query over `EVENTS` when its measures give `measured`. */
async function costOf(sql: string, measured?: Measured, rows = EVENTS.rows): Promise<Cost> {
  const { queries } = await compileHogql(sql, { timezone: 'UTC', variables: {}, propertyTypes: propertyType })
  if ('refusal' in queries.sqlite) throw new Error(queries.sqlite.refusal)
  const formulas: CostFormulas = queries.sqlite.cost!
  return costOfParts(formulas, {
    statistic: statisticsOf(formulas, rows),
    variable: () => 0,
    page: 100,
    measured: (measure, column) => (typeof measured === 'function' ? measured(measure, column) : measured),
  })
}

/** Why it exceeds its budget; null when it does not. */
const excess = async (...query: Parameters<typeof costOf>): Promise<string | null> =>
  excessOf(await costOf(...query))

/** The estimated nanoseconds of the measures of a query over `EVENTS`, where earlier ones have counted nothing large. */
async function measuresNs(sql: string, rows = EVENTS.rows): Promise<number> {
  const { queries } = await compileHogql(sql, { timezone: 'UTC', variables: {}, propertyTypes: propertyType })
  if ('refusal' in queries.sqlite) throw new Error(queries.sqlite.refusal)
  const formulas = queries.sqlite.cost!
  const known = {
    statistic: statisticsOf(formulas, rows),
    variable: () => 0,
    page: 100,
    measured: () => undefined,
  }
  return formulas.measures.reduce((sum, { cost }) => sum + valueOfStep(formulas, known, cost), 0)
}

const columns = (write: (index: number) => string, count: number): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(', ')

const IN_TIME: readonly [name: string, sql: string][] = [
  [
    'what a user agent says',
    'SELECT getTrafficType(properties.$raw_user_agent) AS t, count() FROM events GROUP BY t',
  ],
  [
    'an aggregate that reads its value several times',
    'SELECT stddevPop(properties.amount), varPop(properties.amount), skewPop(properties.amount) FROM events',
  ],
  [
    'dates in a few forms',
    "SELECT max(toStartOfWeek(timestamp)), max(formatDateTime(timestamp, '%Y-%m-%d')), max(dateDiff('day', timestamp, now())) FROM events",
  ],
  [
    'a property that is a time',
    'SELECT toStartOfMonth(toDateTime(properties.$browser)) AS month, count() FROM events GROUP BY month',
  ],
  [
    'values of JSON',
    "SELECT max(JSONExtractString(properties, 'a')), max(JSONExtractInt(properties, 'b')), max(JSONExtractRaw(properties, 'c', 'd')) FROM events",
  ],
  [
    'a regression, whose aggregates have one condition',
    'SELECT simpleLinearRegression(properties.quantity, properties.amount) FROM events',
  ],
  ['two values that are correlated', 'SELECT corr(properties.amount, properties.quantity) FROM events'],
]

describe('the budget of a query', () => {
  it.each(IN_TIME)('admits %s', async (_, sql) => {
    expect(await excess(sql, 10_000_000)).toBeNull()
  })

  it.each([
    'SELECT $channel_type, count() FROM sessions GROUP BY $channel_type',
    'SELECT session.$channel_type AS channel, count() FROM events GROUP BY channel',
  ])('counts the sessions, and the bytes of their texts: %s', async (sql) => {
    const rows = 400_000
    expect(await excess(sql, undefined, rows)).toMatch(/may take \d\d s/)
    expect(await excess(sql, 100_000, rows)).toBeNull()
    expect(await excess(sql, 20_000_000, rows)).toMatch(/may take/)
  })

  it.each(['properties.tags[1]', 'properties.tags[-1]', `properties."a\\"b"`])(
    'counts the search for %s',
    async (value) => {
      const sql = `SELECT ${value} AS value, count() FROM events GROUP BY value`
      expect(await excess(sql, 10_000_000)).toBeNull()
      expect(await excess(sql, 10_000_000, 2_000_000)).toMatch(/most of it for properties/)
    },
  )

  it('measures the ends of ranges, and not the ranges', async () => {
    const sql =
      "SELECT level, count() FROM (SELECT person_id, windowFunnel(604800)(timestamp, event = 'a', event = 'b') AS steps FROM events GROUP BY person_id) ARRAY JOIN range(1, steps + 1) AS level GROUP BY level"
    expect(await excess(sql)).toMatch(/may take/)
    expect(await excess(sql, 600_000)).toBeNull()
    expect(await measuresNs(sql)).toBeLessThan(MAX_MEASURES_NS)
  })

  it.each([
    'SELECT arrayMap(i -> names[i], arrayEnumerate(names)) FROM (SELECT groupArray(event) AS names FROM events GROUP BY distinct_id)',
    `SELECT day, length(arrayDistinct(arrayFlatten(groupArray(people) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW))))
      FROM (SELECT toDate(timestamp) AS day, groupUniqArray(person_id) AS people FROM events GROUP BY day)`,
    `SELECT w.day, uniq(e.person_id) FROM (SELECT DISTINCT toDate(timestamp) AS day FROM events) AS w
      JOIN (SELECT DISTINCT person_id, toDate(timestamp) AS day FROM events) AS e ON e.day BETWEEN w.day - 6 AND w.day GROUP BY w.day`,
  ])('counts groups, and the rows of the largest one: %s', async (sql) => {
    expect(await excess(sql)).toMatch(/may take/)
    // The first measure has the groups of the first subquery; the others have those of the second one, or the arrays.
    const having = (groups: number, largest: number, other?: number[]) => (measure: number, column: number) =>
      (measure === 0 ? [groups, largest] : other)?.[column]
    expect(await excess(sql, having(100, 60, [4_000, 60]))).toBeNull()
    expect(await excess(sql, having(200_000, 200_000))).toMatch(/may take|may hold/)
  })

  it('counts the groups of a subquery in the tables that its keys come from', async () => {
    const sql = `SELECT count() FROM (
      SELECT who FROM (SELECT who, row_number() OVER (PARTITION BY who) AS n FROM (SELECT person_id AS who FROM events)) WHERE n > 1 GROUP BY who
    ) ARRAY JOIN range(1000) AS x`
    expect(await excess(sql)).toMatch(/may take/)
    expect(await excess(sql, 5_000)).toBeNull()
    expect(await measuresNs(sql)).toBeLessThan(MAX_MEASURES_NS)
  })

  it('counts one sort for all functions over a window', async () => {
    const windows = (order: (index: number) => string) =>
      `SELECT ${columns((n) => `max(w${n})`, 20)} FROM (SELECT ${columns(
        (n) => `min(toInt(properties.n${n})) OVER (PARTITION BY distinct_id ORDER BY ${order(n)}) AS w${n}`,
        20,
      )} FROM events)`
    const one = await costOf(
      windows(() => 'timestamp'),
      0,
    )
    const each = await costOf(
      windows((n) => `timestamp, ${n}`),
      0,
    )
    expect(each.nanoseconds - one.nanoseconds).toBeGreaterThan(19 * EVENTS.rows * SORTED_ROW)
  })

  // Each of these takes 20 s and more.
  it.each([
    `SELECT ${columns((n) => `max(formatDateTime(timestamp, '%Y-%m-%d %H:%i:%s %W ${n}'))`, 40)} FROM events`,
    `SELECT ${columns((n) => `max(toDateTime(concat(event, '${n}')))`, 10)} FROM events`,
    `SELECT ${columns((n) => `max(toISOWeek(timestamp + INTERVAL ${n} DAY))`, 40)} FROM events`,
    `SELECT ${columns((n) => `max(topLevelDomain(concat('https://a.b.c/', event, '${n}')))`, 28)} FROM events`,
    `SELECT count() FROM events WHERE trim(repeat(event, 1000), 'abcdefgh') = ''`,
  ])('refuses much work on short values: %#', async (sql) => {
    expect(await excess(sql)).toMatch(/may take/)
  })

  it.each([
    'SELECT count() FROM events a JOIN events b ON a.event != b.event',
    'SELECT count() FROM events a LEFT JOIN events b ON length(a.event) > length(b.event)',
  ])('names the join as the cost of comparing its pairs: %s', async (sql) => {
    expect(await excess(sql)).toMatch(/most of it for joins/)
  })

  it('refuses a long set of characters to trim, whatever the data', async () => {
    const sql = `SELECT length(trim(repeat('a', 100000), '${'b'.repeat(40_000)}a'))`
    await expect(excess(sql)).rejects.toThrow("most of it for function 'trim'")
  })

  it('measures the arrays of a session whose elements a lambda reads by their places', async () => {
    const sql = `SELECT step, count() FROM (
        SELECT arrayJoin(arrayMap(i -> concat(names[i], ' -> ', names[i + 1]), range(1, length(names)))) AS step
        FROM (
          SELECT arrayMap(x -> x.2, arraySort(x -> x.1, groupArray((timestamp, event)))) AS names
          FROM events GROUP BY $session_id
        )
      ) GROUP BY step`
    const bySession = (measure: number, column: number) =>
      [
        [8_000, 40],
        [1_000_000, 800],
      ][measure]?.[column]
    expect(await excess(sql, undefined, 50_000)).toMatch(/may take/)
    expect(await excess(sql, bySession, 50_000)).toBeNull()
    expect(await measuresNs(sql, 50_000)).toBeLessThan(MAX_MEASURES_NS)
  })

  it.each([
    'SELECT arrayJoin(range(least(toInt(properties.amount), 5) + 1)) AS x, count() FROM events GROUP BY x',
    'SELECT arrayJoin(range(length(names))) AS x, count() FROM (SELECT groupArray(event) AS names FROM events GROUP BY distinct_id) GROUP BY x',
  ])('bounds a range whose end has a bound without a measure: %s', async (sql) => {
    expect(await excess(sql)).toBeNull()
  })

  it('bounds texts of sessions by the documents of events', async () => {
    const sql = 'SELECT countSubstrings(toString(session.$urls), $session_id) FROM events'
    expect(await excess(sql)).toMatch(/may take/)
  })

  it('counts the rows that a condition leaves', async () => {
    const sql = `SELECT groupArray(event) OVER (ORDER BY timestamp) FROM events WHERE distinct_id = 'ann'`
    expect(await excess(sql)).toMatch(/may take/)
    expect(await excess(sql, 20)).toBeNull()
  })

  it('takes an array of a window for as long as its frame', async () => {
    const within = (frame: string) =>
      `SELECT groupArray(event) OVER (ORDER BY timestamp ${frame}) FROM events`
    expect(await excess(within('ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING'))).toBeNull()
    expect(await excess(within('ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW'))).toMatch(/may take/)
    expect(await excess(within('ROWS BETWEEN 100000 PRECEDING AND CURRENT ROW'))).toMatch(/may take/)
  })

  it('measures the texts that the Worker computes arrays of', async () => {
    const sql = 'SELECT elements_chain_texts AS value, count() FROM events GROUP BY value'
    expect(await excess(sql)).toMatch(/may take/)
    expect(await excess(sql, 1_000)).toBeNull()
  })
})
