// Queries that would exhaust the parser's time, stack or memory: rejected, or parsed in time, without an effect on the next query.
import { describe, expect, it } from 'vitest'
import { HogqlError } from '../../../src/hogql/error'
import { parseQuery } from '../../../src/hogql/parser/parse'

const nested = (open: string, close: string, times: number) =>
  `SELECT ${open.repeat(times)}1${close.repeat(times)}`

const codeOf = async (sql: string): Promise<string> => {
  try {
    await parseQuery(sql)
    return 'parsed'
  } catch (error) {
    if (error instanceof HogqlError) return error.code
    throw error
  }
}

const ORDINARY = "SELECT a.b AS c, count() FROM events WHERE d IN ('e', 'f') GROUP BY c ORDER BY c LIMIT 10"

describe('a nested query', { timeout: 20_000 }, () => {
  const pairs = { '(': ')', 'f(': ')', '[': ']', '(SELECT ': ')', 'f(x -> ': ')', "f'{": "}'", '1 + (': ')' }

  it.each(Object.entries(pairs))('takes no longer after a text that nests less: %s', async (open, close) => {
    for (const times of [3, 5, 9]) {
      expect(await codeOf(nested(open, close, times))).toBe('parsed')
    }
  })

  it.each(Object.entries(pairs))('is refused by counting: %s', async (open, close) => {
    expect(await codeOf(nested(open, close, 13))).toBe('query_too_large')
    expect(await codeOf(nested(open, close, 3000))).toBe('query_too_large')
    expect(await codeOf(`SELECT ${open.repeat(3000)}`)).toBe('query_too_large')
  })

  it('is rejected above the maximum cost', async () => {
    const chains = Array.from({ length: 100 }, (_, i) => `${'f('.repeat(16)}a${i}${')'.repeat(16)}`)
    expect(await codeOf(`SELECT ${chains.join(', ')}`)).toBe('query_too_large')
  })

  it.each([
    ['CASEs', `SELECT ${'CASE WHEN 1 THEN '.repeat(13)}1${' END'.repeat(13)}`],
    ['signs', `SELECT ${'- '.repeat(40)}1`],
  ])('without parentheses: %s', async (_, sql) => {
    expect(await codeOf(sql)).toBe('query_too_large')
  })

  it.each([
    ['a text', `SELECT '${'('.repeat(50)}'`],
    ['a text with quotes', `SELECT 'it''s ${'('.repeat(50)} \\' ('`],
    ['a name', `SELECT \`${'('.repeat(50)}\` FROM t`],
    ['a comment', `SELECT 1 -- ${'('.repeat(50)}`],
    ['a long comment', `SELECT /* ${'('.repeat(50)} */ 1`],
    ['a template', `SELECT f'${'('.repeat(50)}{a}${'('.repeat(50)}'`],
    [
      'CASEs beside one another',
      `SELECT ${Array.from({ length: 50 }, () => 'CASE WHEN a THEN b END').join(' + ')}`,
    ],
    ['columns of such names', `SELECT ${Array.from({ length: 50 }, () => 't.case').join(', ')} FROM t`],
    ['calls beside one another', `SELECT ${Array.from({ length: 30 }, () => 'f(g(a), h(b))').join(', ')}`],
  ])('is not in %s', async (_, sql) => {
    expect(await codeOf(sql)).toBe('parsed')
  })

  it.each([
    [
      'what follows a comment with a quote',
      `SELECT 1, // don't\n${'('.repeat(50)}1${')'.repeat(50)} // don't`,
    ],
    ['a comment that nothing closes', `SELECT 1 /*, ${'('.repeat(50)}1${')'.repeat(50)}`],
    ['an expression in a template', `SELECT f'${"'".repeat(2)}{${'('.repeat(50)}1${')'.repeat(50)}}'`],
    ['what follows an escaped quote', `SELECT '\\'', ${'('.repeat(50)}1${')'.repeat(50)}`],
  ])('is in %s', async (_, sql) => {
    expect(await codeOf(sql)).toBe('query_too_large')
  })
})

describe('a long query', { timeout: 20_000 }, () => {
  const terms = (operator: string, times: number) => `SELECT 1${` ${operator} 1`.repeat(times)}`

  it.each([
    ['+', 390],
    ['AND', 1000],
    ['+', 7000],
  ])('leaves the parser in order: %s, %i times', async (operator, times) => {
    expect(await codeOf(terms(operator, times))).toMatch(/^(parsed|query_too_large)$/)
    expect(await codeOf(ORDINARY)).toBe('parsed')
  })

  it('may have hundreds of conditions', async () => {
    expect(await codeOf(`SELECT 1 FROM t WHERE ${'a = 1 AND '.repeat(300)}b`)).toBe('parsed')
  })

  it('may list thousands of values', async () => {
    expect(await codeOf(`SELECT 1 FROM t WHERE a IN (${'1, '.repeat(4_999)}1)`)).toBe('parsed')
    expect(await codeOf(`SELECT 1 FROM t WHERE a IN (${'1, '.repeat(5_001)}1)`)).toBe('query_too_large')
  })

  it('keeps the parser working after it ran out of memory', async () => {
    expect(await codeOf(`SELECT ${'interval '.repeat(900)}1${' day'.repeat(900)}`)).toBe('query_too_large')
    expect(await codeOf(ORDINARY)).toBe('parsed')
  })
})

it('gives the same tree after any other query', { timeout: 20_000 }, async () => {
  const tree = await parseQuery(ORDINARY)
  await parseQuery(nested('f(', ')', 12))
  expect(await parseQuery(ORDINARY)).toEqual(tree)
  await expect(parseQuery(`SELECT 1${' + 1'.repeat(7000)}`)).rejects.toThrow(HogqlError)
  expect(await parseQuery(ORDINARY)).toEqual(tree)
})
