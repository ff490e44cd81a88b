import { describe, expect, it } from 'vitest'
import { HogqlError } from '../../../src/hogql/error'
import { parseQuery } from '../../../src/hogql/parser/parse'

const refusalOf = async (sql: string) => {
  try {
    parseQuery(sql)
  } catch (error) {
    if (error instanceof HogqlError) return { code: error.code, start: error.start, message: error.message }
    throw error
  }
  return null
}

describe('parseQuery', () => {
  it('gives a tree with offsets into the text', async () => {
    expect(parseQuery("SELECT 'é😀' AS a")).toMatchObject({
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
    expect(await refusalOf('DROP TABLE events')).toMatchObject({ code: 'not_supported', start: 0 })
  })

  it.each([
    ['a placeholder alone', '{a}', 'not_supported'],
    ['a clause that the parser has nothing for', 'SELECT 1 SETTINGS a = 1', 'not_supported'],
    ['a comment without an end', 'SELECT 1 /* FROM events', 'syntax_error'],
    ['a text without an end', "SELECT 'a", 'syntax_error'],
    ['SELECT without columns', 'SELECT FROM events', 'syntax_error'],
    ['nothing', '', 'syntax_error'],
    ['half of a character', "SELECT '\ud800'", 'syntax_error'],
  ])('refuses %s', async (_, sql, code) => {
    expect(await refusalOf(sql)).toMatchObject({ code })
  })

  it.each(["SELECT <a>it's</a>", "SELECT 1, <a href='>' />", 'SELECT if(1, <a>{1}</a>, 2)'])(
    'names the tag that it refuses in %s',
    async (sql) => {
      const message = 'HogQLX tags such as <a> are not supported: select the values themselves.'
      expect(await refusalOf(sql)).toMatchObject({ code: 'not_supported', start: sql.indexOf('<a'), message })
    },
  )

  it('takes `<` without a space behind it as a comparison', () => {
    expect(parseQuery('SELECT a <b AND c >d, 1 <b')).toMatchObject({
      select: [
        { node: 'And', exprs: [{ op: '<' }, { op: '>' }] },
        { node: 'CompareOperation', op: '<' },
      ],
    })
  })

  it('counts offsets as JavaScript does, within the text', async () => {
    for (const sql of ["SELECT 'é' FROM", "SELECT 'é😀' FROM"]) {
      expect(() => parseQuery(sql)).toThrow(
        expect.objectContaining({ start: sql.length, end: sql.length }) as Error,
      )
    }
  })

  it('accepts any name of a window', async () => {
    const sql = 'SELECT sum(a) OVER node FROM t WINDOW node AS (ORDER BY b), start AS ()'
    expect(parseQuery(sql)).toMatchObject({
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

  it('negates a call of `in`, and aliases a number that ends with its point', () => {
    expect(parseQuery(`SELECT not in(a, ('b'))`)).toMatchObject({
      select: [{ node: 'Not', expr: { node: 'Call', name: 'in', args: [{ chain: ['a'] }, { value: 'b' }] } }],
    })
    expect(parseQuery('SELECT 2. AS n')).toMatchObject({
      select: [{ node: 'Alias', alias: 'n', expr: { node: 'Constant', value: 2 } }],
    })
  })

  it('rejects a query that is too long, too large or too deep', async () => {
    expect(await refusalOf(`SELECT '${'x'.repeat(100_000)}'`)).toMatchObject({ code: 'query_too_large' })
    expect(await refusalOf(`SELECT ${'f('.repeat(3000)}1${')'.repeat(3000)}`)).toMatchObject({
      code: 'query_too_large',
    })
    expect(await refusalOf(`SELECT ${'1, '.repeat(30_000)}1`)).toMatchObject({ code: 'query_too_large' })
  })

  it.each([
    ['a path', `SELECT a${'.a'.repeat(59)}`],
    ['calls', `SELECT ${'f(a), '.repeat(3000)}1`],
    ['names', `SELECT ${'a, '.repeat(4000)}1`],
    ['conditions', `SELECT 1 FROM t WHERE ${'a = 1 AND '.repeat(2000)}b`],
  ])('parses many of %s', async (_, sql) => {
    expect(await refusalOf(sql)).toBe(null)
  })

  it.each([
    ['names', `SELECT ${'a, '.repeat(25_000)}1`],
    ['a path', `SELECT properties${'.a'.repeat(45_000)} FROM events`],
    ['a table', `SELECT 1 FROM a${'.a'.repeat(45_000)}`],
    ['an excluded path', `SELECT * EXCLUDE (a${'.a'.repeat(45_000)}) FROM t`],
    ['NOTs', `SELECT ${'NOT '.repeat(70)}1`],
    ['lambdas', `SELECT f(${'x -> '.repeat(80)}1)`],
    ['subqueries', `SELECT ${'(SELECT '.repeat(40)}1${')'.repeat(40)}`],
    ['tables in parentheses', `SELECT 1 FROM ${'('.repeat(3000)}t${')'.repeat(3000)}`],
    ['additions', `SELECT ${'1 + '.repeat(5000)}1`],
    ['CASEs', `SELECT ${'CASE WHEN 1 THEN '.repeat(70)}1${' END'.repeat(70)}`],
  ])('rejects too many of %s, and continues parsing', async (_, sql) => {
    expect(await refusalOf(sql)).toMatchObject({ code: 'query_too_large' })
    expect(await refusalOf('SELECT 1')).toBe(null)
  })

  it('tries each form once: forms in each other that turn out to be calls take linear time', async () => {
    for (const form of ['cast(', 'interval (', 'case (']) {
      expect(await refusalOf(`SELECT ${form.repeat(25)}1${')'.repeat(25)}`)).toBe(null)
      expect(await refusalOf(`SELECT ${form.repeat(3000)}`)).not.toBe(null)
    }
  })

  it('does not count brackets in texts, names and comments', async () => {
    const brackets = '('.repeat(50)
    expect(
      await refusalOf(`SELECT '${brackets}' AS \`${brackets}\` -- ${brackets}\n /* ${brackets} */`),
    ).toBe(null)
  })
})
