// Sessions, and the calls of feature flags.
import type { CorpusQuery } from '../corpus-query'

export const SESSIONS_AND_FLAGS: readonly CorpusQuery[] = [
  {
    name: 'sessions and their duration',
    sql: 'SELECT session_id, $session_duration AS seconds FROM sessions WHERE $session_duration > 600 ORDER BY seconds DESC, session_id',
    ordered: true,
    columns: ['session_id', 'seconds'],
    types: ['string', 'integer'],
    rows: [
      ['s-spring', 13500],
      ['s-fall', 3600],
      ['s-ada-2', 1800],
      ['s-ada-3', 1800],
      ['s-bob-1', 1200],
      ['s-gra-1', 1200],
      ['s-ada-1', 900],
      ['s-chloe-1', 900],
      ['s-iva-1', 900],
    ],
  },
  {
    name: 'mean session',
    sql: 'SELECT count() AS sessions, round(avg($session_duration), 2) AS mean, median($session_duration) AS middle FROM sessions',
    columns: ['sessions', 'mean', 'middle'],
    types: ['integer', 'float', 'float'],
    rows: [[30, 881.27, 1]],
  },
  {
    name: 'bounces',
    sql: 'SELECT countIf($session_duration = 0) AS bounced, count() AS sessions, round(bounced / sessions, 3) AS rate FROM sessions',
    columns: ['bounced', 'sessions', 'rate'],
    types: ['integer', 'integer', 'float'],
    rows: [[14, 30, 0.467]],
  },
  {
    name: 'entry and exit pages',
    sql: 'SELECT $entry_pathname AS entry, $exit_pathname AS exit, count() AS sessions FROM sessions GROUP BY entry, exit ORDER BY sessions DESC, entry, exit',
    ordered: true,
    columns: ['entry', 'exit', 'sessions'],
    types: ['string', 'string', 'integer'],
    rows: [
      ['/', '/', 17],
      ['/', '/pricing', 5],
      ['/docs', '/docs', 2],
      ['/pricing', '/pricing', 2],
      ['/', '/docs', 1],
      ['/', '/docs/api', 1],
      ['/docs', '/docs/install', 1],
      ['/pricing', '/thanks', 1],
    ],
  },
  {
    name: 'sessions by day',
    sql: "SELECT toDate($start_timestamp) AS day, count() AS sessions, sum($pageview_count) AS views FROM sessions WHERE $start_timestamp >= '2026-03-10' GROUP BY day ORDER BY day",
    ordered: true,
    columns: ['day', 'sessions', 'views'],
    types: ['date', 'integer', 'integer'],
    rows: [
      ['2026-03-10', 1, 2],
      ['2026-03-11', 1, 2],
      ['2026-03-13', 1, 1],
      ['2026-03-14', 1, 1],
      ['2026-03-15', 1, 1],
      ['2026-03-16', 1, 1],
      ['2026-03-17', 1, 1],
      ['2026-03-19', 1, 1],
      ['2026-03-20', 3, 3],
    ],
  },
  {
    name: 'sessions by source',
    sql: 'SELECT $entry_utm_source AS source, count() AS sessions FROM sessions GROUP BY source ORDER BY sessions DESC, source',
    ordered: true,
    columns: ['source', 'sessions'],
    types: ['string', 'integer'],
    rows: [
      [null, 26],
      ['google', 2],
      ['newsletter', 2],
    ],
  },
  {
    name: 'session of an event',
    sql: "SELECT event, session.$session_duration AS seconds FROM events WHERE $session_id = 's-ada-1' ORDER BY timestamp",
    ordered: true,
    columns: ['event', 'seconds'],
    types: ['string', 'integer'],
    rows: [
      ['$pageview', 900],
      ['$autocapture', 900],
      ['purchase', 900],
      ['$pageview', 900],
    ],
  },
  {
    name: 'events of a session',
    sql: 'SELECT $session_id AS session, count() AS events FROM events WHERE $session_id IS NOT NULL GROUP BY session HAVING events > 3 ORDER BY events DESC, session',
    ordered: true,
    columns: ['session', 'events'],
    types: ['string', 'integer'],
    rows: [
      ['s-ada-1', 4],
      ['s-spring', 4],
    ],
  },
  {
    name: 'session duration by hand',
    sql: `
      SELECT properties.$session_id AS session, dateDiff('second', min(timestamp), max(timestamp)) AS seconds, count() AS events
      FROM events WHERE properties.$session_id LIKE 's-ada%' GROUP BY session ORDER BY session`,
    ordered: true,
    columns: ['session', 'seconds', 'events'],
    types: ['string', 'integer', 'integer'],
    rows: [
      ['s-ada-0', 0, 1],
      ['s-ada-1', 900, 4],
      ['s-ada-2', 1800, 2],
      ['s-ada-3', 1800, 2],
    ],
  },
  {
    name: 'sessions joined to events',
    sql: `
      SELECT s.session_id AS session, count() AS purchases, max(s.$session_duration) AS seconds
      FROM events AS e INNER JOIN sessions AS s ON s.session_id = e.$session_id WHERE e.event = 'purchase' GROUP BY session ORDER BY session`,
    ordered: true,
    columns: ['session', 'purchases', 'seconds'],
    types: ['string', 'integer', 'integer'],
    rows: [
      ['s-ada-1', 1, 900],
      ['s-ada-3', 1, 1800],
      ['s-chloe-1', 1, 900],
      ['s-gra-1', 1, 1200],
      ['s-iva-1', 1, 900],
      ['s-spring', 1, 13500],
    ],
  },
  {
    name: 'calls of a flag by answer',
    sql: `
      SELECT properties.$feature_flag_response AS answer, count() AS calls, uniq(person_id) AS people
      FROM events WHERE event = '$feature_flag_called' AND properties.$feature_flag = 'new-checkout' GROUP BY answer ORDER BY calls DESC, answer`,
    ordered: true,
    columns: ['answer', 'calls', 'people'],
    types: ['string', 'integer', 'integer'],
    rows: [
      ['true', 4, 4],
      ['error', 1, 1],
      ['false', 1, 1],
    ],
  },
  {
    name: 'calls of every flag',
    sql: `
      SELECT properties.$feature_flag AS flag, properties.$feature_flag_response AS answer, count() AS calls
      FROM events WHERE event = '$feature_flag_called' GROUP BY flag, answer ORDER BY flag, answer`,
    ordered: true,
    columns: ['flag', 'answer', 'calls'],
    types: ['string', 'string', 'integer'],
    rows: [
      ['banner', 'control', 2],
      ['banner', 'test', 1],
      ['new-checkout', 'error', 1],
      ['new-checkout', 'false', 1],
      ['new-checkout', 'true', 4],
    ],
  },
  {
    name: 'revenue of those who saw a flag',
    sql: `
      SELECT f.answer AS answer, count() AS purchases, round(sum(e.properties.amount), 2) AS revenue
      FROM events AS e
      INNER JOIN (
        SELECT person_id, argMax(properties.$feature_flag_response, timestamp) AS answer FROM events
        WHERE event = '$feature_flag_called' AND properties.$feature_flag = 'new-checkout' GROUP BY person_id
      ) AS f ON f.person_id = e.person_id
      WHERE e.event = 'purchase' GROUP BY answer ORDER BY answer`,
    ordered: true,
    columns: ['answer', 'purchases', 'revenue'],
    types: ['string', 'integer', 'float'],
    rows: [
      ['error', 1, 1000],
      ['true', 10, 547.23],
    ],
  },
]
