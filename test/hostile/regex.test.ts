// Regular expressions that are written to be slow: what they cost is bounded when they are written, and when they run.
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { EvaluationBudget, MAX_EVALUATION_STEPS } from '../../src/evaluation/budget'
import {
  compileRegex,
  MAX_AUTOMATON_BYTES,
  MAX_REGEX_PROGRAM,
  MAX_REGEX_TEXT,
  type Regex,
} from '../../src/evaluation/regex/regex'
import { createRegexCache, MAX_REGEX_CACHE_BYTES } from '../../src/evaluation/regex/regex-cache'
import { MAX_FLAG_REGEX_PROGRAM } from '../../src/flags/filters/properties'
import { loadEngines } from '../evaluation/support'
import { createTenant } from '../support/tenant'

beforeAll(loadEngines)

const HUGE = [
  'x{1000}'.repeat(1_000),
  '((a{50}){50}){50}',
  '\\w{1000}',
  '(?i)[B-\\x{FFFF}]{40}',
  '(x{100}y{100}){60}',
]

const compiled = (pattern: string): Regex => {
  const regex = compileRegex(pattern)
  if (typeof regex === 'string') throw new Error(`${pattern}: ${regex}`)
  return regex
}

const withPatterns = (...patterns: string[]) => ({
  key: `patterned-${crypto.randomUUID()}`,
  filters: {
    groups: [
      {
        properties: patterns.map((value) => ({ key: 'plan', type: 'person', operator: 'regex', value })),
      },
    ],
  },
})

describe('a pattern whose program would be huge', () => {
  it.each(HUGE)('is not compiled: %s', (pattern) => {
    expect(compileRegex(pattern)).toBe('too large')
  })

  it('is rejected when a flag is written, with what to do', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(tenant.flags(), withPatterns('fine', HUGE[0]!))
    expect(response.status).toBe(400)
    expect(response.body).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      attr: 'filters',
      detail:
        'groups[0].properties[1].value: This regular expression is too large: at most 10000 characters, and 10000 instructions with its ' +
        'repetitions written out. Lower its repetition counts, replace Unicode classes such as \\w by ASCII ones such as [0-9A-Za-z_], or split it.',
    })
  })

  it('matches nothing, and costs nothing, where it is stored already', () => {
    const cache = createRegexCache()
    const budget = new EvaluationBudget()
    for (let i = 0; i < 100; i += 1) expect(cache.search(HUGE[1]!, 'aaaa', budget)).toBeNull()
    expect(budget.exceeded).toBe(0)
    expect(cache.bytes).toBeLessThan(1_000)
  })
})

describe('many patterns of one flag', () => {
  it('are bounded together', async () => {
    const tenant = await createTenant()
    const count = Math.ceil(MAX_FLAG_REGEX_PROGRAM / 9_500) + 1
    const patterns = Array.from({ length: count }, (_, index) => `x{900}${'y'.repeat(8_500)}${index}`)
    const response = await tenant.post(tenant.flags(), withPatterns(...patterns))
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({
      attr: 'filters',
      detail: expect.stringMatching(
        /^groups\[0\]\.properties\[\d\]\.value: The regular expressions of these filters are too large together: at most 50000 /,
      ),
    })
  })

  it('count once when they are the same, and not again when they are stored', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag(
      withPatterns(...Array.from({ length: 20 }, () => 'x{900}y{900}z{900}w{900}')),
    )
    expect((await tenant.patch(tenant.flags(flag.id), { filters: flag.filters })).status).toBe(200)
  })
})

describe('a match', () => {
  /** Patterns whose automaton has a state for every combination of places, or whose every step looks at all of a large program. */
  const SLOW = [
    '(a|b)*a(a|b){12}',
    '(a|b)*a(a|b){500}',
    '(a?){500}a{500}',
    '.*'.repeat(2_000),
    '\\w{300}z',
    '(?<=a.{50})b(a|b)*c',
  ]
  const texts = fc
    .array(fc.constantFrom('a', 'b', 'ab'), { minLength: 50, maxLength: 400 })
    .map((all) => all.join(''))

  it.each(SLOW)('takes from the budget what it costs at worst, or nothing: %s', (pattern) => {
    const regex = compiled(pattern)
    fc.assert(
      fc.property(texts, (text) => {
        const budget = new EvaluationBudget()
        const found = regex.search(text, budget)
        const spent = MAX_EVALUATION_STEPS - budget.left
        expect(spent).toBeGreaterThanOrEqual(found === null ? 0 : text.length)
        expect(spent).toBeLessThanOrEqual(text.length * regex.size + MAX_AUTOMATON_BYTES)
        expect(found === null).toBe(text.length * regex.size > MAX_EVALUATION_STEPS)
      }),
      { numRuns: 20 },
    )
  })

  it('holds a bounded automaton', () => {
    for (const pattern of SLOW) {
      const regex = compiled(pattern)
      const own = regex.bytes
      for (let i = 0; i < 20; i += 1) {
        const text = Array.from({ length: 300 }, (_, at) => 'ab'[(at * (i + 7) * 31 + (at >> 3)) % 2]).join(
          '',
        )
        regex.search(text, new EvaluationBudget())
        expect(regex.bytes - own).toBeLessThanOrEqual(MAX_AUTOMATON_BYTES)
      }
    }
  })

  it('answers the same with its automaton as without', () => {
    const slow = compiled('(a|b)*a(a|b){12}$')
    const plain = /a[ab]{12}$/
    for (let i = 0; i < 300; i += 1) {
      const text = Array.from({ length: 60 }, (_, at) => 'ab'[((at * 2_654_435 + i * 40_503) >> 5) % 2]).join(
        '',
      )
      expect(slow.search(text, new EvaluationBudget())).toBe(plain.test(text))
    }
  })

  it('does not begin when its text is too long, or the budget too small', () => {
    const regex = compiled('(a+)+z')
    const budget = new EvaluationBudget(1_000)
    expect(regex.search('a'.repeat(MAX_REGEX_TEXT + 1), budget)).toBeNull()
    expect(budget).toMatchObject({ left: 1_000, exceeded: 0 })
    expect(regex.search('a'.repeat(1_000), budget)).toBeNull()
    expect(budget).toMatchObject({ left: 1_000, exceeded: 1 })
  })
})

describe('the cache of compiled patterns', () => {
  it('is bounded in bytes, and counts compiled patterns', () => {
    const cache = createRegexCache(1_000_000)
    const budget = new EvaluationBudget()
    for (let i = 0; i < 100; i += 1) cache.search(`${'x'.repeat(1_000)}${i}`, 'y', budget)
    expect(cache.bytes).toBeLessThanOrEqual(1_000_000)
    expect(MAX_EVALUATION_STEPS - budget.left).toBeGreaterThan(100 * 1_000 * 100)
    expect(MAX_REGEX_CACHE_BYTES).toBeLessThanOrEqual(32 * 1024 * 1024)
  })

  it('compiles what the budget allows, and keeps it for the next request', () => {
    const cache = createRegexCache()
    const patterns = Array.from({ length: 10 }, (_, i) => `${'x'.repeat(5_000)}${i}`)
    const answered = () => {
      const budget = new EvaluationBudget(3 * 5_100 * 100)
      return patterns.filter((pattern) => cache.search(pattern, 'y', budget) !== null).length
    }
    expect([answered(), answered(), answered(), answered()]).toEqual([3, 6, 9, 10])
  })
})

describe('a request for flags with slow patterns', () => {
  it('fails those that do not fit, and answers the others', async () => {
    const tenant = await createTenant()
    for (let i = 0; i < 6; i += 1)
      await tenant.flag({
        ...withPatterns(`(a|b)*a(a|b){${900 - i}}${'.*'.repeat(1_000)}z`),
        key: `slow-${i}`,
      })
    await tenant.flag({ key: 'quick', filters: { groups: [{ properties: [] }] } })
    const body = {
      token: tenant.projectToken,
      distinct_id: 'ada',
      person_properties: { plan: 'ab'.repeat(1_000) },
    }
    const response = await tenant.send('POST', '/flags/?v=2', { body })
    expect(response.status).toBe(200)
    const { flags, errorsWhileComputingFlags } = response.body
    expect(errorsWhileComputingFlags).toBe(true)
    expect(flags.quick).toMatchObject({ enabled: true })
    const failed = Object.values(flags as Record<string, { failed?: true; reason: { code: string } }>).filter(
      (flag) => flag.failed,
    )
    expect(failed.length).toBeGreaterThan(0)
    for (const { reason } of failed) expect(reason.code).toBe('timeout')
    expect(MAX_REGEX_PROGRAM).toBe(10_000)
  })
})
