// Sessions on D1: the events of each `$session_id`, added up.
import { secondsOf } from '../functions/sqlite-values'
import { type Columns, eventProperty, ofProject, select } from './columns'
import type { Context } from './context'

const IS_VIEW = "e.event IN ('$pageview', '$screen')"
const VIEWS = "count(*) FILTER (WHERE e.event = '$pageview')"
const CLICKS = "count(*) FILTER (WHERE e.event = '$autocapture')"
const DURATION = `(${secondsOf('max(e.timestamp)')} - ${secondsOf('min(e.timestamp)')})`

/** Characters of a timestamp and a uuid. */
const ORDER = 27 + 36

/** A value of the first or last event: of those at the same moment the one with the lesser uuid is the earlier one. */
const edge = (fn: 'min' | 'max', value: string, condition = '') =>
  `substr(${fn}(e.timestamp || e.uuid || json_array(${value}))${condition && ` FILTER (WHERE ${condition})`}, ${ORDER + 1}) ->> 0`

const first = (name: string, condition?: string) => edge('min', eventProperty(name), condition)
const last = (name: string, condition?: string) => edge('max', eventProperty(name), condition)

const COLUMNS: Columns = {
  session_id: eventProperty('$session_id'),
  distinct_id: edge('min', 'e.distinct_id'),
  $start_timestamp: 'min(e.timestamp)',
  $end_timestamp: 'max(e.timestamp)',
  $session_duration: DURATION,
  $pageview_count: VIEWS,
  $autocapture_count: CLICKS,
  $entry_current_url: first('$current_url', IS_VIEW),
  $exit_current_url: last('$current_url', IS_VIEW),
  $entry_pathname: first('$pathname', IS_VIEW),
  $exit_pathname: last('$pathname', IS_VIEW),
  $entry_referring_domain: first('$referring_domain'),
  ...Object.fromEntries(
    ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [
      `$entry_utm_${name}`,
      first(`utm_${name}`),
    ]),
  ),
  $is_bounce: `(${VIEWS} = 1 AND ${CLICKS} = 0 AND ${DURATION} < 10)`,
}

/** A SELECT of the project's sessions. */
export function printSessions(columns: ReadonlySet<string>, context: Context): string {
  const id = eventProperty('$session_id')
  return `${select(columns, COLUMNS)} FROM events AS e WHERE ${ofProject('e', context)} AND ${id} <> '' GROUP BY ${id}`
}
