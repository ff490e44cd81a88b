// Every function of the catalogue on D1: ClickHouse's result, and no more bytes than its width.
import { describe, expect, it } from 'vitest'
import { compileParsed, parseHogql } from '../../../src/hogql/compile'
import { compileQuestion, forD1, rowsOnD1 } from '../corpus/ask'
import { comparable } from '../corpus/compare'
import { propertyType } from '../corpus/dataset'
import { CALLS, CLICKHOUSE_ONLY, CLICKHOUSE_QUERIES, QUERIES } from '../functions/cases'
import { FAILURES, OVERFLOWS } from '../functions/cases/failures'
import type { CallCase } from '../functions/cases/case'
import { FUNCTIONS } from '../../../src/hogql/functions/catalogue'
import { HogqlError } from '../../../src/hogql/error'
import { exceededBounds } from './bounds'

/** No project has this number: nothing of any is read. */
const NOWHERE = 0

/** Calls that go into one query. */
const AT_ONCE = 16

const inZones = (cases: readonly CallCase[]): [string, CallCase[]][] =>
  Object.entries(Object.groupBy(cases, ([, , timezone]) => timezone ?? 'UTC')).map(([zone, of]) => [
    zone,
    of ?? [],
  ])

describe.each(Object.entries(CALLS))('%s', (_, cases) => {
  it.each(inZones(cases))('in %s', async (timezone, calls) => {
    for (let start = 0; start < calls.length; start += AT_ONCE) {
      const some = calls.slice(start, start + AT_ONCE)
      const parsed = parseHogql(`SELECT ${some.map(([expression]) => expression).join(', ')}`)
      const context = { timezone, variables: {}, propertyTypes: propertyType }
      const query = forD1(compileParsed(parsed, context))
      const [row = []] = await rowsOnD1(query, { sql: parsed.sql, timezone }, NOWHERE)
      const given = comparable([row], true) as unknown[][]
      const wanted = comparable([some.map(([, value]) => value)], true) as unknown[][]
      const named = (values: unknown[] = []) => some.map(([expression], place) => [expression, values[place]])
      expect(named(given[0])).toEqual(named(wanted[0]))
      expect(await exceededBounds(parsed, timezone)).toEqual([])
    }
  })
})

describe('functions of rows', () => {
  it.each(QUERIES)('$sql', async ({ sql, rows }) => {
    const found = await rowsOnD1(forD1(await compileQuestion({ sql })), { sql }, NOWHERE)
    expect(comparable(found, true)).toEqual(comparable(rows, true))
  })
})

describe('values that no function takes', () => {
  it.each([...FAILURES, ...OVERFLOWS.map((sql) => [sql, 'integer_overflow'] as const)])(
    '%s',
    async (sql, code) => {
      const query = forD1(await compileQuestion({ sql }))
      await expect(rowsOnD1(query, { sql }, NOWHERE)).rejects.toMatchObject({ status: 400, code })
    },
  )
})

describe('functions that only ClickHouse has', () => {
  const texts = [
    ...CLICKHOUSE_ONLY.map(([call]) => `SELECT ${call}`),
    ...CLICKHOUSE_QUERIES.map(({ sql }) => sql),
  ]
  it.each(texts)('%s', async (sql) => {
    const { queries } = await compileQuestion({ sql })
    expect(queries.sqlite).toEqual({
      refusal: expect.stringMatching(
        /^('\w+'|[A-Z, a-z]+)(?: before OVER)? needs? the ClickHouse engine[:.](?: |$)/,
      ),
    })
    expect(queries.clickhouse).toHaveProperty('sql')
  })
})

describe('a function before OVER takes an aggregate as it takes the column of a subquery', () => {
  const before = FUNCTIONS.filter(
    (spec) => spec.kind === 'window' || (spec.kind === 'aggregate' && spec.window),
  )
  const aggregates = [
    'max(number)',
    'avg(number)',
    'avgOrNull(number)',
    'max(toString(number))',
    'max(toDateTime(number))',
    'max(toDate(number))',
    'groupArray(number)',
    'groupArray(number / 2)',
    'groupArray(toDateTime(number))',
    '(max(number), avg(number))',
    'max(number) > 0',
  ]
  const rowsOf = async (sql: string) => {
    try {
      return comparable(await rowsOnD1(forD1(await compileQuestion({ sql })), { sql }, NOWHERE), true)
    } catch (error) {
      if (error instanceof HogqlError) return error.message
      throw error
    }
  }
  it.each(before.map(({ name, takes }) => [name, takes.length] as const))('%s', async (name, count) => {
    for (const aggregate of aggregates) {
      const call = (...args: string[]) =>
        `${name}(${[...args, '1'].slice(0, count).join(', ')}) OVER (ORDER BY number)`
      const inner = `SELECT number, ${aggregate} AS of, count() AS total FROM numbers(3) GROUP BY number`
      expect(
        await rowsOf(
          `SELECT ${call(aggregate, 'count()')} AS found FROM numbers(3) GROUP BY number ORDER BY number`,
        ),
        `${name}(${aggregate})`,
      ).toEqual(await rowsOf(`SELECT ${call('of', 'total')} AS found FROM (${inner}) ORDER BY number`))
    }
  })
})
