// Query text that grows faster than it is long: functions that write an argument several times, within each other, and names without an end.
import { describe, expect, it } from 'vitest'
import { compileHogql, compileParsed, parseHogql } from '../../src/hogql/compile'
import type { Compiled } from '../../src/hogql/compile'
import { HogqlError } from '../../src/hogql/error'
import { expectLinear } from './growth-ratio'

const compile = (sql: string, timezone = 'UTC'): Promise<Compiled> =>
  compileHogql(sql, { timezone, variables: {}, propertyTypes: () => undefined })

const messageOf = (sql: string): Promise<string> =>
  compile(sql).then(
    () => 'accepted',
    ({ message }: Error) => message,
  )

const nested = (open: string, close: string, inner: string, levels: number) =>
  `SELECT ${open.repeat(levels)}${inner}${close.repeat(levels)} FROM events`

const TOO_LONG_FOR_D1 = {
  refusal:
    'The query is too long for the built-in database once it is translated: use fewer series, steps, columns or conditions, or connect ClickHouse.',
}
const TOO_LONG_FOR_CLICKHOUSE = {
  refusal:
    'The query is too long for ClickHouse once it is translated: use fewer series, steps, columns or conditions.',
}

describe('functions that repeat their argument', () => {
  it.each([
    ['JSON of text', 'UTC', nested('JSONExtractString(toString(', "), 'a')", 'event', 25)],
    ['logarithms', 'UTC', nested('log(toFloat(', '))', 'event', 25)],
    ['quarters', 'UTC', nested('toStartOfQuarter(', ')', 'timestamp', 50)],
    ['quarters in a zone', 'Europe/Berlin', nested('toStartOfQuarter(', ')', 'timestamp', 50)],
  ])('refuses %s for D1 before the text is written', async (_, timezone, sql) => {
    const { sqlite } = (await compile(sql, timezone)).queries
    expect(sqlite).toEqual(TOO_LONG_FOR_D1)
  })

  it('refuses differences of months for ClickHouse before the text is written', async () => {
    const sql = nested("toDateTime(dateDiff('month', ", ', now()))', 'timestamp', 25)
    expect((await compile(sql)).queries.clickhouse).toEqual(TOO_LONG_FOR_CLICKHOUSE)
  })

  it('compiles the same functions a few levels deep', async () => {
    const { queries } = await compile(nested('log(toFloat(', '))', 'event', 4))
    expect(queries).toMatchObject({ sqlite: { dialect: 'sqlite' }, clickhouse: { dialect: 'clickhouse' } })
  })

  it('refuses what is long by itself, with all that stands between its parts', async () => {
    const order = Array.from({ length: 9_000 }, () => 'a').join(', ')
    const { sqlite } = (await compile(`SELECT properties.a AS a FROM events ORDER BY ${order}`)).queries
    expect(sqlite).toEqual(TOO_LONG_FOR_D1)
  })
})

describe('names of types', () => {
  const TOO_LONG = 'The name of a type may have at most 200 characters.'
  const TOO_DEEP = 'A query may nest at most 60 levels deep.'

  it.each([
    ['brackets', `cast(event, '${'('.repeat(90_000)}')`, TOO_LONG],
    ['wrappers', `cast(event, '${'nullable('.repeat(9_000)}')`, TOO_LONG],
    ['blanks', `accurateCastOrNull(event, '${' '.repeat(90_000)}(')`, TOO_LONG],
    ['a long name', `CAST(event AS ${'x'.repeat(90_000)})`, TOO_LONG],
    ['types of types', `CAST(event AS ${'Array('.repeat(9_000)}String${')'.repeat(9_000)})`, TOO_DEEP],
  ])('rejects %s without looking at them', async (_, call, message) => {
    expect(await messageOf(`SELECT ${call} FROM events`)).toBe(message)
  })

  it('takes a name with wrappers, arguments and a time zone', async () => {
    const sql = "SELECT CAST(timestamp AS Nullable(DateTime64(6, 'UTC'))) FROM events"
    expect(await messageOf(sql)).toBe('accepted')
  })
})

describe('many parts that look alike', () => {
  const repeatedTo = (size: number, piece: (number: number) => string) =>
    Array.from({ length: size }, (_, number) => piece(number)).join(', ')
  const context = { timezone: 'UTC', variables: {}, propertyTypes: () => undefined }

  function compileText(sql: string): void {
    try {
      compileParsed(parseHogql(sql), context)
    } catch (error) {
      if (!(error instanceof HogqlError)) throw error
    }
  }

  it.each([
    ['columns of one name', (size: number) => `SELECT ${repeatedTo(size, () => 'event')} FROM events`],
    [
      'groups',
      (size: number) => {
        const keys = repeatedTo(size, (number) => `event || '${number}'`)
        return `SELECT ${keys} FROM events GROUP BY ${keys}`
      },
    ],
    [
      'arrays that are joined',
      (size: number) => `SELECT ${repeatedTo(size, (number) => `arrayJoin([${number}])`)} FROM events`,
    ],
  ])('takes time in proportion to %s', (_, sqlOf) => expectLinear(sqlOf, compileText, 250))
})
