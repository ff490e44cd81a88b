// Sessions on D1: the events of each `$session_id`, added up.
import { secondsOf } from '../functions/sqlite-values'
import { APART } from './aggregation'
import { type Columns, eventProperty, ofProject, select } from './columns'
import type { Context } from './context'

/** What is read of an event: `v.<name>` in what is made of it. Only what a query asks for is read, and before events are grouped. */
const READ: Columns = {
  session: eventProperty('$session_id'),
  timestamp: 'e.timestamp',
  uuid: 'e.uuid',
  event: 'e.event',
  distinct_id: 'e.distinct_id',
  url: eventProperty('$current_url'),
  pathname: eventProperty('$pathname'),
  referring_domain: eventProperty('$referring_domain'),
  ...Object.fromEntries(
    ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [
      `utm_${name}`,
      eventProperty(`utm_${name}`),
    ]),
  ),
}

const IS_VIEW = "v.event IN ('$pageview', '$screen')"
const VIEWS = "count(*) FILTER (WHERE v.event = '$pageview')"
const CLICKS = "count(*) FILTER (WHERE v.event = '$autocapture')"
const DURATION = `(${secondsOf('max(v.timestamp)')} - ${secondsOf('min(v.timestamp)')})`

/** Characters of a timestamp and a uuid. */
const ORDER = 27 + 36

/** A value of the first or last event: of those at the same moment the one with the lesser uuid is the earlier one. */
const edge = (fn: 'min' | 'max', value: string, condition = '') =>
  `substr(${fn}(v.timestamp || v.uuid || json_array(v.${value}))${condition && ` FILTER (WHERE ${condition})`}, ${ORDER + 1}) ->> 0`

const COLUMNS: Columns = {
  session_id: 'v.session',
  distinct_id: edge('min', 'distinct_id'),
  $start_timestamp: 'min(v.timestamp)',
  $end_timestamp: 'max(v.timestamp)',
  $session_duration: DURATION,
  $pageview_count: VIEWS,
  $autocapture_count: CLICKS,
  $entry_current_url: edge('min', 'url', IS_VIEW),
  $exit_current_url: edge('max', 'url', IS_VIEW),
  $entry_pathname: edge('min', 'pathname', IS_VIEW),
  $exit_pathname: edge('max', 'pathname', IS_VIEW),
  $entry_referring_domain: edge('min', 'referring_domain'),
  ...Object.fromEntries(
    ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [
      `$entry_utm_${name}`,
      edge('min', `utm_${name}`),
    ]),
  ),
  $is_bounce: `(${VIEWS} = 1 AND ${CLICKS} = 0 AND ${DURATION} < 10)`,
}

/** A SELECT of the project's sessions. */
export function printSessions(columns: ReadonlySet<string>, context: Context): string {
  const made = select(columns, COLUMNS)
  const read = new Set(['session', ...[...made.matchAll(/\bv\.(\w+)/g)].map(([, name]) => name!)])
  // Whether there is an id at all can be seen without making a text of it.
  const events = `${select(read, READ)} FROM events AS e WHERE ${ofProject('e', context)} AND e.properties ->> '$."$session_id"' <> ''`
  return `${made} FROM (${events}${APART}) AS v GROUP BY v.session`
}
