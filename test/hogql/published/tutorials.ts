// Queries as tutorials show them: the same functions and clauses, over the names of the data set.
import type { PublishedQueries } from './source'

const ofRows = (condition: string): string => `SELECT uuid FROM events WHERE ${condition}`
const byExpression = (expression: string): string =>
  `SELECT ${expression} AS value, count() AS total FROM events GROUP BY value`

/** Pageviews and what a person does next. */
const nextEvents = (columns = '', condition = '') =>
  `SELECT distinct_id, event AS first_event, timestamp AS first_timestamp, first_value(event) OVER w AS next_event,
    first_value(timestamp) OVER w AS next_timestamp${columns} FROM events
    WHERE timestamp > toDateTime('2026-01-01 00:00:00') AND (event = '$pageview' OR event = 'signup')${condition}
    WINDOW w AS (PARTITION BY distinct_id ORDER BY timestamp ASC ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING)
    ORDER BY distinct_id, timestamp`

const ofPairs = `WHERE first_event = '$pageview' AND (next_event = 'signup' OR next_event = '$pageview')`

export const TUTORIALS: readonly PublishedQueries[] = [
  {
    source: 'https://posthog.com/tutorials/hogql-date-time-filters',
    queries: [
      ofRows(
        `toDateTime('2026-02-16 09:26:00') < timestamp and timestamp < toDateTime('2026-03-01 14:34:00')`,
      ),
      ofRows('fromUnixTimestamp(1771200000) < timestamp'),
      ofRows(`dateDiff('day', timestamp, now()) > 5`),
      ofRows('toStartOfQuarter(timestamp) == toStartOfQuarter(now())'),
      ofRows('toStartOfWeek(timestamp) == toStartOfWeek(now())'),
      ofRows('toDayOfWeek(timestamp) != 6 and toDayOfWeek(timestamp) != 7'),
      ofRows(`dateDiff('day', now(), person.properties.signed_up_at + interval 30 day) <= 3`),
      ofRows(`dateDiff('week', person.properties.signed_up_at, now()) <= 2`),
    ],
  },
  {
    source: 'https://posthog.com/tutorials/hogql-autocapture',
    queries: [
      byExpression(`arrayElement(splitByChar('.', elements_chain), 1)`),
      byExpression(`arrayElement(splitByChar(';', elements_chain), -1)`),
      byExpression(`extract(elements_chain, '[:|"]attr__href="(.*?)"')`),
      byExpression(`extract(elements_chain, '[:|"]attr__data-attr="(.*?)"')`),
      ofRows(`match(arrayElement(splitByChar(';', elements_chain), 1), 'collapsed')`),
      ofRows(`match(elements_chain, '[:|"]attr__id="[^"]*good-input[^"]*"')`),
      byExpression('elements_chain_href'),
      byExpression('elements_chain_texts'),
      byExpression('elements_chain_elements'),
      byExpression('elements_chain_ids'),
      ofRows(`elements_chain =~ 'button'`),
      ofRows(`has(elements_chain_elements, 'button')`),
    ],
  },
  {
    source: 'https://posthog.com/tutorials/hogql-breakdowns',
    queries: [
      byExpression(
        `replaceRegexpOne(properties.$pathname, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', ':uuid')`,
      ),
      byExpression(`if(properties.$pathname == '/pricing', null, properties.$pathname)`),
      byExpression(
        `if(positionCaseInsensitive(properties.$pathname, '/pri') != 0, null, properties.$pathname)`,
      ),
      byExpression(`concat(person.properties.name, ' from ', person.properties.address.city)`),
      byExpression(`properties.amount < properties.quantity and properties.amount < 500 ? 'small' : 'large'`),
      byExpression('toStartOfWeek(timestamp)'),
      byExpression(`dateDiff('week', timestamp, now())`),
      byExpression(`dateName('month', timestamp)`),
      byExpression('person_id'),
    ],
  },
  {
    source: 'https://posthog.com/tutorials/array-filter-breakdown',
    queries: [
      byExpression(`arrayJoin(arrayDistinct(JSONExtractArrayRaw(properties.tags ?? '[]')))`),
      byExpression(`arrayUniq(JSONExtractArrayRaw(properties.tags ?? '[]'))`),
      byExpression(`arrayElement(JSONExtractArrayRaw(properties.tags ?? '[]'), -1)`),
      ofRows(`notEmpty(JSONExtractArrayRaw(properties.tags ?? '[]'))`),
      ofRows(`has(JSONExtractArrayRaw(properties.tags ?? '[]'), '"x"')`),
      ofRows(`hasAny(JSONExtract(ifNull(properties.tags, '[]'), 'Array(String)'), ['x', 'z'])`),
      byExpression('properties.items[1].sku'),
      byExpression('properties.tags[1]'),
      byExpression('properties.tags[2:3]'),
    ],
  },
  {
    source: 'https://posthog.com/tutorials/session-metrics',
    queries: [
      'select avg($num_uniq_urls) from sessions',
      `SELECT e.event, e.properties.$session_id, s.$pageview_count FROM events e JOIN sessions s ON e.properties.$session_id = s.session_id WHERE s.$pageview_count > 1 AND e.event != '$pageview'`,
      'SELECT $entry_hostname, count() FROM sessions GROUP BY $entry_hostname',
      'SELECT $channel_type, count() FROM sessions GROUP BY $channel_type',
      'SELECT avg($session_duration), sum($is_bounce) / count() FROM sessions',
      'SELECT session.$channel_type, count() FROM events GROUP BY session.$channel_type',
      'SELECT session_id, $urls FROM sessions',
      'SELECT max($screen_count), sum($autocapture_count) FROM sessions',
      'SELECT $exit_current_url, $end_hostname, $last_external_click_url, count() FROM sessions GROUP BY ALL',
      'SELECT $entry_gclid, $entry_fbclid, $entry_gad_source, count() FROM sessions GROUP BY ALL',
      'SELECT avg($vitals_lcp) FROM sessions',
    ],
  },
  {
    source: 'https://posthog.com/tutorials/time-on-page',
    queries: [
      `SELECT avg(time_on_page) AS avg_time_on_page FROM (SELECT dateDiff('minute', first_timestamp, next_timestamp) AS time_on_page FROM (${nextEvents()}) AS subquery ${ofPairs})`,
      `SELECT avg(time_on_page) AS avg_time_on_page FROM (SELECT dateDiff('minute', first_timestamp, next_timestamp) AS time_on_page FROM (${nextEvents()}) AS subquery ${ofPairs} AND time_on_page <= 30)`,
      `SELECT avg(time_on_page) AS avg_time_on_page, current_url FROM (SELECT dateDiff('minute', first_timestamp, next_timestamp) AS time_on_page, current_url
        FROM (${nextEvents(', properties.$current_url as current_url')}) AS subquery ${ofPairs} AND time_on_page <= 30) GROUP BY current_url ORDER BY avg_time_on_page DESC, current_url`,
      `SELECT dateDiff('minute', first_timestamp, next_timestamp) AS time_on_page, distinct_id FROM (${nextEvents('', ` AND properties.$current_url LIKE '%example.com/%'`)}) AS subquery ${ofPairs} ORDER BY time_on_page DESC, distinct_id`,
      `SELECT count() FROM events WHERE properties.$current_url NOT LIKE '%?%' AND properties.$current_url NOT LIKE '%#%'`,
    ],
  },
  {
    source: 'https://posthog.com/tutorials/hogql-sum-aggregation',
    queries: [
      'SELECT sum(properties.amount) FROM events',
      'SELECT sumIf(1, toStartOfMonth(timestamp) = toStartOfMonth(now())) FROM events',
      `SELECT person_id, sumIf(10, properties.paid) + sumIf(5, properties.currency = 'USD') + sumIf(-1, properties.quantity > 1) AS score FROM events GROUP BY person_id`,
      `SELECT sumIf(1, properties.$browser = 'Safari') / sumIf(1, properties.$browser = 'Safari' or properties.$browser = 'Chrome') FROM events`,
      `SELECT sumIf(1, properties.quantity == 2 or properties.quantity == 3) / sumIf(1, properties.quantity is not null) + sumIf(-1, properties.quantity <= 1) / sumIf(1, properties.quantity is not null) FROM events`,
    ],
  },
  {
    source: 'https://posthog.com/tutorials/bounce-rate',
    queries: [
      'select (count(multiIf($session_duration < 10, session_id, NULL)) / count(session_id)) * 100 as bounce_rate from sessions',
      'select (count(multiIf($autocapture_count < 3 and $pageview_count < 2 or $session_duration < 10, session_id, NULL)) / count(session_id)) * 100 as bounce_rate from sessions',
      `SELECT (COUNT(DISTINCT CASE WHEN (sessions.$autocapture_count = 0 AND sessions.$session_duration < 60) THEN sessions.session_id ELSE NULL END) * 100.0) / COUNT(DISTINCT properties.$session_id) AS bounce_rate
        FROM events INNER JOIN sessions ON events.properties.$session_id = sessions.session_id WHERE created_at >= now() - INTERVAL 60 DAY AND properties.$current_url = 'https://example.com/'`,
    ],
  },
]
