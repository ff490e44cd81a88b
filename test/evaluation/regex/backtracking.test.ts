// The backtracking matcher against JavaScript's own, and where they differ.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EvaluationBudget } from '../../../src/evaluation/budget'
import {
  BacktrackingRegex,
  compileBacktracking,
  MAX_BACKTRACKING_STEPS,
} from '../../../src/evaluation/regex/backtracking'

function found(pattern: string, text: string, budget = new EvaluationBudget()): boolean | null {
  const regex = compileBacktracking(pattern)
  if (!(regex instanceof BacktrackingRegex)) throw new Error(`${pattern}: ${regex}`)
  return regex.search(text, budget)
}

const numbered = (count: number, item: (letter: string) => string): string =>
  Array.from({ length: count }, (_, index) => item(String.fromCharCode(0x4e00 + 2 * index))).join('')

/** Some patterns take all steps that they may. */
const RUNS = 300

const item = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', 'é', '😀', '\\b', '^', '$', '-')
const repeat = fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,2}?')
const { pattern: patterns } = fc.letrec<{ pattern: string; part: string; group: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('part'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((branches) => branches.map((parts) => parts.join('')).join('|')),
  part: fc
    .oneof(
      { depthSize: 'small' },
      { weight: 3, arbitrary: fc.tuple(item, repeat) },
      { weight: 2, arbitrary: fc.tuple(tie('group'), repeat) },
      {
        weight: 2,
        arbitrary: fc.tuple(
          tie('pattern').chain((inner) => LOOKS.map((head) => `${head}${inner})`)),
          fc.constant(''),
        ),
      },
    )
    .map(([what, times]) => (/^(?:\\b|\^|\$)$/.test(what) ? what : what + times)),
  group: fc.tuple(fc.constantFrom('(?:', '('), tie('pattern')).map(([head, inner]) => `${head}${inner})`),
}))
const LOOKS = fc.constantFrom('(?=', '(?!', '(?<=', '(?<!')

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', 'é', '😀', '-', '\n', ' '), { maxLength: 8 })
  .map((characters) => characters.join(''))

// In JavaScript, `.` leaves out more than \n, and `\b` knows ASCII words only. V8 searches inside of surrogate pairs, which the
// specification does not: each character is tried by itself.
function isFoundByJavaScript(pattern: string, text: string): boolean {
  const regex = new RegExp(
    pattern.replaceAll('.', '[^\\n]').replaceAll('\\b', '(?:(?<=[abcé])(?![abcé])|(?<![abcé])(?=[abcé]))'),
    'uy',
  )
  let start = 0
  for (const character of [...text, '']) {
    regex.lastIndex = start
    if (regex.test(text)) return true
    start += character.length
  }
  return false
}

describe('the backtracking matcher', () => {
  it('agrees with JavaScript on look-around, groups and repetitions', () => {
    let matched = 0
    let stopped = 0
    let tried = 0
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        tried += 1
        const result = found(pattern, text)
        // At the limit of steps, JavaScript would take as many steps or more: it has no limit.
        if (result === null) {
          stopped += 1
          return
        }
        expect(result).toBe(isFoundByJavaScript(pattern, text))
        if (result) matched += 1
      }),
      { numRuns: RUNS },
    )
    expect(matched).toBeGreaterThan(tried / 10)
    expect(stopped).toBeLessThan(tried / 20)
  })

  it('agrees with JavaScript on back-references to groups that have matched', () => {
    let matched = 0
    let stopped = 0
    let tried = 0
    fc.assert(
      // Groups before the one that is referred to would be counted.
      fc.property(patterns, patterns, patterns, texts, (before, group, after, text) => {
        const uncaptured = (pattern: string) => pattern.replace(/\((?!\?)/g, '(?:')
        const pattern = `(?:${uncaptured(before)})(${uncaptured(group)})(?:${uncaptured(after)})\\1`
        tried += 1
        const result = found(pattern, text)
        // At the limit of steps, JavaScript would take as many steps or more: it has no limit.
        if (result === null) {
          stopped += 1
          return
        }
        expect(result).toBe(isFoundByJavaScript(pattern, text))
        if (result) matched += 1
      }),
      { numRuns: RUNS },
    )
    expect(matched).toBeGreaterThan(tried / 10)
    expect(stopped).toBeLessThan(tried / 20)
  })

  it.each([
    ['^(?!.*@example\\.com$).+$', 'ada@example.com', false],
    ['^(?!.*@example\\.com$).+$', 'ada@other.com', true],
    ['(?P<word>\\w+) (?P=word)$', 'the the', true],
    ['(?<w>é)\\k<w>', 'éé', true],
    ['(a)?\\1b', 'b', false],
    ['(?i)(ab)\\1', 'abAB', true],
    ['(?<=a+)b', 'aaab', true],
    ['(?<=(a|bc))d', 'bcd', true],
    ['(?>a+)ab', 'aaab', false],
    ['a++b', 'aab', true],
    ['a*+a', 'aaa', false],
    ['(?=\\d{2})\\d+$', '٣٤', true],
    ['(?=[[:alpha:]-]+$)\\p{L}', 'a-b', true],
    ['(?!x)\\p{Greek}', 'λ', true],
    ['(?=a)a$', 'a\n', false],
    ['^(?=a)a{,2}$', 'aa', true],
    ['(?m)(?=a)a$', 'a\n', true],
    ['(?s)(?=a).+b', 'a\nb', true],
    ['(?x) (?=a) a # comment\n b', 'ab', true],
    ['(?#note)(?=a)a', 'a', true],
    ['(?=\\x61\\u{62})..', 'ab', true],
    ['(?=[\\w-])[\\]\\-]', '-', true],
    ['(?=\\t)\\s', '\t', true],
    ['(?U)(?=a)a+?b', 'aab', true],
  ])('finds %s in %j: %s', (pattern, text, expected) => {
    expect(found(pattern, text)).toBe(expected)
  })

  it.each([
    '(?=a',
    '(?=a))',
    '\\1',
    '(a)\\2',
    '(?P=x)',
    '(?<x>a)(?<x>b)(?=c)',
    '(?=*)',
    'a**',
    '(?=a{2,1})',
    '(?=[b-a])',
    '(?=\\p{Nothing})',
  ])('calls %s invalid', (pattern) => {
    expect(compileBacktracking(pattern)).toBe('invalid')
  })

  it.each([
    '(?=a{1001})',
    '(?=(?:(?:a{1000}){1000}))',
    `(?=${'(?:'.repeat(300)}${')'.repeat(300)})`,
    '(?=(?:(?:(?:){1000}){1000}){1000})',
    `(?=${'a'.repeat(10_000)})`,
    `(a)\\1[一${'\\W'.repeat(1_200)}]`,
    `(a)\\1${numbered(300, (letter) => `[${letter}\\W]`)}`,
    `(?i)(a)\\1${['L', 'Lu', 'Ll', 'M', 'N', 'P', 'S'].flatMap((name) => ['p', 'P', 'p'].map((letter, n) => `\\${letter}{${n === 2 ? '^' : ''}${name}}`)).join('')}${'\\p{Greek}\\p{Han}\\p{Thai}\\p{Lao}\\p{Arabic}\\p{Hebrew}\\p{Tamil}'}`,
  ])('calls %.40s too large', (pattern) => {
    expect(compileBacktracking(pattern)).toBe('too large')
  })

  it('counts a class by what it takes to compile', () => {
    const sizeOf = (pattern: string) => (compileBacktracking(pattern) as BacktrackingRegex).size
    const base = sizeOf('(?=a)')
    // Every pattern shares the sets of words and digits.
    expect(sizeOf('(?=\\w)')).toBe(base)
    expect(sizeOf('(?=[\\W\\d])')).toBe(base)
    expect(sizeOf('(?=[ab])')).toBe(base + 42)
    expect(sizeOf('(?=[ab][ab])')).toBe(base + 42 + 1)
    expect(sizeOf('(?=[ab\\p{Greek}])')).toBe(base + 542)
    expect(sizeOf('(?i)(?=éé)')).toBe(base + 40 + 1)
  })

  it('tests the parts of a class together', () => {
    for (const [text, isFound] of [
      ['b', true],
      ['é', false],
      ['α', true],
      ['-', true],
      ['٣', true],
      ['z', false],
    ] as const) {
      expect(found('(?=[a-c\\p{Greek}\\d-])', text)).toBe(isFound)
      expect(found('(?=[^a-c\\p{Greek}\\d-])', text)).toBe(!isFound)
    }
    expect(found('(?i)(?=[^\\p{Lu}])', 'a')).toBe(false)
    expect(found('(?i)(?=K)', '\u212A')).toBe(true)
  })

  it.each([
    ['(?=(a+)+$)b|(a+)+\\2c', `${'a'.repeat(60)}!`],
    ['^(?!(a|a)*$)', `${'a'.repeat(60)}!b`],
    ['(?=.*.*.*.*x)', 'a'.repeat(5_000)],
    ['(.*)\\1x', 'a'.repeat(20_000)],
  ])('stops at the limit of steps: %s', (pattern, text) => {
    const budget = new EvaluationBudget()
    const before = budget.left
    expect(found(pattern, text, budget)).toBeNull()
    expect(before - budget.left).toBeGreaterThanOrEqual(MAX_BACKTRACKING_STEPS)
    expect([budget.stopped, budget.exceeded]).toEqual([1, 0])
  })

  it('fails a flag when the request has no steps left, and counts the used ones', () => {
    const budget = new EvaluationBudget(1_000)
    expect(found('(?=.*.*x)', 'a'.repeat(1_000), budget)).toBeNull()
    expect([budget.stopped, budget.exceeded, budget.left]).toEqual([0, 1, 0])
    const enough = new EvaluationBudget()
    found('(?=a)a', 'a', enough)
    expect(new EvaluationBudget().left - enough.left).toBeLessThan(20)
  })
})
