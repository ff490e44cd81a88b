// D1's limits of a statement: queries within them are compiled, others are rejected before they run.
import { describe, expect, it } from 'vitest'
import { compileQuestion, forD1, rowsOnD1 } from '../corpus/ask'

const NOWHERE = 0
const list = (count: number, write: (index: number) => string, by = ', ') =>
  Array.from({ length: count }, (_, index) => write(index)).join(by)

async function ask(sql: string, timezone?: string): Promise<unknown[][]> {
  const question = { sql, timezone }
  return rowsOnD1(forD1(await compileQuestion(question)), question, NOWHERE)
}

/** Asks for the hour of the run in `count` time zones. */
const inZones = (count: number) =>
  `SELECT ${list(count, (index) => `toHour(now('Etc/GMT${index < 14 ? '-' : '+'}${(index % 14) + 1}'))`)}`

describe('accepts', () => {
  it('19 time zones beside the one of the project', async () => {
    const [row] = await ask(inZones(19))
    expect(row).toHaveLength(19)
  })

  it('500 constants in a list', async () => {
    expect(await ask(`SELECT 'n400' IN (${list(500, (index) => `'n${index}'`)})`)).toEqual([[1]])
  })

  it('200 constants in one condition', async () => {
    expect(
      await ask(
        `SELECT count() FROM numbers(300) WHERE ${list(200, (index) => `number != ${index}`, ' AND ')}`,
      ),
    ).toEqual([[100]])
  })

  it('300 parts of a text', async () => {
    const [[found] = []] = await ask(`SELECT concat(${list(300, (index) => `'${index} '`)})`)
    expect(String(found).split(' ')).toHaveLength(301)
  })

  it('12 nested queries', async () => {
    expect(
      await ask(`SELECT count() FROM (${list(12, (index) => `SELECT ${index} AS n`, ' UNION ALL ')})`),
    ).toEqual([[12]])
  })

  it('100 columns', async () => {
    const [row] = await ask(`SELECT ${list(100, (index) => `${index} AS n${index}`)}`)
    expect(row).toEqual(Array.from({ length: 100 }, (_, index) => index))
  })

  it('patterns of any length that only look for a text', async () => {
    const long = 'x'.repeat(200)
    expect(
      await ask(
        `SELECT '${long}' LIKE '${long}%', 'a${long}' LIKE '%${long}', 'b${long}' ILIKE '%${long.toUpperCase()}%'`,
      ),
    ).toEqual([[1, 1, 1]])
  })

  it('a dozen starts of days in a time zone', async () => {
    const starts = list(
      12,
      (index) => `toStartOfDay(toDateTime('2026-07-01 12:00:00') + INTERVAL ${index} DAY) AS d${index}`,
    )
    const [row] = await ask(`SELECT ${starts}`, 'Europe/Berlin')
    expect(row?.at(-1)).toBe('2026-07-12T00:00:00+02:00')
  })

  it('functions of window functions', async () => {
    const whole = [0, 1, 2]
    expect(
      await ask('SELECT arraySort(groupArray(number) OVER ()), number FROM numbers(3) ORDER BY number'),
    ).toEqual(whole.map((number) => [whole, number]))
  })
})

describe('rejects', () => {
  it.each([
    [`SELECT ${list(101, (index) => `${index} AS n${index}`)}`, /at most 100 columns/],
    [inZones(20), /at most 20 time zones/],
    [`SELECT 'x' LIKE 'a%${'b'.repeat(60)}%c'`, /limited to 50 bytes/],
    ['SELECT number FROM numbers(2000000)', /at most 1000000 rows/],
    [
      'SELECT leadInFrame(number) OVER (ORDER BY number RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM numbers(3)',
      /needs the ClickHouse engine/,
    ],
    [
      'SELECT DISTINCT event FROM events ORDER BY timestamp LIMIT 1 BY event',
      /LIMIT BY with SELECT DISTINCT needs the ClickHouse engine/,
    ],
    [
      'SELECT DISTINCT event FROM events LIMIT 1 BY distinct_id',
      /LIMIT BY with SELECT DISTINCT needs the ClickHouse engine/,
    ],
  ])('%s', async (sql, reason) => {
    const { queries } = await compileQuestion({ sql })
    expect(queries.sqlite).toEqual({ refusal: expect.stringMatching(reason) })
    expect(queries.clickhouse).toHaveProperty('sql')
  })

  it('a quantile without a level', async () => {
    await expect(ask('SELECT quantile(1.5)(number) FROM numbers(3)')).rejects.toThrow(/from 0 to 1/)
  })
})
