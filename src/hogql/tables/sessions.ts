// Sessions: aggregates of the events of one `$session_id`.
import { BOOLEAN, DATETIME, INTEGER, nullable, STRING, type Type } from '../types'
import { columns, type ColumnSchema, type TableSchema } from './schema'

const OPTIONAL_TEXT = nullable(STRING)

const CAMPAIGN = ['source', 'medium', 'campaign', 'term', 'content']

const TYPES: Record<string, Type> = {
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
  ...Object.fromEntries(CAMPAIGN.map((name) => [`$entry_utm_${name}`, OPTIONAL_TEXT])),
  $is_bounce: BOOLEAN,
}

/** Aliases of columns. */
const ALIASES: Record<string, string> = {
  id: 'session_id',
  duration: '$session_duration',
  $end_current_url: '$exit_current_url',
  $end_pathname: '$exit_pathname',
}

const CANONICAL = columns(TYPES)

const ALIASED = Object.entries(ALIASES).map(([name, key]): [string, ColumnSchema] => [
  name,
  { key, type: TYPES[key] ?? OPTIONAL_TEXT },
])

export const SESSIONS: TableSchema = {
  name: 'sessions',
  fields: new Map([...CANONICAL, ...ALIASED]),
  star: Object.keys(TYPES),
}

/** An event's session. */
export const SESSION_FIELDS: [string, ColumnSchema][] = [...CANONICAL, ...ALIASED]
