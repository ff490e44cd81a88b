// Bodies that are no JSON but contain NaN, as Python writes it, and those with half a character.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutHalves, withoutNotNumbers } from '../../src/sdk/body/read-body'
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

const unit = fc.constantFrom('a', '"', '\\', 'u', 'd83d', '\ud83d', '\ude00', '\u0000', '\u00e9', '{')
const text = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''))
/** As Python and PHP write it: ASCII. */
const escaped = (json: string) =>
  json.replace(/[\x7f-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('halves of characters', () => {
  it('are U+FFFD, in names and values, and nothing else changes', () => {
    // V8 13.6 reads a name with an escape as that of an object before, such as "\\" for "\ufffd", unless each text has names of its own.
    let texts = 0
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text, { maxLength: 3 })), (sample) => {
        for (const write of [JSON.stringify, (value: unknown) => escaped(JSON.stringify(value))]) {
          texts += 1
          const entries = Object.entries(sample).map(
            ([name, values]) => [`${texts} ${name}`, values] as const,
          )
          const sent = write(Object.fromEntries(entries))
          const expected = entries.map(([name, values]) => [
            name.toWellFormed(),
            values.map((each) => each.toWellFormed()),
          ])
          expect(JSON.parse(withoutHalves(sent))).toEqual(Object.fromEntries(expected))
        }
      }),
    )
  })
})

describe('hostile text', () => {
  it.each([
    ['a string of escaped quotes without an end', (size: number) => `NaN"${'\\"'.repeat(size)}`],
    ['quotes', (size: number) => `NaN${'"'.repeat(size)}`],
    ['minus signs', (size: number) => `NaN${'-'.repeat(size)}`],
    ['beginnings of the words', (size: number) => `NaN${'InfinitNa'.repeat(size)}`],
    ['many of the words', (size: number) => 'NaN,'.repeat(size)],
  ])('takes time in proportion to %s', (_, textOf) => expectLinear(textOf, withoutNotNumbers, 10_000))
  it.each([
    ['backslashes', (size: number) => `${'\\'.repeat(size)}\\ud83d`],
    ['halves', (size: number) => '\\ud83d'.repeat(size)],
    ['beginnings of halves', (size: number) => `\\ud83d${'\\ud8'.repeat(size)}`],
  ])('takes time in proportion to %s', (_, textOf) => expectLinear(textOf, withoutHalves, 10_000))
})
