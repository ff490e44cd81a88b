// What turns a sound value into one that nobody should send: a member replaced, lost, added, or a list that has grown.
import * as fc from 'fast-check'

/** Text that goes into JSON as it stands, where a string that begins so is: numbers that JavaScript cannot hold. */
const verbatim = (json: string) => `{{=${json}}}`

const deep = (levels: number) => JSON.parse('[{"a":'.repeat(levels) + '1' + '}]'.repeat(levels)) as unknown

/** Members that mean something to JavaScript. As JSON gives them: as members, whatever they are called. */
const withMember = (name: string, value: unknown) => Object.fromEntries([[name, value]])

/** What may stand in place of any value. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  false,
  'true',
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '\u202e',
  '__proto__',
  'constructor',
  "'; DROP TABLE feature_flags; --",
  '" OR 1=1 --',
  '%00',
  '../..',
  '{{',
  '{variables.nothing}',
  '@current',
  '(((((((',
  '(?<=a)b',
  '2026-13-45T99:99:99Z',
  '0001-01-01T00:00:00+23:59',
  '999999-01-01',
  'x'.repeat(500),
  'y'.repeat(20_000),
  0,
  -1,
  1.5,
  1e-7,
  4.9e-324,
  2 ** 31,
  2 ** 53,
  1.7e308,
  '{{=-0}}',
  '{{=1e999}}',
  '{{=-1e999}}',
  '{{=9223372036854775808}}',
  verbatim('1'.repeat(400)),
  '1e999',
  'NaN',
  '0x10',
  '٣',
  [],
  {},
  [null],
  [[]],
  [{}],
  { a: 1 },
  { length: 3 },
  { $ref: '#' },
  withMember('__proto__', { isAdmin: true }),
  withMember('constructor', { prototype: { isAdmin: true } }),
  deep(3),
  deep(20),
  deep(31),
]

const STRANGE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'id',
  'project_id',
  'team',
  'deleted',
  '',
  '\u0000',
  '\ud800',
  'a.b',
  '$where',
]

/** What stands in a text in place of one of its characters: it says something else then, or nothing. */
const PIECES = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\n',
  '🙂',
  "'",
  '"',
  '\\',
  '{',
  '}',
  '(',
  ')',
  '[',
  '*',
  '+',
  '?',
  '%',
  '_',
  '$',
  '.',
  ',',
  ';',
  '/',
  '--',
  '/*',
  '-',
  '0',
  '9999',
  'e9',
]

/** One change. `at` chooses among the places of the value; which changes there are depends on what is there. */
export type Spoiling = { at: number } & (
  | { how: 'replace'; by: unknown }
  | { how: 'remove' }
  | { how: 'add'; name: string; value: unknown }
  | { how: 'repeat'; times: number }
  | { how: 'wrap' }
  | { how: 'retype' }
  | { how: 'mangle'; place: number; by: string }
)

const at = fc.nat(999)
/** No text can be made of it: it has members in the place of the functions that would. */
const NO_TEXT = { toString: 'a', valueOf: 1 }
const hostile = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(NO_TEXT, [NO_TEXT], { a: NO_TEXT }) },
)

export const spoilings: fc.Arbitrary<Spoiling> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ at, how: fc.constant('replace' as const), by: hostile }) },
  { weight: 3, arbitrary: fc.record({ at, how: fc.constant('remove' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      at,
      how: fc.constant('add' as const),
      name: fc.constantFrom(...STRANGE_NAMES),
      value: hostile,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ at, how: fc.constant('repeat' as const), times: fc.constantFrom(2, 60, 3_000) }),
  },
  { weight: 1, arbitrary: fc.record({ at, how: fc.constant('wrap' as const) }) },
  { weight: 2, arbitrary: fc.record({ at, how: fc.constant('retype' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      at,
      how: fc.constant('mangle' as const),
      place: fc.nat(999),
      by: fc.constantFrom(...PIECES),
    }),
  },
)

type Path = readonly (string | number)[]

/** Every place of a value, itself first. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const members = Array.isArray(value)
    ? value.map((each, index) => [index, each] as const)
    : Object.entries(value)
  return [path, ...members.flatMap(([name, each]) => placesOf(each, [...path, name]))]
}

/** The value with one change, undefined when nothing is left of it. What was given stays as it is. */
export function spoil(value: unknown, spoiling: Spoiling): unknown {
  if (value === undefined) return undefined
  const places = placesOf(value)
  const spoiled = changeAt(value, places[spoiling.at % places.length]!, spoiling)
  return spoiled === GONE ? undefined : spoiled
}

const GONE = Symbol('gone')

function changeAt(value: unknown, [step, ...rest]: Path, spoiling: Spoiling): unknown {
  if (step === undefined) return changed(value, spoiling)
  if (Array.isArray(value)) {
    return value
      .map((each: unknown, index) => (index === step ? changeAt(each, rest, spoiling) : each))
      .filter((each) => each !== GONE)
  }
  return Object.fromEntries(
    Object.entries(value as object)
      .map(([name, each]) => [name, name === step ? changeAt(each, rest, spoiling) : each] as const)
      .filter(([, each]) => each !== GONE),
  )
}

function changed(value: unknown, spoiling: Spoiling): unknown {
  switch (spoiling.how) {
    case 'replace':
      return spoiling.by
    case 'remove':
      return GONE
    case 'add':
      return isObject(value)
        ? Object.fromEntries([...Object.entries(value), [spoiling.name, spoiling.value]])
        : spoiling.value
    case 'repeat':
      return repeated(value, spoiling.times)
    case 'wrap':
      return [value]
    case 'retype':
      return retyped(value)
    case 'mangle':
      return mangled(value, spoiling.place, spoiling.by)
  }
}

/** A text with another piece at one place, or a number that is not far from what it was. */
function mangled(value: unknown, place: number, by: string): unknown {
  if (typeof value === 'number') return [-value, value + 1, value - 1, value + 0.5, value * 1e6][place % 5]
  if (typeof value !== 'string') return retyped(value)
  const from = place % (value.length + 1)
  return value.slice(0, from) + by + value.slice(from + 1)
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function repeated(value: unknown, times: number): unknown {
  if (Array.isArray(value)) return Array.from({ length: times }, () => value as unknown[]).flat()
  return typeof value === 'string' ? value.repeat(times) : Array.from({ length: times }, () => value)
}

/** The same, written as another type. */
function retyped(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value.length
    case 'number':
    case 'boolean':
      return String(value)
    default:
      return JSON.stringify(value)
  }
}
