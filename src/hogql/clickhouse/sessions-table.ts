// Sessions on ClickHouse: the events of each `$session_id`, added up.
import type { Context } from './context'
import { type Columns, isOfProject, selected } from './columns'

const property = (name: string) => `JSONExtract(e.properties, '${name}', 'Nullable(String)')`

const SESSION = `assumeNotNull(${property('$session_id')})`

const IS_VIEW = `e.event IN ('$pageview', '$screen')`
const DURATION = `dateDiff('second', min(e.timestamp), max(e.timestamp))`
const VIEWS = `countIf(e.event = '$pageview')`

// Of events at the same moment the one with the lesser uuid is the earlier one. In a tuple, NULL is a value like any other.
const ORDER = 'tuple(e.timestamp, e.uuid)'
const first = (value: string, condition = '1') => `argMinIf(tuple(${value}), ${ORDER}, ${condition}).1`
const last = (value: string, condition = '1') => `argMaxIf(tuple(${value}), ${ORDER}, ${condition}).1`

const COLUMNS: Columns = {
  session_id: SESSION,
  distinct_id: first('e.distinct_id'),
  $start_timestamp: 'min(e.timestamp)',
  $end_timestamp: 'max(e.timestamp)',
  $session_duration: DURATION,
  $pageview_count: `toInt64(${VIEWS})`,
  $autocapture_count: `toInt64(countIf(e.event = '$autocapture'))`,
  $entry_current_url: first(property('$current_url'), IS_VIEW),
  $exit_current_url: last(property('$current_url'), IS_VIEW),
  $entry_pathname: first(property('$pathname'), IS_VIEW),
  $exit_pathname: last(property('$pathname'), IS_VIEW),
  $entry_referring_domain: first(property('$referring_domain')),
  ...Object.fromEntries(
    ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [
      `$entry_utm_${name}`,
      first(property(`utm_${name}`)),
    ]),
  ),
  $is_bounce: `toBool(${VIEWS} = 1 AND countIf(e.event = '$autocapture') = 0 AND ${DURATION} < 10)`,
}

/** A SELECT of the project's sessions. */
export function printSessions(columns: ReadonlySet<string>, context: Context): string {
  return (
    `SELECT ${selected(columns, COLUMNS)} FROM events AS e FINAL WHERE ${isOfProject(context, 'e')} ` +
    `AND ${property('$session_id')} != '' GROUP BY ${SESSION}`
  )
}
