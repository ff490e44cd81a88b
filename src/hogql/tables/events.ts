import { DATETIME, JSON_DOCUMENT, nullable, STRING } from '../types'
import { MAX_GROUP_TYPES, GROUP_FIELDS } from './groups'
import { PERSON_FIELDS } from './persons'
import { prefixed, columns, type FieldSchema, type TableSchema } from './schema'
import { SESSION_FIELDS } from './sessions'

const GROUP_NUMBERS = Array.from({ length: MAX_GROUP_TYPES }, (_, index) => index)

const OWN = columns({
  uuid: STRING,
  event: STRING,
  timestamp: DATETIME,
  created_at: DATETIME,
  distinct_id: STRING,
  person_id: STRING,
  elements_chain: STRING,
  $session_id: nullable(STRING),
  $window_id: nullable(STRING),
  ...Object.fromEntries(GROUP_NUMBERS.map((index) => [`$group_${index}`, STRING])),
})

// The event's own column, so that `person.id` is the same for an event without a person.
const PERSON: FieldSchema = {
  fields: new Map([['id', { key: 'person_id', type: STRING }], ...prefixed('person', PERSON_FIELDS).fields]),
}

export const EVENTS: TableSchema = {
  name: 'events',
  fields: new Map<string, FieldSchema>([
    ...OWN,
    ['properties', { key: 'properties', type: JSON_DOCUMENT, owner: 'event' }],
    ['person', PERSON],
    ['poe', PERSON],
    ...GROUP_NUMBERS.map((index): [string, FieldSchema] => [
      `group_${index}`,
      prefixed(`group_${index}`, GROUP_FIELDS, `group_${index}`),
    ]),
    ['session', prefixed('session', SESSION_FIELDS)],
  ]),
  star: [
    'uuid',
    'event',
    'properties',
    'timestamp',
    'distinct_id',
    'elements_chain',
    'created_at',
    'person_id',
  ],
}
