// The check of `npm run check` that finds regular expressions whose time grows faster than the text.
import { expect, it } from 'vitest'
import { faultOf, patternsIn } from './patterns'

const faultsOf = async (code: string) => Promise.all(patternsIn('src/a.ts', code).map(faultOf))

it('finds literals, and patterns that are made of texts', () => {
  const code = "const a = /b+/g\n// /c+/\nconst d = '/e+/' + new RegExp(`f${a}`)"
  expect(patternsIn('src/a.ts', code)).toEqual([
    { place: 'src/a.ts:1', source: 'b+', flags: 'g' },
    { place: 'src/a.ts:3', source: 'new RegExp(`f${a}`)', flags: '' },
  ])
})

it.each([
  String.raw`/^[\w-]+$/`,
  String.raw`/(?:did|does){0,20}x/i`,
  String.raw`/"[^"]*"/y`,
  String.raw`/a+b|[^c]+d/y`,
])('accepts %s', async (literal) => {
  expect(await faultsOf(literal)).toEqual([null])
})

it.each([
  [String.raw`/\/+$/`, 'it takes 2nd degree polynomial time'],
  [String.raw`/^\d+\.?\d*$/`, 'it takes 2nd degree polynomial time'],
  [String.raw`/^(?:a*b?){0,5}$/`, expect.stringMatching(/^it takes/)],
  [String.raw`/^(?:a|a)*$/`, 'it takes exponential time'],
  [String.raw`/a+(?=b)/`, expect.stringMatching(/^recheck cannot tell/)],
  ['new RegExp(text)', 'it is made of a text'],
])('rejects %s', async (literal, fault) => {
  expect(await faultsOf(literal)).toEqual([fault])
})
