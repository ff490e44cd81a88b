// Many small events about one large person or group: each costs what it touches, not what is stored.
import { describe, expect, it } from 'vitest'
import { changeGroups, groupNameText } from '../../../src/analytics/capture/group-changes'
import { COPIED, isCopiedAlone } from '../../../src/analytics/capture/copied-properties'
import { parseEvent } from '../../../src/analytics/capture/parse-event'
import { changePersons, type StoredPerson } from '../../../src/analytics/capture/person-changes'
import { mergeHistory } from '../../../src/analytics/capture/property-bag'
import { changesIn } from '../../../src/analytics/capture/property-changes'
import { initialNameOf } from '../../../src/evaluation/property-maps'
import { drawn, LINEAR, measureGrowth } from './processor-growth'

const now = new Date('2026-03-10T12:00:00Z')
const parsed = (raw: unknown, index: number) =>
  parseEvent(raw, index, { now, sentAt: null, newUuid: () => crypto.randomUUID() }).event!

const wide = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`p${number}`, number]))

const storedPerson = (id: number, properties: Record<string, number>): StoredPerson => ({
  id,
  version: 1,
  uuid: `person-${id}`,
  isIdentified: false,
  createdAt: '2026-03-01T00:00:00.000000Z',
  distinctIdCount: 1,
  properties,
})

const event = (properties: object, name = 'opened', distinctId = 'ada') => ({
  event: name,
  distinct_id: distinctId,
  uuid: crypto.randomUUID(),
  properties,
})

/** Returns the properties that are copied to a person. */
const copied = (value: unknown, isWanted = (_name: string) => true) =>
  Object.fromEntries(COPIED.filter(isWanted).map((name) => [name, value]))

/** At the size of 4n, 400 events and 30,000 properties: the documented bounds of a person and some of a request. */
const SIZE = 100
const PROPERTIES_PER_EVENT = 75

const EVENTS: Record<string, (number: number) => object> = {
  '$unset of a property that does not exist': (number) => event({ $unset: [`gone${number}`] }),
  '$unset of a property': (number) => event({ $unset: [`p${number}`] }),
  '$set of one property': (number) => event({ $set: { p0: `${number}` } }),
  '$set to the same value': () => event({ $set: { p1: 1 } }),
  '$set_once of a new property': (number) => event({ $set_once: { [`new${number}`]: number } }),
  'another page and device': (number) => event(copied(`${number}`, (name) => !isCopiedAlone(name))),
  'new values of all properties that are copied': (number) => event(copied(`${number}`)),
  'a merge of a new person with the large one, the new one before it': (number) =>
    number % 2 === 0
      ? event({ $set: { own: number } }, 'opened', `new-${number}`)
      : event(
          { alias: number === 1 ? 'ada' : `new-${number - 3}` },
          '$merge_dangerously',
          `new-${number - 1}`,
        ),
  'a merge of a small person into the large one': (number) =>
    number % 2 === 0
      ? event({ $set: { own: number } }, 'opened', `new-${number}`)
      : event({ alias: `new-${number - 1}` }, '$merge_dangerously', 'ada'),
}

describe('the work for events about one person with many properties grows linearly', () => {
  it.for(drawn(Object.entries(EVENTS), 3))('with %s', async ([, make]) => {
    const growth = await measureGrowth((size) => {
      const people = new Map([['ada', storedPerson(1, wide(size * PROPERTIES_PER_EVENT))]])
      const events = Array.from({ length: size }, (_, number) => parsed(make(number), number))
      return () => changePersons(events, people, () => crypto.randomUUID())
    }, SIZE)
    expect(growth).toEqual(LINEAR)
  })

  it('with properties that are full, so that each event is refused', async () => {
    const growth = await measureGrowth((size) => {
      const full = { ...wide(size * PROPERTIES_PER_EVENT), rest: '' }
      full.rest = 'x'.repeat(500_000 - JSON.stringify(full).length)
      const people = new Map([['ada', storedPerson(1, full as never)]])
      const events = Array.from({ length: size }, (_, number) =>
        parsed(event({ $set: { [`new${number}`]: number } }), number),
      )
      return () => {
        const { problems } = changePersons(events, people, () => crypto.randomUUID())
        expect(problems).toHaveLength(size)
      }
    }, SIZE)
    expect(growth).toEqual(LINEAR)
  })
})

describe('the work for properties that are copied from many events grows linearly', () => {
  it('for many new persons', async () => {
    const growth = await measureGrowth((size) => {
      const sent = Array.from({ length: size }, (_, number) => event(copied('x'), 'opened', `new-${number}`))
      return () => changePersons(sent.map(parsed), new Map(), () => crypto.randomUUID())
    }, SIZE)
    expect(growth).toEqual(LINEAR)
  })

  it('when the person has a large value that they do not replace', async () => {
    const growth = await measureGrowth((size) => {
      const stored = { ...copied(''), $browser: Array.from({ length: size * 50 }, () => 0) }
      const initial = Object.fromEntries(COPIED.map((name) => [initialNameOf(name), '']))
      const people = new Map([['ada', storedPerson(1, { ...stored, ...initial } as never)]])
      const events = Array.from({ length: size }, (_, number) => parsed(event({ $browser: [] }), number))
      return () => {
        const { rows } = changePersons(events, people, () => crypto.randomUUID())
        expect(rows).toEqual([])
      }
    }, 10 * SIZE)
    expect(growth).toEqual(LINEAR)
  })
})

it('the work for $groupidentify of one group with many properties grows linearly', async () => {
  const name = { type: 'company', key: 'acme' }
  const growth = await measureGrowth((size) => {
    const stored = { ...name, version: 1, createdAt: '', properties: wide(size * PROPERTIES_PER_EVENT) }
    const events = Array.from({ length: size }, (_, number) =>
      parsed(
        event(
          { $group_type: 'company', $group_key: 'acme', $group_set: { p0: `${number}` } },
          '$groupidentify',
        ),
        number,
      ),
    )
    const groups = new Map([[groupNameText(name), stored]])
    return () => changeGroups(events, new Map([['company', 0]]), groups)
  }, SIZE)
  expect(growth).toEqual(LINEAR)
})

it('one event has one problem for all groups that have too many types, whose example costs as much as `$groups` is large', () => {
  const $groups = wide(16_000)
  const types = new Map(['a', 'b', 'c', 'd', 'e'].map((name, index) => [name, index]))
  const { problems } = changeGroups([parsed(event({ $groups }), 0)], types, new Map())
  const detail =
    '"p0" and others would be group types more than the 5 that a project can have; they are ignored.'
  expect(problems).toEqual([{ index: 0, detail, attr: 'properties__$groups' }])
})

it('the work for properties at a past time grows linearly with the history', async () => {
  const growth = await measureGrowth((size) => {
    const history = Array.from({ length: size * 50 }, (_, number) =>
      changesIn(number % 2 === 0 ? { $set: { [`p${number}`]: number } } : { $unset: [`gone${number}`] }),
    )
    return () => mergeHistory(history)
  }, SIZE)
  expect(growth).toEqual(LINEAR)
})
