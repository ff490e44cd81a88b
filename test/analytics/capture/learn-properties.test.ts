import { describe, expect, it } from 'vitest'
import {
  createKnownProperties,
  learnProperties,
  MAX_DEFINITIONS,
  typeOf,
} from '../../../src/analytics/capture/learn-properties'
import { parseEvent } from '../../../src/analytics/capture/parse-event'
import type { LearnedDefinition } from '../../../src/analytics/property-definitions/property-type'

const now = new Date('2026-06-01T12:00:00Z')

const eventsFrom = (...sent: { event?: string; properties: Record<string, unknown> }[]) =>
  sent.map((each, index) => {
    const raw = { event: 'opened', distinct_id: 'ada', ...each }
    return parseEvent(raw, index, { now, sentAt: null, newUuid: () => `uuid-${index}` }).event!
  })

const learn = (
  sent: Parameters<typeof eventsFrom>[0][],
  types: Record<string, number> = {},
  known = createKnownProperties(),
) => learnAll(sent, types, known).filter(({ owner }) => owner !== 'event_name')

/** The same with the names of events. */
const learnAll = (
  sent: Parameters<typeof eventsFrom>[0][],
  types: Record<string, number> = {},
  known = createKnownProperties(),
) => learnProperties(eventsFrom(...sent), new Map(Object.entries(types)), known.of(1), now)

const named = (definitions: readonly LearnedDefinition[]) =>
  Object.fromEntries(definitions.map(({ owner, name, type }) => [`${owner}.${name}`, type]))

describe('the type of a value', () => {
  it.each([
    [12, 'Numeric'],
    [-0.5, 'Numeric'],
    [true, 'Boolean'],
    [false, 'Boolean'],
    ['', 'String'],
    ['12', 'String'],
    ['true', 'Boolean'],
    [' FALSE ', 'Boolean'],
    ['True', 'String'],
    [1771000000, 'Numeric'],
    ['2026-06-01', 'DateTime'],
    ['2026-06-01T12:30:00Z', 'DateTime'],
    ['2026-06-01 12:30:00.5+02:00', 'DateTime'],
    ['2026/06/01', 'DateTime'],
    ['25-06-2026 12:30:00', 'DateTime'],
    ['Mon, 01 Jun 2026 12:30:00 +0200', 'DateTime'],
    ['2026', 'String'],
    ['June 1, 2026', 'String'],
    [null, null],
    [undefined, null],
    [{ a: 1 }, null],
    [[1], null],
  ])('%j is %s', (value, type) => {
    expect(typeOf('x', value, now)).toBe(type)
  })

  it.each([
    ['created_at', 1771000000, 'DateTime'],
    ['created-at', 1771000000000, 'DateTime'],
    ['CreatedAt', 1771000000, 'DateTime'],
    ['Timestamp', 1771000000, 'DateTime'],
    ['due_date', 1771000000, 'DateTime'],
    ['time_spent', 1_700_000_000, 'Numeric'],
    ['time_spent', 1771000000.5, 'Numeric'],
    ['price', 1771000000, 'Numeric'],
  ])('of %s with %j is %s', (name, value, type) => {
    expect(typeOf(name, value, now)).toBe(type)
  })

  it.each([
    'utm_campaign',
    'UTM_Campaign',
    '$initial_utm_term',
    '$feature/new',
    '$feature_flag_response',
    '$survey_response_2',
    'distinct_id',
  ])('of %s is text, with any first value', (name) => {
    expect([2024, true, '2026-06-01'].map((value) => typeOf(name, value, now))).toEqual([
      'String',
      'String',
      'String',
    ])
    expect(typeOf(name, null, now)).toBeNull()
  })
})

describe('learning from events', () => {
  it('uses the first typed value of each property and owner', () => {
    expect(
      named(
        learn(
          [
            { properties: { price: null, $set: { age: 36 }, $set_once: { first: '2026-01-01' } } },
            { properties: { price: 12, list: [1], $set: { age: 'old', paid: true } } },
            { properties: { price: 'twelve', $unset: ['age'], $groups: { company: 'acme' }, $group_0: 'x' } },
            {
              event: '$groupidentify',
              properties: { $group_type: 'company', $group_key: 'acme', $group_set: { price: 'high' }, k: 1 },
            },
            {
              event: '$groupidentify',
              properties: { $group_type: 'sixth', $group_key: 'acme', $group_set: { n: 1 } },
            },
          ],
          { company: 3 },
        ),
      ),
    ).toEqual({
      'event.price': 'Numeric',
      'person.age': 'Numeric',
      'person.first': 'DateTime',
      'person.paid': 'Boolean',
      'group_3.price': 'String',
    })
  })

  it('learns names of events, each once', () => {
    const known = createKnownProperties()
    known.add(1, [{ owner: 'event_name', name: 'closed', type: 'String' }])
    const sent = ['opened', 'closed', '$set', 'opened'].map((event) => ({
      event,
      properties: {},
    }))
    expect(named(learnAll(sent, {}, known))).toEqual({
      'event_name.opened': 'String',
      'event_name.$set': 'String',
    })
  })

  it('skips persons of events without a person profile', () => {
    const definitions = learn([{ properties: { a: 1, $set: { b: 1 }, $process_person_profile: false } }])
    expect(named(definitions)).toEqual({ 'event.a': 'Numeric', 'event.$process_person_profile': 'Boolean' })
  })

  it('skips names that are too long or cannot be stored', () => {
    const properties = { '': 1, ['x'.repeat(201)]: 1, 'a\u0000b': 1, '\ud800': 1, ['é'.repeat(200)]: 1 }
    expect(learn([{ properties }]).map(({ name }) => name)).toEqual(['é'.repeat(200)])
  })

  it('skips cached definitions', () => {
    const known = createKnownProperties()
    known.add(1, [{ owner: 'event', name: 'a', type: 'Numeric' }])
    known.add(2, [{ owner: 'event', name: 'b', type: 'Numeric' }])
    const definitions = learn([{ properties: { a: 1, b: 1, $set: { a: 1 } } }], {}, known)
    expect(named(definitions)).toEqual({ 'event.b': 'Numeric', 'person.a': 'Numeric' })
  })
})

describe('the cache of definitions', () => {
  const many = (count: number, prefix = 'p') =>
    Array.from({ length: count }, (_, number) => ({
      owner: 'event' as const,
      name: `${prefix}${number}`,
      type: 'Numeric' as const,
    }))

  it('has at most the definitions of a project: then nothing more is learned', () => {
    const known = createKnownProperties()
    known.add(1, many(MAX_DEFINITIONS - 1))
    known.add(1, many(10))
    expect(learn([{ properties: { a: 1, b: 1, p3: 1 } }], {}, known)).toHaveLength(1)
    known.add(1, many(1, 'last'))
    expect(learn([{ properties: { a: 1, b: 1, p3: 1 } }], {}, known)).toEqual([])
  })

  it('evicts the least recently used project', () => {
    const one = createKnownProperties()
    one.add(1, many(MAX_DEFINITIONS))
    // There is memory for two projects, and not for a third.
    const known = createKnownProperties(2 * one.bytes)
    known.add(1, many(MAX_DEFINITIONS))
    known.add(2, many(MAX_DEFINITIONS))
    known.of(1)
    known.add(3, many(1))
    expect([1, 2, 3].map((projectId) => known.of(projectId).remaining)).toEqual([
      0,
      MAX_DEFINITIONS,
      MAX_DEFINITIONS - 1,
    ])
  })
})
