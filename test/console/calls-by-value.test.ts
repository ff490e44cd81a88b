// The order and the colours of a flag's values in charts.
import { expect, it } from 'vitest'
import { callsByValue } from '../../src/console/flag/calls-by-value'

const series = (...values: string[]) =>
  values.map((value, index) => ({
    label: `series ${index}`,
    breakdown_value: value,
    data: [],
    days: [],
    count: 1,
  }))

const look = (filters: object, ...values: string[]) =>
  callsByValue({ filters } as never, series(...values)).map(({ label, colour }) => [label, colour])

it('shows true before false, whichever has more calls', () => {
  expect(look({}, 'false', 'true')).toEqual([
    ['true', 0],
    ['false', 5],
  ])
  expect(look({}, 'false')).toEqual([['false', 5]])
})

it('shows variants in their order, and values that are none of them last', () => {
  const variants = ['control', 'table', 'cards'].map((key) => ({ key, rollout_percentage: 33 }))
  expect(look({ multivariate: { variants } }, 'gone', 'cards', 'control')).toEqual([
    ['control', 0],
    ['cards', 2],
    ['gone', 5],
  ])
  const many = Array.from({ length: 8 }, (_, index) => ({ key: `v${index}`, rollout_percentage: 12 }))
  expect(look({ multivariate: { variants: many } }, 'false', 'v7', 'v6')).toEqual([
    ['v6', 0],
    ['v7', 1],
    ['false', 2],
  ])
})
