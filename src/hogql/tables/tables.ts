// The tables that a query may name, whatever the database holds.
import type { TableName } from '../ir'
import { BOOLEAN, DATETIME, INTEGER, JSON_DOCUMENT, nullable, STRING, type Type } from '../types'
import { columns, type ColumnSchema, type FieldSchema, isObject, prefixed, type TableSchema } from './schema'

const PERSONS: TableSchema = {
  name: 'persons',
  fields: new Map([
    ...columns({ id: STRING, created_at: DATETIME, is_identified: BOOLEAN }),
    ...columns({ properties: JSON_DOCUMENT }, 'person'),
  ]),
  star: ['id', 'created_at', 'properties', 'is_identified'],
}

const PERSON_DISTINCT_IDS: TableSchema = {
  name: 'person_distinct_ids',
  fields: new Map(columns({ distinct_id: STRING, person_id: STRING })),
  star: ['distinct_id', 'person_id'],
}

const COHORT_PEOPLE: TableSchema = {
  name: 'cohort_people',
  fields: new Map(columns({ person_id: STRING, cohort_id: INTEGER })),
  star: ['person_id', 'cohort_id'],
}

/** Its properties have no owner: the group type differs from row to row. */
const GROUPS: TableSchema = {
  name: 'groups',
  fields: new Map(columns({ index: INTEGER, key: STRING, created_at: DATETIME, properties: JSON_DOCUMENT })),
  star: ['index', 'key', 'properties', 'created_at'],
}

const OPTIONAL_TEXT = nullable(STRING)

const SESSION_TYPES: Record<string, Type> = {
  session_id: STRING,
  distinct_id: STRING,
  $start_timestamp: DATETIME,
  $end_timestamp: DATETIME,
  $session_duration: INTEGER,
  $pageview_count: INTEGER,
  $autocapture_count: INTEGER,
  $entry_current_url: OPTIONAL_TEXT,
  $exit_current_url: OPTIONAL_TEXT,
  $entry_pathname: OPTIONAL_TEXT,
  $exit_pathname: OPTIONAL_TEXT,
  $entry_referring_domain: OPTIONAL_TEXT,
  ...Object.fromEntries(
    ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [`$entry_utm_${name}`, OPTIONAL_TEXT]),
  ),
  $is_bounce: BOOLEAN,
}

/** Aliases of columns. */
const SESSION_ALIASES: Record<string, string> = {
  id: 'session_id',
  duration: '$session_duration',
  $end_current_url: '$exit_current_url',
  $end_pathname: '$exit_pathname',
}

const SESSION_FIELDS: ReadonlyMap<string, ColumnSchema> = new Map([
  ...columns(SESSION_TYPES),
  ...Object.entries(SESSION_ALIASES).map(
    ([name, key]) => [name, { key, type: SESSION_TYPES[key] ?? OPTIONAL_TEXT }] as const,
  ),
])

/** Aggregates of the events of one `$session_id`. */
const SESSIONS: TableSchema = {
  name: 'sessions',
  fields: SESSION_FIELDS,
  star: Object.keys(SESSION_TYPES),
}

const GROUP_NUMBERS = [0, 1, 2, 3, 4]

/** An event's person. Its id is the event's own column, so that `person.id` is the same for an event without a person. */
const PERSON: FieldSchema = {
  fields: new Map([
    ['id', { key: 'person_id', type: STRING }],
    ...prefixed('person', columns({ created_at: DATETIME, is_identified: BOOLEAN })).fields,
    ...prefixed('person', columns({ properties: JSON_DOCUMENT }, 'person')).fields,
  ]),
}

const groupOf = (index: number): FieldSchema => {
  const fields = [
    ...columns({ key: STRING, created_at: DATETIME }),
    ...columns({ properties: JSON_DOCUMENT }, `group_${index}`),
  ]
  return prefixed(`group_${index}`, fields)
}

const EVENTS: TableSchema = {
  name: 'events',
  fields: new Map<string, FieldSchema>([
    ...columns({
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
    }),
    ...columns({ properties: JSON_DOCUMENT }, 'event'),
    ['person', PERSON],
    ['poe', PERSON],
    ...GROUP_NUMBERS.map((index) => [`group_${index}`, groupOf(index)] as const),
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

export const TABLES: Readonly<Record<TableName, TableSchema>> = {
  events: EVENTS,
  persons: PERSONS,
  person_distinct_ids: PERSON_DISTINCT_IDS,
  groups: GROUPS,
  sessions: SESSIONS,
  cohort_people: COHORT_PEOPLE,
}

export const findTable = (name: string): TableSchema | undefined =>
  Object.hasOwn(TABLES, name) ? TABLES[name as TableName] : undefined

/** Keys and types of the columns that a printer must support. */
export function columnKeysOf(table: TableName): ReadonlyMap<string, Type> {
  const keys = new Map<string, Type>()
  for (const field of TABLES[table].fields.values()) {
    for (const { key, type } of isObject(field) ? field.fields.values() : [field]) keys.set(key, type)
  }
  return keys
}
