// The cases of the functions' catalogue on the real engine: their values are what it gives.
import { beforeAll, describe, expect, it } from 'vitest'
import { comparable } from '../hogql/corpus/compare'
import { FAILURES, OVERFLOWS } from '../hogql/functions/cases/failures'
import { CALLS, CLICKHOUSE_ONLY, CLICKHOUSE_QUERIES, QUERIES } from '../hogql/functions/cases'
import { compileFor, type Question, run } from './support/ask'
import { makeWarehouse, type Warehouse } from './support/warehouse'

/** No project has this number: nothing of any is read. */
const NOWHERE = 0

/** Calls that go into one query. */
const AT_ONCE = 12

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await makeWarehouse('functions')
})

const ask = async (question: Question) => run(warehouse.server, NOWHERE, await compileFor(question), question)

describe.each(Object.entries({ ...CALLS, CLICKHOUSE_ONLY }))('%s', (_, cases) => {
  const zones = [...new Set(cases.map(([, , timezone = 'UTC']) => timezone))]
  it.each(zones)('in %s', async (zone) => {
    const calls = cases.filter(([, , timezone = 'UTC']) => timezone === zone)
    for (let start = 0; start < calls.length; start += AT_ONCE) {
      const some = calls.slice(start, start + AT_ONCE)
      const sql = `SELECT ${some.map(([expression]) => expression).join(', ')}`
      const [row = []] = comparable(await ask({ sql, timezone: zone }), true) as unknown[][]
      const [wanted = []] = comparable([some.map(([, value]) => value)], true) as unknown[][]
      expect(some.map(([expression], place) => [expression, row[place]])).toEqual(
        some.map(([expression], place) => [expression, wanted[place]]),
      )
    }
  })
})

describe('functions of rows', () => {
  it.each([...QUERIES, ...CLICKHOUSE_QUERIES])('$sql', async ({ sql, rows }) => {
    expect(comparable(await ask({ sql }), true)).toEqual(comparable(rows, true))
  })
})

describe('values that no function takes', () => {
  it.each([...FAILURES, ...OVERFLOWS.map((sql) => [sql, 'invalid_argument'] as const)])(
    '%s',
    async (sql, code) => {
      await expect(ask({ sql })).rejects.toMatchObject({ status: 400, code })
    },
  )
})
