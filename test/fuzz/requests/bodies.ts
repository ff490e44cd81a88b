// Bodies as they travel: JSON that an operation takes, JSON that it does not, and what is no JSON at all.
import * as fc from 'fast-check'
import { spoil, spoilings } from './spoil'

/** A body as it travels. */
export interface SentBody {
  /** Its content type; null for none. */
  type: string | null
  text: string
  /** Whether each character of the text is a byte. */
  binary?: true
}

const JSON_TYPE = 'application/json'
const MIB = 1024 * 1024

/** Bodies that are no JSON, or hardly, whatever an operation wants. */
const HOPELESS: readonly SentBody[] = [
  ...[
    '',
    ' ',
    'null',
    '[]',
    '[{}]',
    '1',
    '"text"',
    'true',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{"b":2}',
    'NaN',
    '{"a":NaN}',
    '\ufeff{}',
    '{"id":1,"id":2,"__proto__":{"a":1}}',
    '['.repeat(63) + ']'.repeat(63),
    '['.repeat(65) + ']'.repeat(65),
    '['.repeat(100_000),
    `{"a":${'1'.repeat(10_000)}}`,
    `{"a":"${'x'.repeat(MIB)}"}`,
    '{"a":"\\ud800"}',
    '{"\\u0000":1}',
  ].map((text) => ({ type: JSON_TYPE, text })),
  { type: JSON_TYPE, text: '\xff\xfe{}', binary: true },
  { type: JSON_TYPE, text: '{"a":"\xc3\x28"}', binary: true },
  { type: JSON_TYPE, text: '\x1f\x8b\x08\x00', binary: true },
]

/** Content types that are not JSON's, or only nearly. */
const OTHER_TYPES: readonly (string | null)[] = [
  null,
  '',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  'application/xml',
  'json',
]

const jsonOf = (value: unknown): string => JSON.stringify(value) ?? ''

/** Sound JSON, spoiled. */
export const spoiledBodies = (sound: fc.Arbitrary<unknown>): fc.Arbitrary<SentBody> =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(sound, fc.array(spoilings, { minLength: 1, maxLength: 2 }))
        .map(([value, changes]) => ({
          type: JSON_TYPE,
          text: jsonOf(changes.reduce(spoil, value)),
        })),
    },
    { weight: 2, arbitrary: fc.constantFrom(...HOPELESS) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(sound, fc.nat(200))
        .map(([value, length]) => ({ type: JSON_TYPE, text: JSON.stringify(value).slice(0, length) })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(sound, fc.constantFrom(...OTHER_TYPES))
        .map(([value, type]) => ({ type, text: JSON.stringify(value) })),
    },
  )

/** JSON as it is. */
export const soundBodies = (sound: fc.Arbitrary<unknown>): fc.Arbitrary<SentBody> =>
  sound.map((value) => ({ type: JSON_TYPE, text: JSON.stringify(value) }))
