import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkNumbers, parseExactly, parseForResponse } from '../../../src/http/body/exact-integers'

/** The error for a text; null without one. */
function failure(text: string) {
  try {
    JSON.parse(text)
    checkNumbers(text)
    return null
  } catch (error) {
    const { status, code, attr, detail } = error as Record<string, unknown>
    return { status, code, attr, detail }
  }
}

const altered = (attr: string | null, value: string) => ({
  status: 400,
  code: 'invalid_input',
  attr,
  detail: `Integers past 2^53 are not kept exactly: ${value}. Send it as text.`,
})

const infinite = (attr: string | null, value: string) => ({
  status: 400,
  code: 'invalid_input',
  attr,
  detail: `Numbers must be finite: ${value}. The largest is about 1.8e308.`,
})

const exactly = { a: '-1234567890123456789', b: { c: '1000000000000000000000' } }
const quoted = ['"', '1234567890123456789', 'a\\', '1234567890123456788']

/** Generated values have integers past 2^53 only where a number keeps them. */
const withTextFor = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, each: unknown) =>
      typeof each === 'number' && /^-?\d+$/.test(String(each)) && !Number.isSafeInteger(each)
        ? String(each)
        : each,
    ),
  )

describe('checkNumbers', () => {
  it.each([
    ['1234567890123456789', altered(null, '1234567890123456789')],
    ['[1, -9007199254740993]', altered('1', '-9007199254740993')],
    ['{"a": {"b": [0, {"c": 9007199254740993}]}}', altered('a__b__1__c', '9007199254740993')],
    ['{"a": [], "b": {"x": 1}, "c": 12345678901234567890.0}', altered('c', '12345678901234567890.0')],
    ['{"a": 1.2345678901234567891e19}', altered('a', '1.2345678901234567891e19')],
    [`{"a": "\\"1", "b": 1${'0'.repeat(399)}}`, altered('b', `1${'0'.repeat(99)}`)],
    ['{"a\\"b": 1152921504606846976}', altered('a"b', '1152921504606846976')],
    ['{"a": "1234567890123456789"}', null],
    ['{"1234567890123456789": 1}', null],
    ['{"a": "{\\"b\\": 1234567890123456789}"}', null],
    ['9007199254740992', null],
    ['9007199254740991', null],
    ['100000000000000000000', null],
    ['-100000000000000000000', null],
    // It is printed as 1e+22.
    ['10000000000000000000000', altered(null, '10000000000000000000000')],
    ['1e22', null],
    ['1.0000000000000000', null],
    ['0.1234567890123456789', null],
    ['33.333333333333333333', null],
    ['1e999', infinite(null, '1e999')],
    ['{"a": [0, -1E+0999]}', infinite('a__1', '-1E+0999')],
    [`{"a": ${'9'.repeat(400)}.5}`, infinite('a', '9'.repeat(100))],
    ['["1e999", 1e308, 1e-999, 0e999, "\\"", 1.5e300]', null],
  ])('of %s', (text, expected) => {
    expect(failure(text)).toEqual(expected)
  })

  it('accepts an integer exactly when it is printed as it was sent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (integer) => {
        expect(failure(`[${integer}]`) === null).toBe(String(Number(integer)) === String(integer))
      }),
    )
  })

  it('takes time in proportion to the text', () => {
    const start = performance.now()
    checkNumbers(`[${'1234567890123456,'.repeat(60_000)}${'1e300,'.repeat(60_000)}"${'1'.repeat(100_000)}"]`)
    // Quadratic, it would take minutes.
    expect(performance.now() - start).toBeLessThan(15_000)
  })
})

describe('parseExactly', () => {
  it.each([
    ['1234567890123456789', '1234567890123456789'],
    ['[9007199254740991, -9007199254740991]', [9007199254740991, -9007199254740991]],
    // Which number keeps it and which does not is chance: both are text.
    ['[9007199254740992, 9007199254740993]', ['9007199254740992', '9007199254740993']],
    ['{"a": -1234567890123456789, "b": {"c": 1000000000000000000000}}', exactly],
    ['{"a": 1.2345678901234567891e19}', { a: '1.2345678901234567891e19' }],
    ['{"1234567890123456789": "1234567890123456789"}', { '1234567890123456789': '1234567890123456789' }],
    ['["\\"", 1234567890123456789, "a\\\\", 1234567890123456788]', quoted],
    ['[0.1234567890123456789, 1e22, 1234.5999999999767]', [0.12345678901234568, 1e22, 1234.5999999999767]],
    ['{"a": 1e999, "b": [-1e999, 1e308, "1e999"]}', { a: '1e999', b: ['-1e999', 1e308, '1e999'] }],
    ['{"__proto__": 1234567890123456789}', JSON.parse('{"__proto__": "1234567890123456789"}')],
  ])('reads %s', (text, value) => {
    expect(parseExactly(text)).toEqual(value)
  })

  it.each([
    '{1234567890123456789: 1}',
    '[01234567890123456789]',
    '[1234567890123456789',
    '-1234567890123456789-',
  ])('rejects %s, which is no JSON', (text) => {
    expect(() => parseExactly(text)).toThrow(SyntaxError)
  })

  it('keeps the digits of any integer and alters nothing else', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), fc.json(), (integer, json) => {
        const [read, rest] = parseExactly(`[${integer}, ${json}]`) as [unknown, unknown]
        expect(String(read)).toBe(String(integer))
        expect(rest).toEqual(withTextFor(JSON.parse(json)))
      }),
    )
  })

  it('takes time in proportion to the text', () => {
    const start = performance.now()
    parseExactly(`[${'1234567890123456789,'.repeat(60_000)}"${'1'.repeat(100_000)}"]`)
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

describe('parseForResponse', () => {
  it('writes numbers as the text has them', () => {
    const text =
      '{"id":1234567890123456789,"share":1.5,"ids":[-9007199254740993,"9007199254740993"],"large":1e999}'
    expect(JSON.stringify(parseForResponse(text))).toBe(text)
  })
})
