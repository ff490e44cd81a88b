// Properties of the reducers over any stream of events, checked against memory in place of a database.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeGroups, groupNameText, type StoredGroup } from '../../../src/analytics/capture/group-changes'
import { type CapturedEvent, parseEvent } from '../../../src/analytics/capture/parse-event'
import { changePersons, type StoredPerson } from '../../../src/analytics/capture/person-changes'

/** Persons and groups as the database would keep them between requests. */
class Memory {
  readonly people = new Map<string, StoredPerson>()
  readonly types = new Map<string, number>()
  readonly groups = new Map<string, StoredGroup>()
  readonly maxDistinctIds: number
  #nextId = 1
  #nextUuid = 1

  constructor(maxDistinctIds = 10_000) {
    this.maxDistinctIds = maxDistinctIds
  }

  store(events: readonly CapturedEvent[]): void {
    this.#storePersons(events)
    this.#storeGroups(events)
  }

  #storePersons(events: readonly CapturedEvent[]): void {
    // Only those whom the events name are known to the reducer, as when they are read.
    const named = new Set(events.flatMap(({ distinctId, person }) => [distinctId, person?.merge?.distinctId]))
    const known = new Map([...this.people].filter(([distinctId]) => named.has(distinctId)))
    const newUuid = () => `uuid-${this.#nextUuid++}`
    const changes = changePersons(events, known, newUuid, this.maxDistinctIds)
    for (const { personId, version } of changes.expected) {
      expect(this.#person(({ id }) => id === personId)?.version).toBe(version)
    }
    for (const row of changes.rows) {
      const stored = this.#person(({ uuid }) => uuid === row.uuid)
      const next: StoredPerson = stored
        ? { ...stored, ...row, version: stored.version + 1 }
        : { ...row, id: this.#nextId++, version: 0 }
      for (const [distinctId, person] of this.people) if (person === stored) this.people.set(distinctId, next)
      for (const { distinctId, personUuid } of changes.newDistinctIds) {
        if (personUuid !== row.uuid) continue
        expect(this.people.has(distinctId)).toBe(false)
        this.people.set(distinctId, next)
      }
      for (const { personId, intoUuid } of changes.merges) {
        if (intoUuid !== row.uuid) continue
        for (const [distinctId, { id }] of this.people) if (id === personId) this.people.set(distinctId, next)
      }
    }
    for (const [, people] of Map.groupBy(this.people.values(), ({ uuid }) => uuid))
      expect(people[0]!.distinctIdCount).toBe(people.length)
  }

  #person(which: (person: StoredPerson) => boolean): StoredPerson | undefined {
    return [...this.people.values()].find(which)
  }

  #storeGroups(events: readonly CapturedEvent[]): void {
    const { newTypes, rows } = changeGroups(events, this.types, this.groups)
    for (const { name, index } of newTypes) this.types.set(name, index)
    for (const { typeIndex, key, properties, createdAt, expectedVersion } of rows) {
      const type = [...this.types].find(([, index]) => index === typeIndex)![0]
      const name = groupNameText({ type, key })
      expect(this.groups.get(name)?.version ?? null).toBe(expectedVersion)
      this.groups.set(name, { type, key, properties, createdAt, version: (expectedVersion ?? -1) + 1 })
    }
  }

  /** Who shares a person with whom, and what is known of them; without ids and versions, which depend on the cutting. */
  seen() {
    const together = Map.groupBy(this.people, ([, { uuid }]) => uuid)
    return {
      people: [...together.values()]
        .map((entries) => {
          const { properties, isIdentified, createdAt } = entries[0]![1]
          return { distinctIds: entries.map(([id]) => id).sort(), properties, isIdentified, createdAt }
        })
        .sort((a, b) => (a.distinctIds[0]! < b.distinctIds[0]! ? -1 : 1)),
      types: [...this.types],
      groups: [...this.groups].map(([name, { properties, createdAt }]) => ({ name, properties, createdAt })),
    }
  }
}

const distinctId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'guest')
const propertyName = fc.constantFrom('x', 'y', 'z')
const changes = fc.record(
  {
    $set: fc.dictionary(propertyName, fc.nat(3)),
    $set_once: fc.dictionary(propertyName, fc.nat(3)),
    $unset: fc.array(propertyName, { maxLength: 2 }),
  },
  { requiredKeys: [] },
)

const sentEvent = fc
  .tuple(
    fc.constantFrom('opened', '$identify', '$create_alias', '$merge_dangerously', '$groupidentify'),
    distinctId,
    distinctId,
    changes,
    fc.constantFrom('company', 'team', 'p', 'q', 'r', 's'),
    fc.nat(30),
    fc.boolean(),
  )
  .map(([event, id, other, changed, type, minutes, isPersonal]) => ({
    event,
    distinct_id: id,
    timestamp: `2026-03-10T10:${String(minutes).padStart(2, '0')}:00Z`,
    properties: {
      ...changed,
      $anon_distinct_id: other,
      alias: other,
      $group_type: type,
      $group_key: other,
      $group_set: changed.$set ?? {},
      ...(isPersonal ? {} : { $process_person_profile: false }),
    },
  }))

const parse = (sent: readonly unknown[]): CapturedEvent[] =>
  sent.map((raw, index) => {
    const context = { now: new Date('2026-03-10T12:00:00Z'), sentAt: null, newUuid: () => `event-${index}` }
    return parseEvent(raw, index, context).event!
  })

const streams = fc.array(sentEvent, { maxLength: 30 })

describe('a stream of events', () => {
  it('has the same effect however it is cut into requests', () => {
    fc.assert(
      fc.property(streams, fc.array(fc.nat(30), { maxLength: 6 }), (sent, cuts) => {
        const events = parse(sent)
        const whole = new Memory()
        whole.store(events)
        const cut = new Memory()
        const places = [0, ...cuts.filter((at) => at < events.length).sort((a, b) => a - b), events.length]
        for (const [at, from] of places.entries())
          cut.store(events.slice(from, places[at + 1] ?? events.length))
        expect(cut.seen()).toEqual(whole.seen())
      }),
      { numRuns: 1_000 },
    )
  })

  it('leaves every distinct id that it names with exactly one person', () => {
    fc.assert(
      fc.property(streams, (sent) => {
        const events = parse(sent)
        const memory = new Memory()
        for (const event of events) memory.store([event])
        const named = new Set(events.flatMap((event) => (event.person ? [event.distinctId] : [])))
        const kept = memory.seen().people.flatMap(({ distinctIds }) => distinctIds)
        expect(new Set(kept).size).toBe(kept.length)
        for (const id of named) expect(kept).toContain(id)
      }),
      { numRuns: 500 },
    )
  })

  it('gives no person more distinct ids than the limit', () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 2, max: 4 }), fc.boolean(), (sent, most, isOneRequest) => {
        const events = parse(sent)
        const memory = new Memory(most)
        if (isOneRequest) memory.store(events)
        else for (const event of events) memory.store([event])
        for (const { distinctIds } of memory.seen().people)
          expect(distinctIds.length).toBeLessThanOrEqual(most)
      }),
      { numRuns: 500 },
    )
  })

  it('never parts ids that were one person', () => {
    fc.assert(
      fc.property(streams, (sent) => {
        const memory = new Memory()
        let before: string[][] = []
        for (const event of parse(sent)) {
          memory.store([event])
          const after = memory.seen().people.map(({ distinctIds }) => distinctIds)
          for (const ids of before) {
            expect(after.some((others) => ids.every((id) => others.includes(id)))).toBe(true)
          }
          before = after
        }
      }),
      { numRuns: 300 },
    )
  })
})
