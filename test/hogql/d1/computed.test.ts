// Functions that the Worker computes for D1: their bounds and errors, and constants that come from variables.
import { describe, expect, it } from 'vitest'
import { MAX_COMPUTED_BYTES, MAX_COMPUTED_TEXTS } from '../../../src/hogql/computed/limits'
import { compileQuestion, forD1, type Question, rowsOnD1 } from '../corpus/ask'

/** No project has this number. */
const NOWHERE = 0

const rowsOf = async (question: Question) =>
  rowsOnD1(forD1(await compileQuestion(question)), question, NOWHERE)

describe('bounds', () => {
  it(`computes functions of ${MAX_COMPUTED_TEXTS} values, and rejects one more`, async () => {
    const countOf = (numbers: number) =>
      rowsOf({ sql: `SELECT count() FROM numbers(${numbers}) WHERE match(toString(number), '^9.*9$')` })
    expect(await countOf(MAX_COMPUTED_TEXTS)).toEqual([[111]])
    await expect(countOf(MAX_COMPUTED_TEXTS + 1)).rejects.toMatchObject({
      code: 'too_many_values',
      detail: expect.stringMatching(/'match' .*10,000 different values.*ClickHouse/),
    })
  })

  it('rejects more bytes than the Worker reads', async () => {
    const sql = `SELECT max(extract(concat(repeat('x', 50000), toString(number)), '[0-9]+')) FROM numbers(22)`
    expect(22 * 50_000).toBeGreaterThan(MAX_COMPUTED_BYTES)
    await expect(rowsOf({ sql })).rejects.toMatchObject({ code: 'too_many_values' })
    expect(await rowsOf({ sql: sql.replace('numbers(22)', 'numbers(20)') })).toEqual([['9']])
  })

  it('rejects results that are much longer than their texts', async () => {
    const sql = `SELECT replaceRegexpAll(repeat('x', 1000), 'x+?', '0123456789') FROM numbers(1)`
    await expect(rowsOf({ sql })).rejects.toMatchObject({
      detail: expect.stringContaining('more than 4 times'),
    })
  })

  it('rejects a pattern that takes too long for its texts', async () => {
    const sql = `SELECT match(concat(repeat('x', 100000), toString(number)), '([a-z]{3}[0-9]){80}') FROM numbers(9)`
    await expect(rowsOf({ sql })).rejects.toMatchObject({ detail: expect.stringContaining('too large for') })
  })
})

it.each([
  ["match(toString(number), '(')", /'\(' is not a regular expression of RE2/],
  ["match(toString(number), 'a(?=b)')", /is not a regular expression of RE2/],
  [
    "replaceRegexpOne(toString(number), '(a)', '\\\\2')",
    /The replacement has \\2, and the regular expression 1 groups/,
  ],
  ["regexpExtract(toString(number), '(a)', 2)", /takes the number of a group, from 0 to 1/],
])('rejects %s with 400', async (call, message) => {
  await expect(rowsOf({ sql: `SELECT ${call} FROM numbers(1)` })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_regex',
    detail: expect.stringMatching(message),
  })
})

it('takes patterns and replacements from variables', async () => {
  const variables = {
    pattern: { type: 'String', value: '^1(.)$' },
    other: { type: 'String', value: '<\\1>' },
  } as const
  const sql =
    'SELECT replaceRegexpOne(toString(number), {variables.pattern}, {variables.other}) AS text FROM numbers(13) WHERE toString(number) =~ {variables.pattern}'
  expect(await rowsOf({ sql, variables })).toEqual([['<0>'], ['<1>'], ['<2>']])
})

it('finds plain patterns without a statement of its own', async () => {
  const { computed } = forD1(
    await compileQuestion({ sql: `SELECT count() FROM events WHERE event =~ '^sign|up$|x\\\\.y'` }),
  )
  expect(computed).toBeUndefined()
})
