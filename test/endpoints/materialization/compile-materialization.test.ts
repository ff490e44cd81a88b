// A materialized read gives what the query itself gives, for every value of its variables (bounds of ranges at the start of a bucket).
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROJECT } from '../../hogql/corpus/dataset'
import { loadIntoD1 } from '../../hogql/corpus/load-d1'
import { event, sendBatch } from '../../support/capture'
import { createTenant } from '../../support/tenant'
import { inlineRows, keep, compiledOf, type Place, withVariables } from './materialized-rows'
import { propertyRuns } from '../../support/property-runs'

let place: Place
beforeAll(async () => {
  const { projectId } = await createTenant()
  await loadIntoD1(projectId, PROJECT)
  place = await withVariables({ id: projectId, timezone: 'UTC' }, new Date('2026-03-20T12:00:00Z'), {
    name: 'String',
    browser: 'String',
    since: 'Date',
    until: 'Date',
    least: 'Number',
    pattern: 'String',
  })
})

const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort()

/** Sums of floats depend on their order in the last digits. */
const rounded = (rows: unknown[][]) =>
  rows.map((row) => row.map((value) => (typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value)))

interface Condition {
  sql: string
  variable: string
  values: readonly unknown[]
  several: boolean
}

const CONDITIONS: readonly Condition[] = [
  {
    sql: 'event = {variables.name}',
    variable: 'name',
    values: ['$pageview', 'purchase', 'nothing'],
    several: false,
  },
  {
    sql: '{variables.browser} = properties.$browser',
    variable: 'browser',
    values: ['Chrome', 'Safari', ''],
    several: false,
  },
  {
    sql: 'timestamp >= {variables.since}',
    variable: 'since',
    values: ['2026-03-01', '2026-03-08T00:00:00Z', '2020-01-01'],
    several: true,
  },
  {
    sql: '{variables.until} > timestamp',
    variable: 'until',
    values: ['2026-03-15', '2030-01-01', '2026-02-28'],
    several: true,
  },
  {
    sql: 'properties.amount >= {variables.least}',
    variable: 'least',
    values: [0, 20, 49.5, 1000],
    several: true,
  },
  {
    sql: 'event LIKE {variables.pattern}',
    variable: 'pattern',
    values: ['$%', 'p_rchase', '%'],
    several: true,
  },
]

const GROUPS = [
  'event',
  'properties.$browser AS browser_name',
  'toStartOfMonth(timestamp) AS month',
  'distinct_id',
]
const MERGEABLE = [
  'count() AS n',
  "countIf(event = 'purchase') AS purchases",
  'sum(properties.amount) AS total',
  'min(properties.amount) AS low',
  'max(timestamp) AS last',
]
const OTHERS = [
  'uniq(person_id) AS people',
  'avg(properties.amount) AS mean',
  'count(DISTINCT event) AS kinds',
  'count() * 2 AS twice',
]

const query = fc
  .record({
    conditions: fc.subarray([...CONDITIONS], { minLength: 1, maxLength: 3 }),
    groups: fc.subarray(GROUPS, { maxLength: 2 }),
    merged: fc.subarray(MERGEABLE, { minLength: 0, maxLength: 3 }),
    others: fc.subarray(OTHERS, { maxLength: 2 }),
    fixed: fc.constantFrom('', " AND event != '$autocapture'"),
    having: fc.boolean(),
    ordered: fc.boolean(),
    cte: fc.boolean(),
  })
  .map(({ conditions, groups, merged, others, fixed, having, ordered, cte }) => {
    const several = conditions.some((condition) => condition.several)
    const aggregates = several ? (merged.length > 0 ? merged : ['count() AS n']) : [...merged, ...others]
    const items = [...groups, ...aggregates]
    const select = items.length > 0 ? items : ['event', 'distinct_id']
    const where = conditions.map(({ sql }) => sql).join(' AND ') + fixed
    const by = groups.map((group) => group.split(' AS ').at(-1)!)
    const grouped = aggregates.length > 0 && groups.length > 0
    const tail = `${grouped ? ` GROUP BY ${by.join(', ')}` : ''}${having && grouped && aggregates.includes('count() AS n') ? ' HAVING n > 1' : ''}${
      ordered && groups.length > 0 ? ` ORDER BY ${by.join(', ')}` : ''
    }`
    const from = cte
      ? `WITH chosen AS (SELECT * FROM events WHERE ${where}) SELECT ${select.join(', ')} FROM chosen`
      : `SELECT ${select.join(', ')} FROM events WHERE ${where}`
    return {
      sql: `${from}${tail} LIMIT 5000`,
      conditions,
      ordered: ordered && groups.length > 0 && aggregates.length > 0,
    }
  })

const RUNS = propertyRuns(20, 60)

describe('a materialized read', () => {
  it('returns what the query itself returns', { timeout: 120_000 }, async () => {
    let planned = 0
    const refused: string[] = []
    await fc.assert(
      fc.asyncProperty(query, fc.nat(), async ({ sql, conditions, ordered }, seed) => {
        const compiled = await compiledOf(place, sql)
        if (compiled.reason !== null) {
          refused.push(`${compiled.reason} — ${sql}`)
          return
        }
        planned += 1
        const kept = await keep(place, compiled.rows)
        const values = Object.fromEntries(
          conditions.map(({ variable, values: choices }, index) => [
            variable,
            choices[(seed + index) % choices.length],
          ]),
        )
        const [inline, read] = [await inlineRows(place, sql, values), await kept.rows(values)]
        await kept.drop()
        if (read.length === 0 && compiled.rows.inlineWhenEmpty) return
        const shown = (rows: unknown[][]) => (ordered ? rounded(rows) : sorted(rounded(rows)))
        expect(shown(read), `${sql} ${JSON.stringify(values)}`).toEqual(shown(inline))
      }),
      { numRuns: RUNS },
    )
    expect(refused).toEqual([])
    expect(planned).toBe(RUNS)
  })
})

const ANY_CONDITIONS = [
  ...CONDITIONS,
  {
    sql: 'properties.$browser NOT LIKE {variables.pattern}',
    variable: 'pattern',
    values: ['C%', null, 'zzz'],
  },
  { sql: 'properties.$browser = {variables.browser}', variable: 'browser', values: [null, 'Chrome', 'none'] },
  { sql: 'toDate(timestamp) <= {variables.until}', variable: 'until', values: ['2026-03-10', '2020-01-01'] },
  { sql: 'toInt(properties.amount) < {variables.least}', variable: 'least', values: [20, null, -1000] },
]
const ANY_GROUPS = [...GROUPS, 'length(event) AS size', 'properties.amount > 10 AS large', '1 AS one']
const ANY_AGGREGATES = [
  ...MERGEABLE,
  ...OTHERS,
  'minIf(timestamp, properties.amount > 10) AS first_large',
  'maxIf(properties.amount, properties.amount < 20) AS small',
  'maxOrNull(0 - length(event)) FILTER (WHERE properties.amount > 10) AS size_large',
  'max(0 - length(event)) FILTER (WHERE properties.amount > 10) AS least_size',
  'count() FILTER (WHERE properties.amount > 10) AS many',
]
/** CTEs that read the one with the conditions, `c`. */
const MIDDLES = [
  'd AS (SELECT count() AS x FROM c)',
  'd AS (SELECT uniq(person_id) AS x FROM c WHERE properties.amount > 10)',
  'd AS (SELECT max(timestamp) AS x FROM c), e AS (SELECT toYear(x) AS x FROM d)',
  'd AS (SELECT event, count() AS x FROM c GROUP BY event)',
  'd AS (SELECT DISTINCT event AS x FROM c)',
  'd AS (SELECT event AS x FROM c ORDER BY timestamp, uuid LIMIT 2)',
  'd AS (SELECT event AS x FROM c UNION ALL SELECT event AS x FROM c)',
  'd AS (SELECT count() AS x FROM c WHERE properties.amount > 10 UNION ALL SELECT 1 AS x FROM c)',
]
const TOPS = ['x', 'count() AS n', 'max(x) AS x', 'uniq(x) AS n, count() AS k', 'DISTINCT x']

const anyQuery = fc
  .record({
    conditions: fc.uniqueArray(fc.constantFrom(...ANY_CONDITIONS), {
      minLength: 1,
      maxLength: 2,
      selector: ({ variable }) => variable,
    }),
    groups: fc.subarray(ANY_GROUPS, { maxLength: 2 }),
    shown: fc.boolean(),
    aggregates: fc.subarray(ANY_AGGREGATES, { minLength: 1, maxLength: 3 }),
    having: fc.constantFrom('', ' HAVING count() < 5', ' HAVING count() > 3', ' HAVING uniq(person_id) > 1'),
    distinct: fc.constantFrom('', '', 'DISTINCT '),
    middle: fc.option(fc.tuple(fc.constantFrom(...MIDDLES), fc.constantFrom(...TOPS)), { nil: null }),
  })
  .map(({ conditions, groups, shown, aggregates, having, distinct, middle }) => {
    const where = conditions.map(({ sql }) => sql).join(' AND ')
    if (middle) {
      const [ctes, top] = middle
      const last = ctes.includes('e AS') ? 'e' : 'd'
      const sql = `WITH c AS (SELECT * FROM events WHERE ${where}), ${ctes} SELECT ${top} FROM ${last} LIMIT 5000`
      return { sql, conditions }
    }
    const by = groups.filter((group) => group !== '1 AS one').map((group) => group.split(' AS ')[0]!)
    const items = [...(shown ? groups : groups.slice(1)), ...aggregates]
    const grouped = by.length > 0 ? ` GROUP BY ${by.join(', ')}` : ''
    const sql = `SELECT ${distinct}${items.join(', ')} FROM events WHERE ${where}${grouped}${having} LIMIT 5000`
    return { sql, conditions }
  })

describe('stored rows of any query', () => {
  it('returns what the query itself returns, or is refused', { timeout: 120_000 }, async () => {
    let planned = 0
    await fc.assert(
      fc.asyncProperty(anyQuery, async ({ sql, conditions }) => {
        const compiled = await compiledOf(place, sql)
        if (compiled.reason !== null) return
        planned += 1
        const kept = await keep(place, compiled.rows)
        const [first, second] = conditions
        for (const one of first!.values) {
          for (const other of second?.values ?? [null]) {
            const values = {
              [first!.variable]: one,
              ...(second ? { [second.variable]: other } : {}),
            }
            const read = await kept.rows(values)
            if (read.length === 0 && compiled.rows.inlineWhenEmpty) continue
            const inline = await inlineRows(place, sql, values)
            expect(sorted(rounded(read)), `${sql} ${JSON.stringify(values)}`).toEqual(sorted(rounded(inline)))
          }
        }
        await kept.drop()
      }),
      { numRuns: propertyRuns(60, 300) },
    )
    // Some five in sixty are planned at least, and by chance fewer: that none is would be a defect.
    expect(planned).toBeGreaterThan(0)
  })
})

describe('a text that is compared as a value of another type', () => {
  /** The first value is a text, so that the property is one. */
  const TEXTS = {
    Number: ['x', 1, '1', '1.0', '01', 2],
    Boolean: ['x', true, 'true', 'TRUE', 'yes', 1, '1', false, 'no', 0],
    Date: ['x', '2026-03-01', '2026-03-01T00:00:00Z', '20260301', '2026-03-02'],
    String: ['a', 'A', 'a ', 'b'],
  } as const
  const VALUES = { Number: 1, Boolean: true, Date: '2026-03-01', String: 'a' } as const
  const SIDES = ['{variables.v}', 'toFloat({variables.v})', 'toBool({variables.v})', 'toDate({variables.v})']
  const COLUMNS = [
    'properties.x',
    'person.properties.x',
    "JSONExtractString(properties, 'x')",
    'lower(properties.x)',
  ]
  const SHOWN = [
    'uniq(distinct_id) AS n',
    'count() AS n',
    'avg(properties.amount) AS n',
    "if(count() > 1, 'many', 'few') AS n",
    'groupArray(properties.amount) AS n',
    'distinct_id AS n',
  ]

  it.each(['Number', 'Boolean', 'Date', 'String'] as const)(
    'is read as the query itself reads it, with a variable of type %s',
    async (type) => {
      const tenant = await createTenant()
      const { projectId: id } = tenant
      await sendBatch(
        tenant,
        TEXTS[type].map((x, index) => event(`person-${index}`, { x, amount: index, $set: { x } })),
      )
      const own = await withVariables({ id, timezone: 'UTC' }, new Date('2026-03-20T12:00:00Z'), { v: type })
      let read = 0
      for (const [side, column, shown] of SIDES.flatMap((a) =>
        COLUMNS.flatMap((b) => SHOWN.map((c) => [a, b, c] as const)),
      )) {
        const sql = `SELECT ${shown} FROM events WHERE ${column} = ${side}`
        const compiled = await compiledOf(own, sql)
        if (compiled.reason !== null) continue
        const kept = await keep(own, compiled.rows)
        const values = { v: VALUES[type] }
        const rows = await kept.rows(values)
        await kept.drop()
        if (rows.length === 0 && compiled.rows.inlineWhenEmpty) continue
        read += 1
        expect(sorted(rows), sql).toEqual(sorted(await inlineRows(own, sql, values)))
      }
      expect(read).toBeGreaterThan(10)
    },
  )

  it('is refused with what to write instead, where values cannot be aggregated again', async () => {
    const reason = async (sql: string) => (await compiledOf(place, sql)).reason
    expect(
      await reason('SELECT uniq(event) AS n FROM events WHERE properties.unknown = {variables.least}'),
    ).toBe(
      "Variables not supported: Variable 'least' is no text, and equals several texts of its column (Aggregate function 'uniq' cannot be re-aggregated for range variable materialization): convert the column, as in toFloat(properties.x) = {variables.least}",
    )
    expect(
      await reason(
        'SELECT uniq(event) AS n FROM events WHERE toFloat(properties.unknown) = {variables.least}',
      ),
    ).toBe(null)
  })
})
