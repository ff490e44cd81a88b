// Funnels and retention by hand, first and last touch: what people write who do not use the insight kinds.
import type { CorpusQuery } from '../corpus-query'

export const FUNNELS_AND_RETENTION: readonly CorpusQuery[] = [
  {
    name: 'funnel by conditional counts',
    sql: `
      SELECT countIf(viewed) AS one, countIf(viewed AND signed_up) AS two, countIf(viewed AND signed_up AND bought) AS three
      FROM (
        SELECT person_id,
          countIf(event = '$pageview') > 0 AS viewed,
          countIf(event = 'signup') > 0 AS signed_up,
          countIf(event = 'purchase') > 0 AS bought
        FROM events GROUP BY person_id
      )`,
    columns: ['one', 'two', 'three'],
    types: ['integer', 'integer', 'integer'],
    rows: [[12, 10, 8]],
  },
  {
    name: 'funnel in order by joins',
    sql: `
      SELECT count(DISTINCT s.person_id) AS signed_up, count(DISTINCT p.person_id) AS bought
      FROM (SELECT person_id, min(timestamp) AS at FROM events WHERE event = 'signup' GROUP BY person_id) AS s
      LEFT JOIN (SELECT person_id, timestamp AS at FROM events WHERE event = 'purchase') AS p
        ON p.person_id = s.person_id AND p.at > s.at AND p.at <= s.at + INTERVAL 14 DAY`,
    columns: ['signed_up', 'bought'],
    types: ['integer', 'integer'],
    rows: [[10, 5]],
  },
  {
    name: 'funnel by first times',
    sql: `
      WITH firsts AS (
        SELECT person_id,
          minIf(timestamp, event = '$pageview') AS viewed,
          minIf(timestamp, event = 'signup') AS signed_up,
          minIf(timestamp, event = 'purchase') AS bought,
          countIf(event = '$pageview') AS views,
          countIf(event = 'signup') AS signups,
          countIf(event = 'purchase') AS purchases
        FROM events WHERE timestamp >= '2026-02-01' GROUP BY person_id
      )
      SELECT countIf(views > 0) AS one, countIf(views > 0 AND signups > 0 AND signed_up >= viewed) AS two,
        countIf(views > 0 AND signups > 0 AND purchases > 0 AND signed_up >= viewed AND bought >= signed_up) AS three
      FROM firsts`,
    columns: ['one', 'two', 'three'],
    types: ['integer', 'integer', 'integer'],
    rows: [[12, 5, 3]],
  },
  {
    name: 'funnel with a window function',
    sql: `
      SELECT step, count() AS people FROM (
        SELECT person_id, event AS step, row_number() OVER (PARTITION BY person_id, event ORDER BY timestamp) AS nth
        FROM events WHERE event IN ('$pageview', 'signup', 'purchase')
      ) WHERE nth = 1 GROUP BY step ORDER BY people DESC, step`,
    ordered: true,
    columns: ['step', 'people'],
    types: ['string', 'integer'],
    rows: [
      ['$pageview', 12],
      ['signup', 10],
      ['purchase', 8],
    ],
  },
  {
    name: 'what people do next',
    sql: `
      SELECT event, next, count() AS times FROM (
        SELECT event, leadInFrame(event, 1, 'nothing') OVER (PARTITION BY person_id ORDER BY timestamp, uuid ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS next
        FROM events
      ) WHERE event = 'signup' GROUP BY event, next ORDER BY times DESC, next`,
    ordered: true,
    columns: ['event', 'next', 'times'],
    types: ['string', 'string', 'integer'],
    rows: [
      ['signup', 'purchase', 6],
      ['signup', '$pageview', 3],
      ['signup', 'nothing', 1],
    ],
  },
  {
    name: 'path of each person as an array',
    sql: `
      SELECT person_id, groupArray(event) AS path FROM (
        SELECT person_id, event, timestamp FROM events WHERE event IN ('signup', 'purchase') ORDER BY timestamp
      ) GROUP BY person_id HAVING length(path) > 1 ORDER BY person_id`,
    ordered: true,
    columns: ['person_id', 'path'],
    types: ['string', 'array'],
    rows: [
      ['aaaaaaaa-0000-4000-8000-000000000001', ['signup', 'purchase', 'purchase', 'purchase', 'purchase']],
      ['aaaaaaaa-0000-4000-8000-000000000002', ['signup', 'purchase', 'purchase']],
      ['aaaaaaaa-0000-4000-8000-000000000003', ['signup', 'purchase', 'purchase']],
      ['aaaaaaaa-0000-4000-8000-000000000004', ['signup', 'purchase', 'purchase', 'purchase']],
      ['aaaaaaaa-0000-4000-8000-000000000007', ['signup', 'purchase', 'purchase']],
      ['aaaaaaaa-0000-4000-8000-000000000009', ['signup', 'purchase']],
      ['aaaaaaaa-0000-4000-8000-000000000010', ['signup', 'purchase']],
      ['aaaaaaaa-0000-4000-8000-000000000012', ['signup', 'purchase']],
    ],
  },
  {
    name: 'days from signup to first purchase',
    sql: `
      SELECT s.person_id AS person, dateDiff('day', s.at, p.at) AS days
      FROM (SELECT person_id, min(timestamp) AS at FROM events WHERE event = 'signup' GROUP BY person_id) AS s
      INNER JOIN (SELECT person_id, min(timestamp) AS at FROM events WHERE event = 'purchase' GROUP BY person_id) AS p ON p.person_id = s.person_id
      ORDER BY person`,
    ordered: true,
    columns: ['person', 'days'],
    types: ['string', 'integer'],
    rows: [
      ['aaaaaaaa-0000-4000-8000-000000000001', 14],
      ['aaaaaaaa-0000-4000-8000-000000000002', 0],
      ['aaaaaaaa-0000-4000-8000-000000000003', 13],
      ['aaaaaaaa-0000-4000-8000-000000000004', 2],
      ['aaaaaaaa-0000-4000-8000-000000000007', 113],
      ['aaaaaaaa-0000-4000-8000-000000000009', 0],
      ['aaaaaaaa-0000-4000-8000-000000000010', 0],
      ['aaaaaaaa-0000-4000-8000-000000000012', 743],
    ],
  },
  {
    name: 'weekly retention',
    sql: `
      WITH
        first_week AS (SELECT person_id, toStartOfWeek(min(timestamp), 1) AS cohort FROM events WHERE timestamp >= '2026-02-16' GROUP BY person_id),
        active AS (SELECT DISTINCT person_id, toStartOfWeek(timestamp, 1) AS week FROM events WHERE timestamp >= '2026-02-16')
      SELECT f.cohort AS cohort, dateDiff('week', f.cohort, a.week) AS weeks_later, count(DISTINCT a.person_id) AS people
      FROM first_week AS f JOIN active AS a ON a.person_id = f.person_id
      GROUP BY cohort, weeks_later ORDER BY cohort, weeks_later`,
    ordered: true,
    columns: ['cohort', 'weeks_later', 'people'],
    types: ['date', 'integer', 'integer'],
    rows: [
      ['2026-02-16', 0, 5],
      ['2026-02-16', 1, 3],
      ['2026-02-16', 2, 1],
      ['2026-02-16', 3, 3],
      ['2026-02-16', 4, 3],
      ['2026-02-23', 0, 3],
      ['2026-02-23', 1, 1],
      ['2026-02-23', 2, 1],
      ['2026-02-23', 3, 1],
      ['2026-03-02', 0, 3],
      ['2026-03-02', 1, 1],
      ['2026-03-02', 2, 2],
      ['2026-03-09', 0, 1],
    ],
  },
  {
    name: 'retention as a table',
    sql: `
      WITH firsts AS (SELECT person_id, toMonday(min(timestamp)) AS cohort FROM events WHERE event = '$pageview' AND timestamp >= '2026-02-16' GROUP BY person_id)
      SELECT cohort, uniq(firsts.person_id) AS size,
        uniqIf(e.person_id, toMonday(e.timestamp) = cohort + INTERVAL 1 WEEK) AS week_1,
        uniqIf(e.person_id, toMonday(e.timestamp) = cohort + INTERVAL 2 WEEK) AS week_2
      FROM firsts JOIN events AS e ON e.person_id = firsts.person_id AND e.event = '$pageview'
      GROUP BY cohort ORDER BY cohort`,
    ordered: true,
    columns: ['cohort', 'size', 'week_1', 'week_2'],
    types: ['date', 'integer', 'integer', 'integer'],
    rows: [
      ['2026-02-16', 5, 2, 1],
      ['2026-02-23', 3, 1, 1],
      ['2026-03-02', 2, 0, 1],
      ['2026-03-09', 2, 1, 0],
    ],
  },
  {
    name: 'retained the month after',
    sql: `
      SELECT count(DISTINCT a.person_id) AS february, count(DISTINCT b.person_id) AS still_in_march
      FROM (SELECT DISTINCT person_id FROM events WHERE toStartOfMonth(timestamp) = '2026-02-01') AS a
      LEFT JOIN (SELECT DISTINCT person_id FROM events WHERE toStartOfMonth(timestamp) = '2026-03-01') AS b ON a.person_id = b.person_id`,
    columns: ['february', 'still_in_march'],
    types: ['integer', 'integer'],
    rows: [[8, 6]],
  },
  {
    name: 'people who left',
    sql: `
      SELECT person.properties.name AS name, max(timestamp) AS last_seen FROM events
      GROUP BY person_id, name HAVING last_seen < now() - INTERVAL 10 DAY ORDER BY last_seen`,
    ordered: true,
    columns: ['name', 'last_seen'],
    types: ['string', 'datetime'],
    rows: [
      ['O\'Brien "Bob" \\ Co', '2026-02-17T09:20:00Z'],
      [null, '2026-02-25T11:00:00Z'],
      ['Chloé Ångström', '2026-03-03T09:45:00Z'],
    ],
  },
  {
    name: 'first touch',
    sql: `
      SELECT source, count() AS people FROM (
        SELECT person_id, argMin(coalesce(properties.utm_source, 'none'), timestamp) AS source FROM events WHERE event = '$pageview' GROUP BY person_id
      ) GROUP BY source ORDER BY people DESC, source`,
    ordered: true,
    columns: ['source', 'people'],
    types: ['string', 'integer'],
    rows: [
      ['none', 8],
      ['google', 2],
      ['newsletter', 2],
    ],
  },
  {
    name: 'last touch',
    sql: `
      SELECT person_id, argMax(properties.$pathname, timestamp) AS page FROM events
      WHERE event = '$pageview' AND timestamp < '2026-03-20' GROUP BY person_id ORDER BY person_id LIMIT 5`,
    ordered: true,
    columns: ['person_id', 'page'],
    types: ['string', 'string'],
    rows: [
      ['aaaaaaaa-0000-4000-8000-000000000001', '/'],
      ['aaaaaaaa-0000-4000-8000-000000000002', '/pricing'],
      ['aaaaaaaa-0000-4000-8000-000000000003', '/pricing'],
      ['aaaaaaaa-0000-4000-8000-000000000004', '/'],
      ['aaaaaaaa-0000-4000-8000-000000000005', '/docs/install'],
    ],
  },
  {
    name: 'first event of each person',
    sql: `
      SELECT person_id, event, timestamp FROM (
        SELECT person_id, event, timestamp, row_number() OVER (PARTITION BY person_id ORDER BY timestamp, uuid) AS nth FROM events
      ) WHERE nth = 1 ORDER BY timestamp`,
    ordered: true,
    columns: ['person_id', 'event', 'timestamp'],
    types: ['string', 'string', 'datetime'],
    rows: [
      ['aaaaaaaa-0000-4000-8000-000000000012', 'signup', '2024-02-29T12:00:00Z'],
      ['aaaaaaaa-0000-4000-8000-000000000007', '$pageview', '2025-11-02T05:30:00Z'],
      ['aaaaaaaa-0000-4000-8000-000000000001', '$pageview', '2025-12-31T23:59:59.500000Z'],
      ['aaaaaaaa-0000-4000-8000-000000000002', 'signup', '2026-01-31T10:00:00Z'],
      ['aaaaaaaa-0000-4000-8000-000000000003', '$pageview', '2026-02-01T00:10:00Z'],
      ['aaaaaaaa-0000-4000-8000-000000000004', '$pageview', '2026-02-16T08:00:00Z'],
      ['aaaaaaaa-0000-4000-8000-000000000005', '$pageview', '2026-02-17T09:00:00Z'],
      ['aaaaaaaa-0000-4000-8000-000000000006', '$pageview', '2026-02-22T00:00:00Z'],
      ['ghost', '$pageview', '2026-02-25T11:00:00Z'],
      ['aaaaaaaa-0000-4000-8000-000000000008', '$pageview', '2026-03-01T12:00:00Z'],
      ['aaaaaaaa-0000-4000-8000-000000000009', '$pageview', '2026-03-02T12:00:00Z'],
      ['aaaaaaaa-0000-4000-8000-000000000010', 'signup', '2026-03-07T06:00:00Z'],
    ],
  },
  {
    name: 'people who did one thing and not the other',
    sql: `
      SELECT DISTINCT person_id FROM events WHERE event = 'signup'
        AND person_id NOT IN (SELECT person_id FROM events WHERE event = 'purchase') ORDER BY person_id`,
    ordered: true,
    columns: ['person_id'],
    types: ['string'],
    rows: [['aaaaaaaa-0000-4000-8000-000000000005'], ['aaaaaaaa-0000-4000-8000-000000000006']],
  },
  {
    name: 'people who came on six days',
    sql: 'SELECT person_id, uniq(toDate(timestamp)) AS days FROM events GROUP BY person_id HAVING days >= 6 ORDER BY days DESC, person_id',
    ordered: true,
    columns: ['person_id', 'days'],
    types: ['string', 'integer'],
    rows: [
      ['aaaaaaaa-0000-4000-8000-000000000001', 10],
      ['aaaaaaaa-0000-4000-8000-000000000004', 7],
      ['aaaaaaaa-0000-4000-8000-000000000002', 6],
    ],
  },
  {
    name: 'signups by week of signup and whether they bought',
    sql: `
      SELECT toStartOfWeek(s.timestamp, 1) AS week, count() AS signups, countIf(p.person_id IS NOT NULL) AS bought
      FROM events AS s
      LEFT JOIN (SELECT DISTINCT person_id FROM events WHERE event = 'purchase') AS p ON p.person_id = s.person_id
      WHERE s.event = 'signup' AND s.timestamp >= '2026-01-01' GROUP BY week ORDER BY week`,
    ordered: true,
    columns: ['week', 'signups', 'bought'],
    types: ['date', 'integer', 'integer'],
    rows: [
      ['2025-12-29', 1, 1],
      ['2026-01-26', 2, 2],
      ['2026-02-16', 3, 1],
      ['2026-03-02', 2, 2],
    ],
  },
]
