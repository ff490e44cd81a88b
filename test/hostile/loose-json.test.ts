// Bodies that are no JSON but contain NaN, as Python writes it.
import { describe, expect, it } from 'vitest'
import { withoutNotNumbers } from '../../src/sdk/body/loose-json'
import { expectLinear } from './growth-ratio'

describe('NaN and Infinity', () => {
  it.each([
    ['[NaN, Infinity, -Infinity, -NaN]', '[null, null, null, null]'],
    ['{"NaN": NaN, "a\\"NaN": "Infinity"}', '{"NaN": null, "a\\"NaN": "Infinity"}'],
    ['{"a": [1, NaN], "b": {"c": -Infinity}}', '{"a": [1, null], "b": {"c": null}}'],
    ['NaN', 'null'],
    ['["NaN', '["NaN'],
    ['["a\\', null],
    ['[nan, 1]', null],
  ])('reads %s', (text, expected) => expect(withoutNotNumbers(text)).toBe(expected))
})

describe('hostile text', () => {
  it.each([
    ['a string of escaped quotes without an end', (size: number) => `NaN"${'\\"'.repeat(size)}`],
    ['quotes', (size: number) => `NaN${'"'.repeat(size)}`],
    ['minus signs', (size: number) => `NaN${'-'.repeat(size)}`],
    ['beginnings of the words', (size: number) => `NaN${'InfinitNa'.repeat(size)}`],
    ['many of the words', (size: number) => 'NaN,'.repeat(size)],
  ])('takes time in proportion to %s', (_, textOf) => expectLinear(textOf, withoutNotNumbers, 10_000))
})
