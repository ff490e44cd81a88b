// A small product's events, people and groups, the same for every engine: what the queries of the corpus are asked of.
//
// The times are chosen for where calendars go wrong: 29 February, the ends of months and years, Sundays, the hours in which New York's clocks
// change, midnight in Kathmandu. The values are those that properties really have: numbers as text, text that is no number, null, nothing.
import { toStoredTimestamp } from '../../../src/timestamps'
import { EVENTS, type Line } from './dataset-events'
import { PERSONS, TELL_TALE_PERSONS } from './dataset-persons'
import type { Properties, SampleEvent, SamplePerson } from './dataset-shape'

/** The moment at which every query of the corpus runs: a Friday. */
export const NOW = new Date('2026-03-20T12:00:00Z')

export interface SampleGroup {
  index: number
  key: string
  createdAt: string
  properties: Properties
}

export interface SampleProject {
  events: readonly SampleEvent[]
  persons: readonly SamplePerson[]
  groups: readonly SampleGroup[]
}

export type PropertyKind = 'Numeric' | 'Boolean' | 'DateTime' | 'String'

/** What the project knows of its properties, by owner and name. The others are untyped: their values stay text. */
export const DEFINITIONS: Readonly<Record<string, Readonly<Record<string, PropertyKind>>>> = {
  event: {
    amount: 'Numeric',
    quantity: 'Numeric',
    paid: 'Boolean',
    renews_at: 'DateTime',
    currency: 'String',
  },
  person: { age: 'Numeric', beta: 'Boolean', signed_up_at: 'DateTime', plan: 'String' },
  group_0: { seats: 'Numeric' },
}

/** The type of a property, as `compile` asks for it. */
export const propertyType = (owner: string, name: string): PropertyKind | undefined =>
  Object.hasOwn(DEFINITIONS, owner) && Object.hasOwn(DEFINITIONS[owner]!, name)
    ? DEFINITIONS[owner]![name]
    : undefined

/** Events are numbered from 1, so that their ids tell which line they are. */
const eventOf = ([time, event, distinctId, properties = {}]: Line, at: number): SampleEvent => ({
  uuid: `00000000-0000-4000-8000-${String(at + 1).padStart(12, '0')}`,
  event,
  distinctId,
  timestamp: momentOf(time),
  createdAt: momentOf(time).replace(/\.\d+Z$/, '.999999Z'),
  properties,
})

/** `2026-03-01 09:00:00`, with or without a fraction, as it is stored. */
function momentOf(time: string): string {
  const [seconds = '', fraction = ''] = time.split('.')
  return toStoredTimestamp(new Date(`${seconds.replace(' ', 'T')}Z`)).replace(
    '000000',
    fraction.padEnd(6, '0'),
  )
}

const GROUPS: readonly SampleGroup[] = [
  {
    index: 0,
    key: 'acme',
    createdAt: '2026-01-05T10:00:00.000000Z',
    properties: { name: 'Acme Inc', seats: 25, industry: 'tools' },
  },
  {
    index: 0,
    key: 'globex',
    createdAt: '2026-02-01T10:00:00.000000Z',
    properties: { name: 'Globex', seats: 3, industry: 'energy' },
  },
  {
    index: 0,
    key: 'initech',
    createdAt: '2026-03-01T10:00:00.000000Z',
    properties: { name: 'Initech', seats: 140 },
  },
  {
    index: 1,
    key: 'apollo',
    createdAt: '2026-02-15T00:00:00.000000Z',
    properties: { name: 'Apollo', stage: 'alpha' },
  },
]

/** The project that the queries are about. */
export const PROJECT: SampleProject = {
  events: EVENTS.map(eventOf),
  persons: PERSONS,
  groups: GROUPS,
}

/** Stands in everything that the other project holds. No answer may have it. */
export const TELL_TALE = 'TELL-TALE'

/** Another project in the same database, with the same names for its people, sessions and groups. */
export const OTHER_PROJECT: SampleProject = {
  events: ['ada', 'ben', 'grace', 'ghost', '🦊-fox', `o'brien`].map((distinctId, at) => ({
    ...eventOf(
      [
        `2026-03-1${at} 10:00:00`,
        at % 2 ? 'purchase' : '$pageview',
        distinctId,
        {
          $session_id: 's-ada-1',
          $current_url: `https://example.com/${TELL_TALE}`,
          $group_0: 'acme',
          amount: 666_000,
          currency: TELL_TALE,
          secret: TELL_TALE,
        },
      ],
      at,
    ),
    uuid: `99999999-0000-4000-8000-${String(at + 1).padStart(12, '0')}`,
  })),
  persons: TELL_TALE_PERSONS,
  groups: [
    {
      index: 0,
      key: 'acme',
      createdAt: '2026-01-05T10:00:00.000000Z',
      properties: { name: TELL_TALE, seats: 666_000 },
    },
  ],
}
