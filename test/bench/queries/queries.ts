// Ten queries as users write them, and the SQL that an expert of the tables would write for the same result.
//
// By hand, times are compared as text, days are cut out of it, properties are read where they are needed, and people are counted by the
// number of their row: whatever gives the same rows is allowed.
import { PROJECT } from './data'

export interface BenchQuery {
  name: string
  hogql: string
  sql: string
}

const APRIL = `timestamp >= '2026-04-01T00:00:00.000000Z' AND timestamp < '2026-05-01T00:00:00.000000Z'`
const OF_PROJECT = `project_id = ${PROJECT}`
const WITH_PERSON = `LEFT JOIN person_distinct_ids d ON d.project_id = e.project_id AND d.distinct_id = e.distinct_id`
const PERSON = `coalesce(d.person_uuid, e.distinct_id)`
/** The Monday of a timestamp's week. */
const monday = (moment: string) => `date(${moment}, '-6 days', 'weekday 1')`

export const QUERIES: readonly BenchQuery[] = [
  {
    name: 'events by day',
    hogql: `SELECT toStartOfDay(timestamp) AS day, count() FROM events
      WHERE event = '$pageview' AND timestamp >= '2026-04-01' AND timestamp < '2026-05-01'
      GROUP BY day ORDER BY day`,
    sql: `SELECT substr(timestamp, 1, 10) || 'T00:00:00Z' AS day, count(*) FROM events
      WHERE ${OF_PROJECT} AND event = '$pageview' AND ${APRIL}
      GROUP BY day ORDER BY day LIMIT 100`,
  },
  {
    name: 'people by day',
    hogql: `SELECT toDate(timestamp) AS day, count(DISTINCT person_id) FROM events
      WHERE event = '$pageview' AND timestamp >= '2026-04-01' AND timestamp < '2026-05-01'
      GROUP BY day ORDER BY day`,
    sql: `SELECT substr(e.timestamp, 1, 10) AS day, count(DISTINCT ${PERSON}) FROM events e ${WITH_PERSON}
      WHERE e.${OF_PROJECT} AND e.event = '$pageview' AND e.${APRIL.replace('AND ', 'AND e.')}
      GROUP BY day ORDER BY day LIMIT 100`,
  },
  {
    name: 'top 10 values',
    hogql: `SELECT properties.$pathname AS path, count() AS views FROM events
      WHERE event = '$pageview' AND timestamp >= '2026-04-01' AND timestamp < '2026-05-01'
      GROUP BY path ORDER BY views DESC, path LIMIT 10`,
    sql: `SELECT properties ->> '$."$pathname"' AS path, count(*) AS views FROM events
      WHERE ${OF_PROJECT} AND event = '$pageview' AND ${APRIL}
      GROUP BY path ORDER BY views DESC, path LIMIT 10`,
  },
  {
    name: 'filtered sum',
    hogql: `SELECT count(), round(sum(properties.amount), 2) FROM events
      WHERE event = 'purchased' AND timestamp >= '2026-04-01' AND timestamp < '2026-05-01'
        AND properties.amount > 50 AND properties.$os = 'iOS'`,
    sql: `SELECT count(*), round(sum(properties ->> '$.amount'), 2) FROM events
      WHERE ${OF_PROJECT} AND event = 'purchased' AND ${APRIL}
        AND properties ->> '$.amount' > 50 AND properties ->> '$."$os"' = 'iOS'`,
  },
  {
    name: 'funnel of two',
    hogql: `SELECT count(DISTINCT s.person_id) AS started, count(DISTINCT p.person_id) AS purchased
      FROM (SELECT person_id, min(timestamp) AS first FROM events WHERE event = 'signed up' GROUP BY person_id) AS s
      LEFT JOIN (SELECT person_id, max(timestamp) AS last FROM events WHERE event = 'purchased' GROUP BY person_id) AS p
        ON s.person_id = p.person_id AND p.last > s.first`,
    sql: `WITH
      s AS (SELECT ${PERSON} AS person, min(e.timestamp) AS first FROM events e ${WITH_PERSON}
        WHERE e.${OF_PROJECT} AND e.event = 'signed up' GROUP BY person),
      p AS (SELECT ${PERSON} AS person, max(e.timestamp) AS last FROM events e ${WITH_PERSON}
        WHERE e.${OF_PROJECT} AND e.event = 'purchased' GROUP BY person)
      SELECT count(*), count(p.person) FROM s LEFT JOIN p ON p.person = s.person AND p.last > s.first`,
  },
  {
    name: 'retention by week',
    hogql: `WITH
        weeks AS (SELECT DISTINCT person_id, toMonday(timestamp) AS week FROM events WHERE event = 'logged in'),
        firsts AS (SELECT person_id, min(week) AS cohort FROM weeks GROUP BY person_id)
      SELECT firsts.cohort AS cohort, dateDiff('week', firsts.cohort, weeks.week) AS nth, count() AS people
      FROM weeks JOIN firsts ON firsts.person_id = weeks.person_id GROUP BY cohort, nth ORDER BY cohort, nth`,
    sql: `WITH
      weeks AS (SELECT DISTINCT ${PERSON} AS person, ${monday('e.timestamp')} AS week FROM events e ${WITH_PERSON}
        WHERE e.${OF_PROJECT} AND e.event = 'logged in'),
      firsts AS (SELECT person, min(week) AS cohort FROM weeks GROUP BY person)
      SELECT cohort, CAST((julianday(week) - julianday(cohort)) / 7 AS INTEGER) AS nth, count(*)
      FROM weeks JOIN firsts USING (person) GROUP BY cohort, nth ORDER BY cohort, nth LIMIT 100`,
  },
  {
    name: 'pivot',
    hogql: `SELECT toDate(timestamp) AS day, countIf(event = '$pageview') AS views, countIf(event = 'signed up') AS signups,
        countIf(event = 'purchased') AS purchases
      FROM events WHERE timestamp >= '2026-04-01' AND timestamp < '2026-05-01' GROUP BY day ORDER BY day`,
    sql: `SELECT substr(timestamp, 1, 10) AS day, sum(event = '$pageview'), sum(event = 'signed up'), sum(event = 'purchased')
      FROM events WHERE ${OF_PROJECT} AND ${APRIL} GROUP BY day ORDER BY day LIMIT 100`,
  },
  {
    name: 'average by group',
    hogql: `SELECT properties.$os AS os, count(), round(avg(properties.load_ms), 3) FROM events
      WHERE event = '$pageview' AND timestamp >= '2026-04-01' AND timestamp < '2026-05-01'
      GROUP BY os ORDER BY os`,
    sql: `SELECT properties ->> '$."$os"' AS os, count(*), round(avg(properties ->> '$.load_ms'), 3) FROM events
      WHERE ${OF_PROJECT} AND event = '$pageview' AND ${APRIL}
      GROUP BY os ORDER BY os LIMIT 100`,
  },
  {
    name: 'session durations',
    hogql: `SELECT toDate($start_timestamp) AS day, count() AS sessions, round(avg($session_duration), 3) AS mean
      FROM sessions WHERE $start_timestamp >= '2026-04-01' AND $start_timestamp < '2026-05-01'
      GROUP BY day ORDER BY day`,
    sql: `SELECT substr(started, 1, 10) AS day, count(*), round(avg(unixepoch(ended) - unixepoch(started)), 3) FROM (
        SELECT min(timestamp) AS started, max(timestamp) AS ended FROM events
        WHERE ${OF_PROJECT} AND properties ->> '$."$session_id"' <> '' GROUP BY properties ->> '$."$session_id"'
      ) WHERE ${APRIL.replaceAll('timestamp', 'started')} GROUP BY day ORDER BY day LIMIT 100`,
  },
  {
    name: 'median',
    hogql: `SELECT median(properties.load_ms) FROM events
      WHERE event = '$pageview' AND timestamp >= '2026-04-01' AND timestamp < '2026-05-01'`,
    sql: `WITH ranked AS (
        SELECT value, row_number() OVER (ORDER BY value) AS place, count(*) OVER () AS size FROM (
          SELECT properties ->> '$.load_ms' AS value FROM events
          WHERE ${OF_PROJECT} AND event = '$pageview' AND ${APRIL} AND properties ->> '$.load_ms' IS NOT NULL)
      )
      SELECT avg(value) FROM ranked WHERE place IN ((size + 1) / 2, size / 2 + 1)`,
  },
]
