import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokensAtStart } from '../../src/sdk/body/early-tokens'

describe('tokensAtStart', () => {
  it.each<[string, string[], string[]]>([
    ['{"token": "a", "api_key": "b", "$token": "c"}', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['{"distinct_id": "x", "person_properties": {"token": "mine"}, "token": "a"', ['a'], ['a']],
    ['{"properties": {"token": "a", "deep": {"token": "no"}}}', [], ['a']],
    ['[{"properties": {"token": "a"}}, {"token": "no"}]', [], ['a']],
    ['[[{"token": "no"}]]', [], []],
    ['{"batch": [{"token": "no", "properties": {"token": "no"}}], "api_key": "a"}', ['a'], ['a']],
    ['{"to\\u006ben": "p\\u0068c_1"}', ['phc_1'], ['phc_1']],
    ['{"token": 5, "api_key": null, "$token": ["no"]}', [], []],
    ['{"token": "cut', [], []],
    ['{"a": "token", "b": "\\"token\\": \\"no\\""}', [], []],
    ['data=eyJ0b2tlbiI6ImEifQ', [], []],
    ['"token"', [], []],
    ['}]{"token": "a"}', ['a'], ['a']],
  ])('of %s', (start, outside, inEvents) => {
    expect(tokensAtStart(start, false)).toEqual(outside)
    expect(tokensAtStart(start, true)).toEqual(inEvents)
  })

  it('returns at most three tokens', () => {
    const start = `{${Array.from({ length: 1_000 }, (_, index) => `"token": "${index}"`).join(',')}}`
    expect(tokensAtStart(start, false)).toEqual(['0', '1', '2'])
  })

  it('finds the tokens of the parsed object, wherever the text is cut', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.jsonValue({ maxDepth: 3 }))
    const body = fc.dictionary(fc.constantFrom('token', 'api_key', 'other', 'properties'), value)
    fc.assert(
      fc.property(body, fc.nat(200), (object, cut) => {
        const wanted = ['token', 'api_key'].flatMap((name) =>
          typeof object[name] === 'string' ? [object[name]] : [],
        )
        const text = JSON.stringify(object)
        expect([...tokensAtStart(text, false)].sort()).toEqual(wanted.sort())
        for (const token of tokensAtStart(text.slice(0, cut), false)) expect(wanted).toContain(token)
      }),
    )
  })
})
