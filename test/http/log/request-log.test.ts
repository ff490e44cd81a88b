import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { loggedPath } from '../../../src/http/log/request-log'

const BASE62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
const randomText = (characters: readonly string[]) =>
  fc.array(fc.constantFrom(...characters), { minLength: 43, maxLength: 43 }).map((all) => all.join(''))

/** Keys, tokens of sessions, and secrets of webhooks. */
const secret = fc.oneof(
  fc.tuple(fc.constantFrom('phx_', 'phc_', 'phs_', ''), randomText(BASE62)).map((parts) => parts.join('')),
  randomText([...BASE62, '+', '/']).map((text) => `whsec_${text}=`),
)

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16)}`
const asIs = (character: string) => (character === '/' ? '%2F' : character)

/** Encodings of a character in a path, some of which nothing decodes. */
const ENCODINGS: readonly ((character: string) => string)[] = [
  asIs,
  (character) => asIs(character.toLowerCase()),
  (character) => asIs(character.toUpperCase()),
  escaped,
  (character) => escaped(character).toUpperCase(),
  (character) => escaped(character).replace('%', '%25'),
  (character) => escaped(character).replace('%', '%2525'),
  (character) => `%u00${escaped(character).slice(1)}`,
  (character) => `%${asIs(character)}`,
  (character) => `%zz${asIs(character)}`,
  (character) => `${asIs(character)}%`,
]
const encoding = fc.constantFrom(...ENCODINGS)

const written = fc
  .tuple(
    fc.constantFrom('', 'Bearer%20', 'api;key=', '..%2f', 'x:'),
    secret,
    fc.oneof(
      encoding.map((one) => [one]),
      fc.array(encoding, { minLength: 1, maxLength: 43 }),
    ),
  )
  .map(([before, text, encodings]) => {
    const all = [...text].map((character, index) => encodings[index % encodings.length]!(character))
    return before + all.join('')
  })

it('the log of an unknown path has no part of a secret in it, however it is encoded', () => {
  fc.assert(
    fc.property(written, (text) => {
      const { pathname } = new URL(`https://flags.example.com/api/v1/${text}/flags.json`)
      expect(loggedPath(pathname)).toBe('/api/v1/…/flags.json')
    }),
    { numRuns: process.env.FUZZ_RUNS ? 20_000 : 1_000 },
  )
})
