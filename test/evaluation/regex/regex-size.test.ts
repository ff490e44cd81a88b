import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { toEngineDialect } from '../../../src/evaluation/regex/regex-dialect'
import { programSizeOf } from '../../../src/evaluation/regex/regex-size'

/** Instructions that the engine makes of a pattern; null when it rejects it. */
function actualSize(pattern: string): number | null {
  const translated = toEngineDialect(pattern)
  if (translated === null) return null
  try {
    return RE2JS.compile(translated, RE2JS.LOOKBEHINDS).programSize()
  } catch {
    return null
  }
}

const atom = fc.constantFrom(
  'a',
  'é',
  '😀',
  '.',
  '^',
  '$',
  '\\b',
  '\\w',
  '\\D',
  '[a-z]',
  '[^\\w-]',
  '[]a]',
  '\\x41',
  '\\{',
  '{',
  'a{',
  '\\p{L}',
)
const repeat = fc.constantFrom('', '', '*', '+', '?', '*?', '{0}', '{3}', '{,3}', '{2,}', '{1,4}', '{0,5}?')
const { pattern: patterns } = fc.letrec<{ pattern: string; item: string; group: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('item'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((branches) => branches.map((items) => items.join('')).join('|')),
  item: fc
    .tuple(fc.oneof({ depthSize: 'small' }, atom, tie('group')), repeat)
    .map(([what, times]) => what + times),
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?P<n>', '(?<=', '(?<!', '(?s-i:', '(?U)('), tie('pattern'))
    .map(([head, inner]) => `${head}${inner})`),
}))

describe('programSizeOf', () => {
  it('is never below what the engine makes of a pattern', () => {
    let compiled = 0
    let tried = 0
    fc.assert(
      fc.property(patterns, (pattern) => {
        tried += 1
        const actual = actualSize(pattern)
        if (actual === null) return
        compiled += 1
        expect(programSizeOf(pattern)).toBeGreaterThanOrEqual(actual)
      }),
      { numRuns: 1_000 },
    )
    expect(compiled).toBeGreaterThan(tried / 6)
  })

  it.each([
    ['foo', 6],
    ['@example\\.com$', 16],
    ['(?i)chrome|safari', 17],
    ['x{1000}', 1_005],
    ['x{1000}'.repeat(3), 3_009],
    ['\\w+', 27],
    ['(?P<name>a)', 6],
    ['a@example\\.com|'.repeat(500), 7_503],
  ])('of %j is %i', (pattern, size) => {
    expect(programSizeOf(pattern)).toBe(size)
  })

  it('counts the code points that are walked through to ignore case, and those only', () => {
    expect(programSizeOf('[B-\\x{FFFF}]')).toBe(4)
    expect(programSizeOf('(?i)[B-\\x{FFFF}]')).toBeGreaterThan(500)
    expect(programSizeOf('(?i)[]-\\x{FFFF}]')).toBeGreaterThan(500)
    expect(programSizeOf('(?i)[\\t-\\x{FFFF}]')).toBeGreaterThan(500)
    expect(programSizeOf('(?i)[a-z]')).toBe(4)
  })

  it('takes one pass, however deep a pattern nests', () => {
    expect(programSizeOf('('.repeat(5_000))).toBe(3)
    expect(programSizeOf(`${'('.repeat(4_000)}a${')'.repeat(4_000)}`)).toBe(8_004)
    expect(programSizeOf(`${'('.repeat(100)}a${'){1000}'.repeat(100)}`)).toBeGreaterThan(1e300)
  })
})
