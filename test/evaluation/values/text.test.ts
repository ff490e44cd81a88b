import { describe, expect, it } from 'vitest'
import { foldAscii, foldUnicode, jsonText, parseFloatText, textOf } from '../../../src/evaluation/values/text'

describe('the text of a value', () => {
  it.each([
    ['text', 'text'],
    [null, 'null'],
    [true, 'true'],
    [5, '5'],
    [1.5, '1.5'],
    [-0, '-0.0'],
    [0.00001, '0.00001'],
    [0.0000015, '1.5e-6'],
    [1e-7, '1e-7'],
    [1e16, '10000000000000000'],
    [1e20, '100000000000000000000'],
    [-1e20, '-100000000000000000000'],
    [1e21, '1e21'],
    [['a', 1, null], '["a",1,null]'],
    [{ b: 1, a: { d: [], c: 'é"' } }, '{"a":{"c":"é\\"","d":[]},"b":1}'],
    [{ '\u{1F600}': 1, '\uFFFD': 2 }, '{"\uFFFD":2,"\u{1F600}":1}'],
  ])('%j is %s', (value, expected) => {
    expect(textOf(value)).toBe(expected)
  })

  it('quotes a text only as JSON', () => {
    expect(jsonText('a"b')).toBe('"a\\"b"')
  })
})

describe('numbers in texts', () => {
  it.each([
    ['1e2', 100],
    ['.5', 0.5],
    ['5.', 5],
    ['+7', 7],
    ['-1.5E-1', -0.15],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['NaN', Number.NaN],
  ])('%s is %d', (text, expected) => {
    expect(parseFloatText(text)).toBe(expected)
  })

  it.each(['', ' 6', '6 ', '.', 'e5', '1e', '0x10', '1_000', '12abc', 'true', '+-1', 'infin'])(
    '%j is not one',
    (text) => {
      expect(parseFloatText(text)).toBeNull()
    },
  )

  it('looks at a long text once', () => {
    expect(parseFloatText(`${'1'.repeat(1_000_000)}x`)).toBeNull()
  })
})

describe('case', () => {
  it('folds ASCII alone, or all of Unicode', () => {
    expect(foldAscii('ÉCOLE K')).toBe('École k')
    expect(foldUnicode('ÉCOLE ΑΣ')).toBe('école ας')
  })
})
