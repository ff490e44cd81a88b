// The tables that a query may name on either engine.
import { CHANNEL_FIELDS, CHANNEL_TYPE } from './channel-type'
import type { Expr, TableName } from '../ir'
import { call, text } from '../ir-build'
import {
  arrayOf,
  BOOLEAN,
  DATETIME,
  FLOAT,
  INTEGER,
  JSON_DOCUMENT,
  nullable,
  STRING,
  type Type,
} from '../types'
import { columns, type FieldSchema, type ObjectSchema, prefixed, type TableSchema } from './schema'

const DISTINCT_ID_COLUMNS = columns({ distinct_id: STRING, person_id: STRING })

const PERSONS: TableSchema = {
  name: 'persons',
  fields: new Map<string, FieldSchema>([
    ...columns({ id: STRING, created_at: DATETIME, is_identified: BOOLEAN }),
    ...columns({ properties: JSON_DOCUMENT }, 'person'),
    ['pdi', { table: 'person_distinct_ids', on: ['id', 'person_id'], fields: new Map(DISTINCT_ID_COLUMNS) }],
  ]),
  star: ['id', 'created_at', 'properties', 'is_identified'],
}

/** The person of an id. Its own id is that of the row, so that `person.id` is the same when there is no such person. */
const PERSON: ObjectSchema = {
  fields: new Map<string, FieldSchema>([
    ['id', { key: 'person_id', type: STRING }],
    ...prefixed('person', columns({ created_at: DATETIME, is_identified: BOOLEAN })).fields,
    ...prefixed('person', columns({ properties: JSON_DOCUMENT }, 'person')).fields,
  ]),
}

const PERSON_DISTINCT_IDS: TableSchema = {
  name: 'person_distinct_ids',
  fields: new Map<string, FieldSchema>([...DISTINCT_ID_COLUMNS, ['person', PERSON]]),
  star: ['distinct_id', 'person_id'],
}

const COHORT_PEOPLE: TableSchema = {
  name: 'cohort_people',
  fields: new Map(columns({ person_id: STRING, cohort_id: INTEGER })),
  star: ['person_id', 'cohort_id'],
}

/** The properties of groups have no owner, because the group type differs between rows. */
const GROUPS: TableSchema = {
  name: 'groups',
  fields: new Map(columns({ index: INTEGER, key: STRING, created_at: DATETIME, properties: JSON_DOCUMENT })),
  star: ['index', 'key', 'properties', 'created_at'],
}

const OPTIONAL_TEXT = nullable(STRING)

/** Parameters that advertisers add to URLs. */
const CLICK_IDS = [
  'gclid',
  'gad_source',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'twclid',
  'li_fat_id',
  'mc_cid',
  'igshid',
  'ttclid',
]

const UTM = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}`)

/**
 * Properties of the first view of a session that are columns of it. Rows of `event_sessions` have their values in this order: add new
 * ones at the end.
 */
export const ENTRY_PROPERTIES: readonly string[] = ['$current_url', '$referring_domain', ...UTM, ...CLICK_IDS]

/** Returns the column of a session for a property of its first view. */
export const entryColumn = (property: string): string => `$entry_${property.replace('$', '')}`

/** Columns of sessions. */
export const SESSION_TYPES: Readonly<Record<string, Type>> = {
  session_id: STRING,
  distinct_id: STRING,
  $start_timestamp: DATETIME,
  $end_timestamp: DATETIME,
  $session_duration: INTEGER,
  $pageview_count: INTEGER,
  $autocapture_count: INTEGER,
  $screen_count: INTEGER,
  $num_uniq_urls: INTEGER,
  $urls: arrayOf(STRING),
  $entry_current_url: OPTIONAL_TEXT,
  $exit_current_url: OPTIONAL_TEXT,
  $entry_referring_domain: OPTIONAL_TEXT,
  $last_external_click_url: OPTIONAL_TEXT,
  $vitals_lcp: nullable(FLOAT),
  ...Object.fromEntries([...CLICK_IDS, ...UTM].map((name) => [entryColumn(name), OPTIONAL_TEXT])),
  $is_bounce: nullable(BOOLEAN),
}

/** Aliases of columns of sessions. */
const SESSION_ALIASES: Record<string, string> = {
  id: 'session_id',
  duration: '$session_duration',
  $end_current_url: '$exit_current_url',
}

const hostOf = (of: string): FieldSchema => ({ of, compute: (url) => call('domain', url) })
const pathOf = (of: string): FieldSchema => ({ of, compute: (url) => call('path', url) })

const SESSION_FIELDS: ReadonlyMap<string, FieldSchema> = new Map<string, FieldSchema>([
  ...columns(SESSION_TYPES),
  ...Object.entries(SESSION_ALIASES).map(([name, key]): [string, FieldSchema] => [
    name,
    { key, type: SESSION_TYPES[key] ?? OPTIONAL_TEXT },
  ]),
  ['$entry_hostname', hostOf('$entry_current_url')],
  ['$end_hostname', hostOf('$exit_current_url')],
  ['$entry_pathname', pathOf('$entry_current_url')],
  ['$exit_pathname', pathOf('$exit_current_url')],
  ['$end_pathname', pathOf('$exit_current_url')],
  ['$channel_type', { key: '$channel_type', type: STRING, expression: CHANNEL_TYPE, reads: CHANNEL_FIELDS }],
])

/** Sessions, which aggregate the events of each `$session_id`. */
const SESSIONS: TableSchema = {
  name: 'sessions',
  fields: SESSION_FIELDS,
  star: Object.keys(SESSION_TYPES).flatMap((name) =>
    name === '$exit_current_url' ? [name, '$entry_pathname', '$exit_pathname'] : name,
  ),
}

const GROUP_NUMBERS = [0, 1, 2, 3, 4]

const groupOf = (index: number): FieldSchema => {
  const fields = [
    ...columns({ key: STRING, created_at: DATETIME }),
    ...columns({ properties: JSON_DOCUMENT }, `group_${index}`),
  ]
  return prefixed(`group_${index}`, fields)
}

const patternOf = (pattern: string) => (chain: Expr) => call('extract', chain, text(pattern))
const patternsOf = (pattern: string) => (chain: Expr) =>
  call('arrayDistinct', call('extractAll', chain, text(pattern)))

/** Columns about the elements of an autocaptured event, which upstream computes from their chain. */
const ELEMENTS: [string, FieldSchema][] = [
  ['elements_chain_href', { of: 'elements_chain', compute: patternOf('(?::|")href="(.*?)"') }],
  ['elements_chain_texts', { of: 'elements_chain', compute: patternsOf('(?::|")text="(.*?)"') }],
  ['elements_chain_ids', { of: 'elements_chain', compute: patternsOf('(?::|")attr_id="(.*?)"') }],
  [
    'elements_chain_elements',
    {
      of: 'elements_chain',
      compute: patternsOf('(?:^|;)(a|button|form|input|select|textarea|label)(?:\\.|$|:)'),
    },
  ],
]

const propertyOf =
  (name: string) =>
  (document: Expr): Expr => ({ node: 'property', document, path: [name], type: OPTIONAL_TEXT })

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
    ['pdi', { fields: PERSON_DISTINCT_IDS.fields }],
    ...ELEMENTS,
    ['issue_id', { of: 'properties', compute: propertyOf('$exception_issue_id') }],
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
