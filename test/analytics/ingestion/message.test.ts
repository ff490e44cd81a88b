// Messages of the ingestion queue: every row once, in messages that the queue takes.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEvent } from '../../../src/analytics/capture/parse-event'
import { eventRow, isLarge } from '../../../src/analytics/ingestion/captured-rows'
import {
  type IngestionMessage,
  MAX_MESSAGE_BYTES,
  messagesOf,
  parseMessage,
} from '../../../src/analytics/ingestion/message'
import { type EventRow, type GroupCopy, noRows, type PersonCopy } from '../../../src/outbox/ingestion-rows'

const AT = '2026-03-01T10:00:00.000000Z'
const DESTINATION = { projectId: 1, store: { shard: 'EVENTS', queryEngine: 'd1' as const } }

const event = (uuid: string, text: string): EventRow => ({
  uuid,
  event: 'opened',
  distinctId: 'ada',
  timestamp: AT,
  createdAt: AT,
  setsProperties: false,
  flagKey: null,
  flagResponse: null,
  properties: { text },
})

const person = (uuid: string, text: string): PersonCopy => ({
  uuid,
  isIdentified: false,
  createdAt: AT,
  version: 1,
  isDeleted: false,
  properties: { text },
})

const group = (key: string, text: string): GroupCopy => ({
  typeIndex: 0,
  key,
  createdAt: AT,
  version: 1,
  properties: { text },
})

const all = <T>(messages: readonly IngestionMessage[], pick: (message: IngestionMessage) => readonly T[]) =>
  messages.flatMap(pick)

describe('messagesOf', () => {
  it('packs every row once, in their order, and large persons and groups as references', () => {
    const texts = fc.array(fc.string({ maxLength: 40_000, unit: 'binary' }), { maxLength: 12 })
    fc.assert(
      fc.property(texts, texts, texts, (ofEvents, ofPersons, ofGroups) => {
        const rows = {
          ...noRows(),
          events: ofEvents.map((text, index) => event(`e${index}`, text.slice(0, 10_000))),
          persons: ofPersons.map((text, index) => person(`p${index}`, text.repeat(4))),
          groups: ofGroups.map((text, index) => group(`g"${index}`, text.repeat(4))),
        }
        const texted = messagesOf(DESTINATION, rows, ['large'])
        for (const text of texted) {
          expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(MAX_MESSAGE_BYTES)
        }
        const messages = texted.map(parseMessage)
        for (const { projectId, store } of messages) expect({ projectId, store }).toEqual(DESTINATION)
        expect(all(messages, ({ rows: { events } }) => events)).toEqual(
          JSON.parse(JSON.stringify(rows.events)),
        )
        const persons = [
          ...all(messages, (message) => message.rows.persons.map(({ uuid }) => uuid)),
          ...all(messages, ({ large }) => large.persons),
        ]
        expect(persons.toSorted()).toEqual(rows.persons.map(({ uuid }) => uuid).toSorted())
        const groups = [
          ...all(messages, (message) => message.rows.groups.map(({ key }) => key)),
          ...all(messages, ({ large }) => large.groups.map(({ key }) => key)),
        ]
        expect(groups.toSorted()).toEqual(rows.groups.map(({ key }) => key).toSorted())
        expect(all(messages, ({ large }) => large.events)).toEqual(['large'])
      }),
      { numRuns: 40 },
    )
  })

  it('refers to a person that no message holds', () => {
    const rows = { ...noRows(), persons: [person('small', 'x'), person('large', 'x'.repeat(100_000))] }
    expect(messagesOf(DESTINATION, rows).map(parseMessage)).toEqual([
      {
        ...DESTINATION,
        rows: { ...noRows(), persons: [person('small', 'x')] },
        large: { persons: ['large'], groups: [], events: [] },
      },
    ])
  })

  it('holds the largest row of an event that is not large', () => {
    const wide = '\u0001'.repeat(400)
    const types = ['a', 'b', 'c', 'd', 'e']
    const names = Array.from({ length: 290 }, (_, number) => `${number}`.padEnd(47, 'n'))
    const make = (text: string) =>
      parseEvent(
        {
          event: '$feature_flag_called',
          distinct_id: 'ada',
          properties: {
            $set: Object.fromEntries(names.map((name) => [name, 1])),
            $groups: Object.fromEntries(types.map((type) => [type, wide])),
            $feature_flag: wide,
            $feature_flag_response: wide,
            text,
          },
        },
        0,
        { now: new Date(AT), sentAt: null, newUuid: () => crypto.randomUUID() },
      ).event!
    let largest = make('')
    for (let length = 100_000; isLarge((largest = make('x'.repeat(length))));) length -= 1_000
    const indexes = new Map(types.map((type, index) => [type, index]))
    const row = eventRow(largest, indexes, names, new Date(AT))
    expect(row.changed).toHaveLength(290)
    expect(messagesOf(DESTINATION, { ...noRows(), events: [row] })).toHaveLength(1)
  })

  it('gives no message for no rows', () => {
    expect(messagesOf(DESTINATION, noRows())).toEqual([])
  })

  it('rejects an event that no message holds: such events wait in the outbox', () => {
    const rows = { ...noRows(), events: [event('large', 'x'.repeat(100_000))] }
    expect(() => messagesOf(DESTINATION, rows)).toThrow('a row that no message holds')
  })
})
