// Queries as the upstream project's skills and tests show them: the same functions and clauses, over the names of the data set.
import type { PublishedQueries } from './source'

const LAST_QUARTER = 'timestamp >= now() - INTERVAL 90 DAY'

export const UPSTREAM: readonly PublishedQueries[] = [
  {
    source:
      'https://github.com/PostHog/posthog/blob/master/products/posthog_ai/skills/querying-posthog-data/references/hogql-extensions.md',
    queries: [
      `SELECT DISTINCT properties.$browser FROM events WHERE event = '$pageview' AND ${LAST_QUARTER} ORDER BY sortableSemVer(properties.$lib_version) DESC LIMIT 10`,
      `SELECT sortableSemVer('1.10.0') > sortableSemVer('1.9.3'), arraySort(x -> sortableSemVer(x), ['1.10.0', '1.9.3', '1.10.0-beta'])`,
      `SELECT languageCodeToName('en') AS english, languageCodeToName('fr') AS french, languageCodeToName('zh') AS chinese`,
      `SELECT properties.$pathname, <a href={f'https://example.com{properties.$pathname}'} target='_blank'>Link</a> as link FROM events WHERE event = '$pageview'`,
      "SELECT <span>is this <blink>{event}</blink> real?</span> FROM events WHERE event = 'signup'",
      "SELECT <marquee>scrolling text!</marquee> FROM events WHERE event = 'signup'",
      "SELECT <redacted>hidden until hover</redacted> FROM events WHERE event = 'signup'",
      `SELECT count() FROM events WHERE matchesAction('clicked homepage button')`,
    ],
  },
  {
    source:
      'https://github.com/PostHog/posthog/blob/master/products/posthog_ai/skills/querying-posthog-data/references/guidelines.md',
    queries: [
      `SELECT toStartOfWeek(timestamp) AS week, count(DISTINCT person_id) AS users FROM events WHERE event = '$pageview' AND timestamp > now() - INTERVAL 8 WEEK GROUP BY week ORDER BY week DESC`,
      `SELECT event FROM events WHERE timestamp >= now() - INTERVAL 10 DAY and properties['$browser'] IN (SELECT properties['$browser'] FROM events WHERE timestamp >= now() - INTERVAL 20 DAY and timestamp < now() - INTERVAL 10 DAY)`,
      `SELECT count() FROM events WHERE timestamp >= now() - INTERVAL 1 DAY AND event = 'signup'`,
      `SELECT event, timestamp, distinct_id, properties.source FROM events WHERE ${LAST_QUARTER} ORDER BY timestamp DESC, uuid LIMIT 10`,
      `SELECT countIf(event = 'signup' AND timestamp > now() - INTERVAL 30 DAY) FROM events WHERE ${LAST_QUARTER}`,
      `SELECT count() FROM events WHERE match(properties.$current_url, 'pricing|signup') AND ${LAST_QUARTER}`,
      `SELECT count() FROM events WHERE multiMatchAny(properties.$current_url, ['pricing', 'sign[a-z]+']) AND ${LAST_QUARTER}`,
      `SELECT count() FROM events WHERE position(properties.$current_url, 'pricing') > 0 AND ${LAST_QUARTER}`,
      `SELECT events.person.properties.plan, count() FROM events GROUP BY events.person.properties.plan`,
      'SELECT id, properties.plan FROM persons ORDER BY id LIMIT 10',
      'SELECT key, properties.name FROM groups WHERE index = 0',
    ],
  },
  {
    source:
      'https://github.com/PostHog/posthog/blob/master/products/posthog_ai/skills/querying-posthog-data/references/identity-stitching.md',
    queries: [
      `SELECT person_id, count() AS event_count, min(timestamp) AS first_seen FROM events WHERE ${LAST_QUARTER} GROUP BY person_id`,
      `SELECT count(DISTINCT person_id) AS users FROM events WHERE event = '$pageview' AND timestamp >= now() - INTERVAL 7 DAY`,
      `SELECT person_id, min(timestamp) AS first_seen, minIf(timestamp, event = 'purchase') AS bought FROM events WHERE ${LAST_QUARTER} GROUP BY person_id HAVING countIf(event = 'purchase') > 0`,
      'SELECT person_id, groupUniqArray(distinct_id) AS ids FROM person_distinct_ids GROUP BY person_id HAVING length(ids) > 5',
    ],
  },
  {
    source: 'https://github.com/PostHog/posthog/blob/master/posthog/hogql/test/test_query.py',
    queries: [
      `select count(), event from events where properties.source = 'google' group by event`,
      `select cnt, event from (select count() as cnt, event from events where properties.source = 'google' group by event) group by cnt, event`,
      `select cnt, event from (select count(*) as cnt, event from events group by event) as c group by cnt, event`,
      `select distinct properties.plan from persons where properties.country = 'US'`,
      'select distinct person_id, distinct_id from person_distinct_ids',
      `SELECT event, timestamp, pdi.distinct_id, p.id, p.properties.email FROM events e LEFT JOIN person_distinct_ids pdi ON pdi.distinct_id = e.distinct_id LEFT JOIN persons p ON p.id = pdi.person_id`,
      `SELECT event, timestamp, pdi.person_id from events e INNER JOIN (SELECT distinct_id, argMax(person_id, distinct_id) as person_id FROM person_distinct_ids GROUP BY distinct_id) AS pdi ON e.distinct_id = pdi.distinct_id`,
      'SELECT event, timestamp, pdi.distinct_id, pdi.person_id FROM events ORDER BY uuid LIMIT 10',
      'SELECT event, e.timestamp, e.pdi.distinct_id, pdi.person_id FROM events e ORDER BY uuid LIMIT 10',
      'SELECT pdi.distinct_id, pdi.person.created_at FROM person_distinct_ids pdi ORDER BY pdi.distinct_id LIMIT 10',
      'SELECT pdi.distinct_id, pdi.person.properties.email FROM person_distinct_ids pdi ORDER BY pdi.distinct_id LIMIT 10',
      `SELECT events.event, persons.properties.email FROM events JOIN persons ON events.person_id = persons.id WHERE events.event = '$pageview'`,
      `SELECT e1.event, e2.event FROM events e1 JOIN events e2 ON e1.person_id = e2.person_id WHERE e1.event = 'signup' AND e2.event = 'purchase'`,
      'SELECT persons.id, events.event FROM persons JOIN events ON persons.id = events.person_id ORDER BY events.uuid LIMIT 10',
      'SELECT event, timestamp, pdi.distinct_id, pdi.person.id FROM events ORDER BY uuid LIMIT 10',
      'SELECT event, timestamp, pdi.distinct_id, pdi.person.properties.email FROM events ORDER BY uuid LIMIT 10',
      'SELECT event, e.timestamp, pdi.distinct_id, e.pdi.person.properties.email FROM events e ORDER BY uuid LIMIT 10',
      'SELECT s.pdi.person.properties.plan, count() FROM events s GROUP BY s.pdi.person.properties.plan LIMIT 10',
      'SELECT poe.properties.plan, count() FROM events s GROUP BY poe.properties.plan LIMIT 10',
      'SELECT event, timestamp, person.id, person.properties.email FROM events ORDER BY uuid LIMIT 10',
      'SELECT event, count() FROM events WHERE person_id IN COHORT 1 GROUP BY event',
      'SELECT arrayMap(x -> x * 2, [1, 2, 3]), 1',
      `select toDate(timestamp) as timestamp, count() as cnt from events where timestamp >= addDays(today(), -10) group by timestamp having cnt > 1`,
      `select toDate(timestamp) as timestamp, JSONExtractInt(properties, 'quantity') as json_int from events where timestamp >= addDays(today(), -40) and json_int = 1`,
      `WITH latest_events AS (SELECT distinct_id, argMax(properties.$browser, timestamp) AS latest FROM events WHERE properties.$os = 'iOS' AND ${LAST_QUARTER} GROUP BY distinct_id),
        major_versions AS (SELECT distinct_id, latest, splitByChar('.', ifNull(latest, ''))[1] AS major_version FROM latest_events)
        SELECT major_version, count() AS user_count, round(100 * count() / sum(count()) OVER (), 2) AS percentage FROM major_versions WHERE major_version IN ('Safari', 'Chrome') GROUP BY major_version ORDER BY major_version`,
      'SELECT [1, 2, 3], [10,11,12][1]',
      `select col_a, arrayZip( (sumMap( g.1, g.2 ) as x).1, x.2) as r from (select col_a, groupArray( (col_b, col_c) ) as g from
        (SELECT properties.source as col_a, event as col_b, count() as col_c FROM events WHERE event = 'signup' GROUP BY properties.source, event) group by col_a) group by col_a ORDER BY col_a`,
      "SELECT properties.score, properties.`null`, properties.undefined, properties.rows FROM events WHERE events.event='export'",
      `select distinct_id, timestamp, event, groupArray(event) OVER (PARTITION BY distinct_id ORDER BY timestamp ASC ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS two_before,
        groupArray(event) OVER (PARTITION BY distinct_id ORDER BY timestamp ASC ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) AS two_after from events where distinct_id = 'ben' order by distinct_id, timestamp`,
      `select distinct_id, timestamp, event, groupArray(event) OVER w1 AS two_before, row_number() OVER w1 AS rn_1, first_value(event) OVER w1 AS first_value_1, last_value(event) OVER w1 AS last_value_1, rank() OVER w1 AS rank_1
        from events where distinct_id = 'ben' window w1 as (PARTITION BY distinct_id ORDER BY timestamp ASC ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) order by distinct_id, timestamp`,
      'SELECT 5 between 1 and 10, 5 not between 1 and 4, 1 between 1 and 10',
    ],
  },
  {
    source: 'https://github.com/PostHog/posthog/blob/master/posthog/hogql/printer/test/test_printer.py',
    queries: [
      'select s.* from (select 1 as x, 2 as y, 3 as z) as s (a, b, c)',
      'select e.a, e.b from events as e (a, b, c)',
      'select a, b from events as e (a, b, c)',
      'select [1, 2, 3][1:3]',
      'select 1 as id union distinct select 2 as id',
      'select 1 as id intersect select 2 as id',
      'select 1 as id except select 2 as id union all select 3 as id',
      'select 1 as id intersect (select 2 as id union all select 3 as id)',
      'select 1 as a, 2 as b union by name select 3 as b, 4 as a',
      'select 1 union all select 2 order by 1',
      'SELECT event, properties.plan, count() FROM events GROUP BY GROUPING SETS ((event), (properties.plan), ())',
      'SELECT event, properties.plan, count() FROM events GROUP BY ROLLUP (event, properties.plan)',
      'SELECT event, properties.plan, count() FROM events GROUP BY CUBE (event, properties.plan)',
      'SELECT event, count() FROM events GROUP BY event WITH ROLLUP',
      'SELECT event, count() FROM events GROUP BY event WITH TOTALS',
      'WITH RECURSIVE steps AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM steps WHERE n < 5) SELECT n FROM steps',
      "SELECT timestamp, event FROM events PREWHERE event = 'signup' WHERE timestamp > toDateTime('2026-01-01 00:00:00')",
      "SELECT event FROM events ARRAY JOIN [1, 2] AS a, [3, 4] AS b WHERE event = 'signup'",
      'SELECT a, b FROM (SELECT 1) ARRAY JOIN [1, 2] AS a, [3, 4] AS b',
      'SELECT event FROM events LIMIT 1 BY event',
      'SELECT event, count() AS c FROM events GROUP BY event QUALIFY row_number() OVER (ORDER BY c DESC, event) <= 2',
      `SELECT * EXCLUDE (properties) FROM events WHERE event = 'signup'`,
      "SELECT event =~ '^sig', event !~ '^sig', event =~* '^SIG', event !~* '^SIG' FROM events",
      `SELECT toString(1), toFloat('1.3'), toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0'), toDate('2026-01-01'), toDateTime('2026-01-01 00:00:00')`,
      `SELECT toIntervalDay(1) + toDate('2026-01-01'), plus(timestamp, toIntervalDay(1)), minus(timestamp, toIntervalHour(2)) FROM events WHERE event = 'signup'`,
      `SELECT event FROM events WHERE and(equals(event, 'signup'), greaterOrEquals(timestamp, minus(toDateTime('2026-03-01 00:00:00'), toIntervalDay(30))))`,
      `SELECT if(event = 'signup', 1, 0) ? 'yes' : 'no' AS answer, count() FROM events GROUP BY answer`,
      'SELECT uuid, row_number() over (order by uuid) AS n FROM events QUALIFY n <= 3',
      `SELECT CASE event WHEN 'signup' THEN 'a' WHEN 'purchase' THEN 'b' ELSE 'c' END AS kind, count() FROM events GROUP BY kind`,
      `SELECT (SELECT count() FROM events WHERE event = 'signup') AS signups, count() FROM events`,
    ],
  },
  {
    source: 'https://github.com/PostHog/posthog/blob/master/posthog/hogql/database/schema/persons_pdi.py',
    queries: [
      'select persons.pdi.distinct_id from persons',
      `SELECT id, properties.email, pdi.distinct_id FROM persons WHERE pdi.distinct_id = 'ada'`,
      'SELECT p.id, count(p.pdi.distinct_id) AS ids FROM persons p GROUP BY p.id HAVING ids > 1',
      'SELECT id, max(pdi.distinct_id), properties, created_at FROM persons GROUP BY id, properties, created_at',
    ],
  },
  {
    source: 'https://github.com/PostHog/posthog/issues/20258',
    queries: [
      `select properties.nested.a.b as 'Group', JSONExtractString(arrayJoin(JSONExtractArrayRaw(properties.items ?? '[]')), 'sku') as 'Item',
        sumIf(1, JSONExtractString(arrayJoin(JSONExtractArrayRaw(properties.items ?? '[]')), 'qty') = '2') as '😍', count() as 'Total',
        round(median(JSONExtractInt(arrayJoin(JSONExtractArrayRaw(properties.items ?? '[]')), 'qty')), 1) as 'Median' from events group by Group, Item`,
    ],
  },
  {
    source:
      'https://github.com/PostHog/posthog/blob/master/products/posthog_ai/skills/querying-posthog-data/references/example-llm-traces-list.md',
    queries: [
      `SELECT properties.$session_id AS trace_id, min(timestamp) AS first_ts, max(timestamp) AS last_ts FROM events
        WHERE event IN ('$pageview', 'signup', 'purchase') AND isNotNull(properties.$session_id) AND properties.$session_id != ''
        AND ${LAST_QUARTER} AND timestamp <= now() GROUP BY trace_id ORDER BY min(timestamp) DESC LIMIT 20`,
      `SELECT properties.$session_id AS id, ifNull(nullIf(argMinIf(distinct_id, timestamp, event = 'signup'), ''), argMin(distinct_id, timestamp)) AS first_distinct_id,
        round(CASE WHEN countIf(toFloat(properties.amount) > 0 AND event != 'purchase') = 0 AND countIf(toFloat(properties.amount) > 0 AND event = 'purchase') > 0
          THEN sumIf(toFloat(properties.amount), event = 'purchase' AND toFloat(properties.amount) > 0)
          ELSE sumIf(toFloat(properties.amount), properties.source IS NULL OR toString(properties.source) = toString(properties.plan)) END, 2) AS total,
        ifNull(argMinIf(ifNull(properties.plan, properties.source), timestamp, event = 'signup'), argMin(ifNull(properties.plan, properties.source), timestamp)) AS name,
        countIf(isNotNull(properties.coupon) OR properties.paid = 'true') AS found FROM events GROUP BY properties.$session_id ORDER BY id`,
    ],
  },
]
