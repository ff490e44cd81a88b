import { describe, expect, it } from 'vitest'
import { HogqlError } from '../../../src/hogql/error'
import { parseQuery } from '../../../src/hogql/parser/parse'

const refusalOf = async (sql: string) => {
  try {
    await parseQuery(sql)
  } catch (error) {
    if (error instanceof HogqlError) return { code: error.code, start: error.start, message: error.message }
    throw error
  }
  return null
}

describe('parseQuery', () => {
  it('gives a tree with offsets into the text', async () => {
    expect(await parseQuery("SELECT 'é😀' AS a")).toMatchObject({
      node: 'SelectQuery',
      start: 0,
      select: [{ node: 'Alias', alias: 'a', expr: { node: 'Constant', value: 'é😀', start: 7, end: 12 } }],
    })
  })

  it('serves requests that are the first at once', async () => {
    const trees = await Promise.all(['SELECT 1', 'SELECT 2', 'SELECT 3'].map(parseQuery))
    expect(trees.map(({ node }) => node)).toEqual(['SelectQuery', 'SelectQuery', 'SelectQuery'])
  })

  it('says what is wrong, and where', async () => {
    expect(await refusalOf('SELECT 1 FROM events WHERE')).toEqual({
      code: 'syntax_error',
      start: 26,
      message: "no viable alternative at input 'SELECT 1 FROM events WHERE'",
    })
  })

  it('takes one SELECT and nothing else', async () => {
    expect(await refusalOf('SELECT 1; SELECT 2')).toMatchObject({ code: 'syntax_error' })
    expect(await refusalOf('DROP TABLE events')).toMatchObject({ code: 'syntax_error', start: 0 })
  })

  it('refuses what is too long, too large or too deep', async () => {
    expect(await refusalOf(`SELECT '${'x'.repeat(100_000)}'`)).toMatchObject({ code: 'query_too_large' })
    expect(await refusalOf(`SELECT ${'f('.repeat(3000)}1${')'.repeat(3000)}`)).toMatchObject({
      code: 'query_too_large',
    })
    expect(await refusalOf(`SELECT ${'1, '.repeat(30_000)}1`)).toMatchObject({ code: 'query_too_large' })
  })

  it.each([
    ['a path', `SELECT a${'.a'.repeat(100)}`],
    ['NOTs', `SELECT ${'NOT '.repeat(60)}1`],
    ['lambdas', `SELECT f(${'x -> '.repeat(80)}1)`],
    ['calls', `SELECT ${'f(a), '.repeat(3000)}1`],
    ['names', `SELECT ${'a, '.repeat(4000)}1`],
    ['subqueries', `SELECT ${'(SELECT '.repeat(20)}1${')'.repeat(20)}`],
    ['additions, which nobody counts', `SELECT ${'1 + '.repeat(5000)}1`],
  ])('refuses too many of %s, and goes on to parse', async (_, sql) => {
    expect(await refusalOf(sql)).toMatchObject({ code: 'query_too_large' })
    expect(await refusalOf('SELECT 1')).toBe(null)
  })

  it('takes calls within calls, however many went before', async () => {
    const nested = (depth: number) => `SELECT ${'f('.repeat(depth)}1${')'.repeat(depth)}`
    const start = Date.now()
    for (let depth = 2; depth <= 10; depth++) expect(await refusalOf(nested(depth))).toBe(null)
    // It takes one tenth of that; a parser that learnt from each would take minutes.
    expect(Date.now() - start).toBeLessThan(15_000)
  }, 20_000)

  it('does not count what stands in text, names and comments', async () => {
    const brackets = '('.repeat(50)
    expect(
      await refusalOf(`SELECT '${brackets}' AS \`${brackets}\` -- ${brackets}\n /* ${brackets} */`),
    ).toBe(null)
  })
})
