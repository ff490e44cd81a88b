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

  it('serves concurrent first requests', async () => {
    const trees = await Promise.all(['SELECT 1', 'SELECT 2', 'SELECT 3'].map(parseQuery))
    expect(trees.map(({ node }) => node)).toEqual(['SelectQuery', 'SelectQuery', 'SelectQuery'])
  })

  it('reports the error and its position', async () => {
    expect(await refusalOf('SELECT 1 FROM events WHERE')).toEqual({
      code: 'syntax_error',
      start: 26,
      message: 'Syntax error: the query ends where more is expected.',
    })
  })

  it('accepts one SELECT and nothing else', async () => {
    expect(await refusalOf('SELECT 1; SELECT 2')).toMatchObject({ code: 'syntax_error' })
    expect(await refusalOf('DROP TABLE events')).toMatchObject({ code: 'syntax_error', start: 0 })
  })

  it.each([
    ['a placeholder alone', '{a}', 'not_supported'],
    ['a clause that the parser has nothing for', 'SELECT 1 SETTINGS a = 1', 'not_supported'],
    ['a tag', '<a/>', 'not_supported'],
    ['tags in too many others', `SELECT ${'<a>'.repeat(13)}${'</a>'.repeat(13)}`, 'query_too_large'],
    ['brackets between tags', `SELECT <a>it's{${'('.repeat(12)}1${')'.repeat(12)}}</a>`, 'query_too_large'],
    ['brackets after a tag', `SELECT <a href='>' />, ${'('.repeat(13)}1${')'.repeat(13)}`, 'query_too_large'],
    ['nothing', '', 'syntax_error'],
    ['half of a character', "SELECT '\ud800'", 'syntax_error'],
  ])('refuses %s', async (_, sql, code) => {
    expect(await refusalOf(sql)).toMatchObject({ code })
  })

  it('counts offsets as JavaScript does, within the text', async () => {
    for (const sql of ["SELECT 'é' FROM", "SELECT 'é😀' FROM"]) {
      const error: unknown = await parseQuery(sql).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ start: sql.length, end: sql.length })
    }
  })

  it('accepts any name of a window', async () => {
    const sql = 'SELECT sum(a) OVER node FROM t WINDOW node AS (ORDER BY b), start AS ()'
    expect(await parseQuery(sql)).toMatchObject({
      window_exprs: {
        node: { node: 'WindowExpr', start: sql.indexOf('ORDER') },
        start: { node: 'WindowExpr' },
      },
    })
  })

  it('parses comparisons as comparisons', async () => {
    for (const condition of ['a<b', 'a <b + 1', 'a < b and c>d', 'a <b -- c', 'a<=b', 'a<>b']) {
      expect(await refusalOf(`SELECT 1 FROM t WHERE ${condition}`)).toBe(null)
    }
  })

  it('rejects a query that is too long, too large or too deep', async () => {
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

  it('parses nested calls in bounded time after many others', async () => {
    const nested = (depth: number) => `SELECT ${'f('.repeat(depth)}1${')'.repeat(depth)}`
    const start = Date.now()
    for (let depth = 2; depth <= 10; depth++) expect(await refusalOf(nested(depth))).toBe(null)
    // It takes one tenth of that; a parser that learnt from each would take minutes.
    expect(Date.now() - start).toBeLessThan(15_000)
  }, 20_000)

  it('does not count brackets in texts, names and comments', async () => {
    const brackets = '('.repeat(50)
    expect(
      await refusalOf(`SELECT '${brackets}' AS \`${brackets}\` -- ${brackets}\n /* ${brackets} */`),
    ).toBe(null)
  })
})
