// Many conditions on one large or costly value: the value is read within the budget, its text is made once.
import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/evaluation/compile/compile'
import { evaluate } from '../../../src/evaluation/evaluate'
import { explain } from '../../../src/evaluation/explain/explain'
import { PROPERTY_OPERATORS } from '../../../src/evaluation/matchers/operators'
import { drawn, LINEAR, measureGrowth } from './processor-growth'

const AT = { now: Date.UTC(2026, 2, 10), timezone: 'America/New_York' }

/** A filter value of each operator that makes its test read the property. */
const FILTER_VALUES: Partial<Record<string, unknown>> = {
  is_date_exact: '-9999m',
  is_date_before: '-9999m',
  is_date_after: '-9999m',
  between: [1, 2],
  not_between: [1, 2],
  icontains_multi: ['a', 'b'],
  not_icontains_multi: ['a', 'b'],
  semver_wildcard: Array.from({ length: 32 }, () => '>=1.0.0-a').join(','),
}

/** Properties of a caller, by size. */
const VALUES: Record<string, (size: number) => unknown> = {
  'a wide object': (size) =>
    Object.fromEntries(Array.from({ length: size }, (_, index) => [`key ${index}`, index])),
  'nested lists': (size) => Array.from({ length: size }, (_, index) => [[index]]),
  'a text of one letter': (size) => 'x'.repeat(10 * size),
  'a text beyond ASCII': (size) => 'É'.repeat(10 * size),
  'a version with many identifiers': (size) => `1.0.0-a${'.a'.repeat(5 * size)}`,
  digits: (size) => '1'.repeat(10 * size),
  'a date far back': () => '-9999m',
}

const CONDITIONS = 40
const SIZE = 5_000

const setOf = (operator: string) =>
  compile({
    flags: [
      {
        id: 1,
        key: 'flag',
        active: true,
        filters: {
          groups: Array.from({ length: CONDITIONS }, (_, index) => ({
            properties: [
              {
                key: 'plan',
                type: 'person',
                operator,
                value: FILTER_VALUES[operator] ?? `1.0.0-${index}`,
              },
            ],
            rollout_percentage: 0,
          })),
        },
      },
    ],
    cohorts: [],
    group_type_mapping: {},
    property_matching_version: 1,
  } as never)

const cases = Object.entries(VALUES).flatMap(([name, valueOf]) =>
  PROPERTY_OPERATORS.map((operator) => ({ name, valueOf, operator })),
)

describe('the work for many conditions on one value grows linearly', () => {
  it.for(drawn(cases, 8))('$operator, $name', async ({ valueOf, operator }) => {
    const set = setOf(operator)
    const growth = await measureGrowth((size) => {
      const text = JSON.stringify({ plan: valueOf(size) })
      return () => evaluate(set, { distinctId: 'ada', personProperties: JSON.parse(text) }, AT)
    }, SIZE)
    expect(growth).toEqual(LINEAR)
    // The bound of one evaluation, with room for a slow machine.
    expect(growth.times[1]).toBeLessThan(2_000)
  })
})

it('an explanation takes no more than a few evaluations', async () => {
  const set = setOf('icontains')
  const growth = await measureGrowth((size) => {
    const plan = VALUES['a wide object']!(size) as never
    return () => JSON.stringify(explain(set, 'flag', { distinctId: 'ada', personProperties: { plan } }, AT))
  }, SIZE)
  expect(growth).toEqual(LINEAR)
})
