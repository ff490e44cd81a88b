// Functions that the Worker computes for D1: their bounds and errors, and constants that come from variables.
import { describe, expect, it } from 'vitest'
import { FUNCTIONS } from '../../../src/hogql/functions/catalogue'
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

  it.each([
    `replaceRegexpAll(repeat('x', 1000), 'x+?', '0123456789')`,
    `replaceRegexpAll(repeat('xxxxx', 100000), 'x', '${'0'.repeat(1_000)}')`,
    `replaceRegexpAll(repeat('xxxxx', 100000), 'x+', '${String.raw`\\0`.repeat(500)}')`,
    `extractAllGroups(repeat('xxxxx', 50000), '${'()'.repeat(100)}x')`,
    `URLHierarchy(concat('https://example.com', repeat('/a', 100000)))`,
    `URLPathHierarchy(concat('https://example.com', repeat('/a', 100000)))`,
  ])('stops before a result becomes much longer than its text: %#', async (call) => {
    await expect(rowsOf({ sql: `SELECT ${call} FROM numbers(1)` })).rejects.toMatchObject({
      detail: expect.stringContaining('more than 4 times'),
    })
  })

  it('takes linear time for long texts', async () => {
    const long = `concat(repeat('.........', 50000), toString(number))`
    expect(
      await rowsOf({ sql: `SELECT port(${long}), length(base64Encode(${long})) FROM numbers(1)` }),
    ).toEqual([[0, 600_004]])
  })

  it('rejects a pattern that takes too long for its texts', async () => {
    const sql = `SELECT match(concat(repeat('x', 100000), toString(number)), '([a-z]{3}[0-9]){80}') FROM numbers(9)`
    await expect(rowsOf({ sql })).rejects.toMatchObject({
      detail: expect.stringContaining('at most 100,000,000 steps'),
    })
  })

  it('rejects a plain pattern of a list that is too long, as one of a match', async () => {
    const sql = `SELECT multiMatchAny(toString(number), ['${'a'.repeat(1_001)}']) FROM numbers(9)`
    await expect(rowsOf({ sql })).rejects.toMatchObject({
      detail: expect.stringContaining('at most 1,000 characters'),
    })
  })

  it.each([
    ['in one pattern', `match(toString(number), '${'a{999}'.repeat(60)}')`],
    [
      'in a list of patterns',
      `multiMatchAny(toString(number), [${Array.from({ length: 60 }, (_, index) => `'${index}{999}'`).join(', ')}])`,
    ],
    [
      'in a list of plain patterns',
      `multiMatchAny(toString(number), [${Array.from({ length: 60 }, (_, index) => `'${String(index).padEnd(900, 'a')}'`).join(', ')}])`,
    ],
    [
      'in several calls',
      Array.from(
        { length: 6 },
        (_, index) => `match(toString(number), '${`${index}{999}`.repeat(10)}')`,
      ).join(' + '),
    ],
  ])('rejects more than 50,000 instructions %s before it compiles them', async (_, call) => {
    await expect(rowsOf({ sql: `SELECT ${call} FROM numbers(1)` })).rejects.toMatchObject({
      status: 400,
      code: 'query_too_large',
      detail: expect.stringContaining('at most 50,000 instructions together'),
    })
  })

  it.each([
    `countMatches(repeat('a', 20000), 'a(a*b)?')`,
    `splitByRegexp('a(a*b)?', repeat('a', 20000))`,
    `extractAllGroups(repeat('a', 20000), '(a)(a*b)?')`,
    `replaceRegexpAll(repeat('a', 20000), 'a(?:.*b)?', 'x')`,
    `replaceRegexpAll(repeat('a', 100000), '()a', '${String.raw`\\1`.repeat(500)}')`,
    `cutURLParameter(repeat('??????????', 50000), '${'?'.repeat(1_000)}')`,
    `multiMatchAny(repeat('aaaaaaaaaa', 50000), [${Array.from({ length: 20 }, (_, index) => `'${'a'.repeat(400)}b${'a'.repeat(480 + index)}'`).join(', ')}])`,
  ])('stops a call that reads the same part of a text many times: %#', async (call) => {
    await expect(rowsOf({ sql: `SELECT ${call} FROM numbers(40)` })).rejects.toMatchObject({
      status: 400,
      code: 'query_too_large',
      detail: expect.stringContaining('at most 100,000,000 steps'),
    })
  })

  it('finds many matches in a long text', async () => {
    const sql = `SELECT countMatches(repeat('a,a,', 50000), '[,;]'), length(splitByRegexp(',', repeat('a,a,', 50000)))`
    expect(await rowsOf({ sql })).toEqual([[100_000, 100_001]])
  })

  it.each([
    [`translate(toString(number), '${'a'.repeat(1_001)}', '')`, 'translate'],
    [`hasToken(toString(number), '${'a'.repeat(1_001)}')`, 'hasToken'],
    [`cutURLParameter(toString(number), '${'a'.repeat(1_001)}')`, 'cutURLParameter'],
    [`replaceRegexpAll(toString(number), 'a', '${'a'.repeat(1_001)}')`, 'replaceRegexpAll'],
  ])('rejects a constant of more than 1,000 characters: %#', async (call, name) => {
    await expect(rowsOf({ sql: `SELECT ${call} FROM numbers(1)` })).rejects.toMatchObject({
      status: 400,
      code: 'query_too_large',
      detail: expect.stringContaining(`'${name}' has at most 1,000 characters`),
    })
  })

  it('rejects results that are too long together', async () => {
    const call = (letter: number) =>
      `length(translate(concat(repeat('xxxxxxxx', 100000), toString(number)), 'y', '${letter}'))`
    const rows = (calls: number) =>
      rowsOf({
        sql: `SELECT ${Array.from({ length: calls }, (_, index) => call(index)).join(' + ')} FROM numbers(1)`,
      })
    expect(await rows(5)).toEqual([[5 * 800_001]])
    await expect(rows(6)).rejects.toMatchObject({
      status: 400,
      code: 'query_too_large',
      detail: expect.stringMatching(/^With 'translate'.*at most 8,388,608 characters together/),
    })
  })

  it('shares the work of several calls', async () => {
    const call = (letter: string) =>
      `match(concat(repeat('${letter}', 100000), toString(number)), '([a-z]{3}[0-9]){24}')`
    const rows = (...letters: string[]) =>
      rowsOf({ sql: `SELECT ${letters.map(call).join(' + ')} FROM numbers(5)` })
    expect(await rows('x')).toHaveLength(5)
    await expect(rows('x', 'y', 'z')).rejects.toMatchObject({
      detail: expect.stringContaining('at most 100,000,000 steps'),
    })
  })
})

it.each([
  ['match(toString(number), {variables.text})', '(', /'\(' is not a regular expression of RE2/],
  ['match(toString(number), {variables.text})', 'a(?=b)', /is not a regular expression of RE2/],
  [
    "replaceRegexpOne(toString(number), '(a)', {variables.text})",
    '\\2',
    /The replacement has \\2, and the regular expression 1 groups/,
  ],
  ["regexpExtract(toString(number), '(a)', 2)", '', /takes the number of a group, from 0 to 1/],
])('rejects a run of %s where the text is %s with 400', async (call, value, message) => {
  const variables = { text: { type: 'String', value } } as const
  await expect(rowsOf({ sql: `SELECT ${call} FROM numbers(1)`, variables })).rejects.toMatchObject({
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

describe('an argument that is NULL', () => {
  /** A call of each function with a constant argument that is NULL, and for each its value: a condition and a text are NULL, an array is empty. */
  const texts: readonly [call: (value: string) => string, value: null | []][] = [
    [(value) => `match(x, ${value})`, null],
    [(value) => `extract(x, ${value})`, null],
    [(value) => `extractAll(x, ${value})`, []],
    [(value) => `extractAllGroups(x, ${value})`, []],
    [(value) => `countMatches(x, ${value})`, null],
    [(value) => `countMatchesCaseInsensitive(x, ${value})`, null],
    [(value) => `splitByRegexp(${value}, x)`, []],
    [(value) => `regexpExtract(x, ${value}, 0)`, null],
    [() => `regexpExtract(x, 'n', NULL)`, null],
    [(value) => `replaceRegexpAll(x, ${value}, 'y')`, null],
    [(value) => `replaceRegexpAll(x, 'n', ${value})`, null],
    [(value) => `replaceRegexpOne(x, ${value}, 'y')`, null],
    [(value) => `replaceRegexpOne(x, 'n', ${value})`, null],
    [(value) => `translate(x, ${value}, 'y')`, null],
    [(value) => `translate(x, 'n', ${value})`, null],
    [(value) => `cutURLParameter(x, ${value})`, null],
    [(value) => `hasToken(x, ${value})`, null],
    [(value) => `hasTokenCaseInsensitive(x, ${value})`, null],
  ]
  const variables = { none: { type: 'String', value: null } } as const

  it('is tried with every function of more than one argument', () => {
    const several = FUNCTIONS.flatMap((spec) =>
      spec.kind === 'scalar' && spec.computed && spec.takes.length > 1 ? [spec.name] : [],
    )
    const tried = texts.map(([call]) => call('').split('(')[0]!)
    expect(new Set(several)).toEqual(new Set([...tried, 'multiMatchAny', 'multiMatchAnyIndex']))
  })

  it.each(texts)('%s', async (call, value) => {
    for (const none of ['NULL', '{variables.none}']) {
      const sql = `SELECT ${call(none)}, ${call(none)} IS NULL FROM (SELECT concat('null ', toString(number)) AS x FROM numbers(1))`
      expect(await rowsOf({ sql, variables }), none).toEqual([[value, value === null ? 1 : 0]])
    }
  })

  it('is no pattern of a list, and keeps the places of the others', async () => {
    const sql = `SELECT multiMatchAny(x, [NULL, 'b']), multiMatchAnyIndex(x, [NULL, 'n']) FROM (SELECT concat('null ', toString(number)) AS x FROM numbers(1))`
    expect(await rowsOf({ sql })).toEqual([[0, 2]])
  })
})
