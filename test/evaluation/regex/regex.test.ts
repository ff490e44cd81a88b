import { describe, expect, it } from 'vitest'
import { EvaluationBudget } from '../../../src/evaluation/budget'
import { compileRegex, type Regex } from '../../../src/evaluation/regex/regex'

const compiled = (pattern: string): Regex => {
  const regex = compileRegex(pattern)
  if (typeof regex === 'string') throw new Error(`${pattern}: ${regex}`)
  return regex
}
const found = (pattern: string, text: string): boolean | null =>
  compiled(pattern).search(text, new EvaluationBudget())

describe('the dialect', () => {
  it.each([
    ['b', 'abc', true],
    ['', 'anything', true],
    ['ABC', 'abc', false],
    ['(?i)É', 'é', true],
    ['a$', 'a\n', false],
    ['(?m)a$', 'a\nb', true],
    ['^b', 'a\nb', false],
    ['^.$', '\r', true],
    ['^.$', '\n', false],
    ['^.$', '😀', true],
    ['\\d', '٣', true],
    ['[\\d.]+$', '١.٢', true],
    ['^\\w+$', 'école', true],
    ['\\W', 'é', false],
    ['[^\\W_]', '_', false],
    ['[\\W_]', 'é', false],
    ['^\\s$', '\u00a0', true],
    ['^[\\s\\S]$', '\n', true],
    ['\\bfoo\\b', 'a foo b', true],
    ['a{', 'xa{', true],
    ['^a{,3}$', 'aa', true],
    ['^a{,3}$', 'a{,3}', false],
    ['^a{,}b\\{,3}[{,3}]$', 'aaab{,3},', true],
    ['{', '{', true],
    ['\\{\\}', '{}', true],
    ['(?P<name>a)(?<other>b)', 'ab', true],
    ['[[:alpha:]_-]', '-', true],
    ['[]a]', ']', true],
    ['\\p{L}\\pL\\p{Greek}', 'éaα', true],
    ['\\x41\\x{42}\\u0043\\u{1F600}', 'ABC😀', true],
    ['\\A\\x2e\\z', '.', true],
    ['^\\h{4}$', 'BEEF', true],
    ['(?<=a)b', 'ab', true],
    ['(?<!a)b', 'ab', false],
  ])('%j in %j: %s', (pattern, text, expected) => {
    expect(found(pattern, text)).toBe(expected)
  })

  it.each(['[unclosed', '(', '*a', '?', 'a\\', '[z-a]', 'a{2,1}'])('%j is not valid', (pattern) => {
    expect(compileRegex(pattern)).toBe('invalid')
  })

  it.each(['(a)\\1', 'a(?=b)', 'a(?!b)', '(?>a)', 'a++'])('%j has no linear-time form', (pattern) => {
    expect(compileRegex(pattern)).toBe('invalid')
  })

  it.each(['[a[b]]', '[a-z&&[^b]]', '[a--b]', '\\<a', '\\b{start}', '\\Qa\\E', '\\07'])(
    '%j would mean something else to the engine',
    (pattern) => {
      expect(compileRegex(pattern)).toBe('invalid')
    },
  )
})

describe('time', () => {
  it('stays linear where backtracking explodes', () => {
    expect(found('^(a+)+$', `${'a'.repeat(50_000)}b`)).toBe(false)
  })

  it('rejects patterns whose compiled form would be huge', () => {
    expect(compileRegex('((a{1,1000}){1,1000}){1,1000}')).toBe('too large')
    expect(compileRegex('a'.repeat(10_001))).toBe('too large')
    for (const pattern of ['a{1001}', '(a{40}){40}', `${'('.repeat(1_100)}a${')'.repeat(1_100)}`])
      expect(compileRegex(pattern)).toBe('too large')
    expect(compileRegex('\\w'.repeat(2_000))).toBe('too large')
    expect(compiled('a@example\\.com|'.repeat(500)).size).toBeGreaterThan(7_000)
  })
})
