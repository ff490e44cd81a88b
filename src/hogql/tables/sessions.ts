// Sessions: aggregates of the events of one `$session_id`.
import { BOOLEAN, DATETIME, INTEGER, nullable, STRING, type Type } from '../types'
import { columns, type ColumnSchema, type TableSchema } from './schema'

const TEXT = nullable(STRING)

const CAMPAIGN = ['source', 'medium', 'campaign', 'term', 'content']

const TYPES: Record<string, Type> = {
  session_id: STRING,
  distinct_id: STRING,
  $start_timestamp: DATETIME,
  $end_timestamp: DATETIME,
  $session_duration: INTEGER,
  $pageview_count: INTEGER,
  $autocapture_count: INTEGER,
  $entry_current_url: TEXT,
  $exit_current_url: TEXT,
  $entry_pathname: TEXT,
  $exit_pathname: TEXT,
  $entry_referring_domain: TEXT,
  ...Object.fromEntries(CAMPAIGN.map((name) => [`$entry_utm_${name}`, TEXT])),
  $is_bounce: BOOLEAN,
}

/** Aliases of columns. */
const ALSO: Record<string, string> = {
  id: 'session_id',
  duration: '$session_duration',
  $end_current_url: '$exit_current_url',
  $end_pathname: '$exit_pathname',
}

const NAMED = columns(TYPES)

const OTHERS = Object.entries(ALSO).map(([name, key]): [string, ColumnSchema] => [
  name,
  { key, type: TYPES[key] ?? TEXT },
])

export const SESSIONS: TableSchema = {
  name: 'sessions',
  fields: new Map([...NAMED, ...OTHERS]),
  star: Object.keys(TYPES),
}

/** An event's session. */
export const OF_SESSION: [string, ColumnSchema][] = [...NAMED, ...OTHERS]
