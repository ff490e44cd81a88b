// What stands in queries: the parameters that an operation has, and pieces that nobody would send.
import * as fc from 'fast-check'
import { valuesOf } from './arbitrary'
import { type Documented, schemas } from './document'
import { knownOf } from './known'
import { spoil, spoilings } from './spoil'
import { weighted } from './weighted'

/** Names with values, which are encoded, and pieces that are sent as they stand. */
export type Query = (readonly [name: string, value: string] | { raw: string })[]

const HOSTILE_PIECES: Query = [
  { raw: '%' },
  { raw: 'limit=%ZZ' },
  { raw: '%00=%00' },
  { raw: 'search=%ed%a0%80' },
  { raw: '&&==&' },
  { raw: 'a[]=1&a[b]=2' },
  { raw: '__proto__=1&constructor=2&hasOwnProperty=3' },
  ['limit', '1e999'],
  ['limit', '-1'],
  ['limit', '9'.repeat(40)],
  ['offset', '9007199254740993'],
  ['offset', '1e15'],
  ['search', 'x'.repeat(3_000)],
  ['search', '%_\\'],
  ['format', 'csv'],
  ['personal_api_key', 'phx_unknown'],
  ['toString', ''],
]

/** Queries for an operation: few parameters, many, or spoiled ones. */
export function queries(operation: Documented): fc.Arbitrary<Query> {
  const known = knownOf(operation.id)
  const values = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, schema }) => {
      const made = valuesOf(schema, { schemas }).map(String)
      const value = known[name]
        ? fc.oneof({ weight: 3, arbitrary: known[name].map(String) }, { weight: 1, arbitrary: made })
        : made
      return { name, required, value }
    })
  const sound = fc
    .record(Object.fromEntries(values.map(({ name, value }) => [name, value])), {
      requiredKeys: values.filter(({ required }) => required).map(({ name }) => name),
      noNullPrototype: true,
    })
    .map((query) => Object.entries(query) as [string, string][])
  // Most parameters of a long list would exclude each other.
  const few = fc.tuple(sound, fc.nat(3)).map(([query, most]) => {
    const isRequired = ([name]: [string, string]) =>
      values.some((each) => each.required && each.name === name)
    const others = query.filter((piece) => !isRequired(piece))
    return [...query.filter(isRequired), ...others.slice(0, most)]
  })
  const spoiled = fc
    .tuple(sound, fc.array(spoiledPieces(values.map(({ name }) => name)), { minLength: 1, maxLength: 2 }))
    .map(([query, more]): Query => [...query, ...more])
  return values.length === 0
    ? weighted([
        [15, fc.constant([])],
        [1, fc.array(spoiledPieces([]), { maxLength: 2 })],
      ])
    : weighted<Query>([
        [6, few],
        [2, sound],
        [2, spoiled],
      ])
}

/** Something hostile, or a name again, with a value of another kind. */
function spoiledPieces(names: string[]): fc.Arbitrary<Query[number]> {
  const hostile = fc.constantFrom(...HOSTILE_PIECES)
  if (names.length === 0) return hostile
  const again = fc
    .tuple(fc.constantFrom(...names), spoilings)
    .map(([name, change]) => [name, textOf(spoil('sample', change))] as const)
  return fc.oneof(hostile, again)
}

/** What a hostile value looks like in a query. Lone surrogates have no encoding. */
const textOf = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 3_000).toWellFormed()
