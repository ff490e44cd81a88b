// Queries over a million events whose estimated cost is compared with what they take. Every part of the estimate has some that spend most of
// their time on it.

export interface CostQuery {
  name: string
  hogql: string
  /** The rows that the run asks for. */
  limit?: number
}

const one = (name: string, hogql: string, limit?: number): CostQuery => ({ name, hogql, limit })

/** Returns a query that evaluates an expression for every event. */
const each = (name: string, expression: string): CostQuery =>
  one(name, `SELECT count(${expression}) FROM events`)

const APRIL = "timestamp >= '2026-04-01' AND timestamp < '2026-05-01'"

export const COST_QUERIES: readonly CostQuery[] = [
  // Reading.
  one('count', 'SELECT count() FROM events'),
  one('count by name', 'SELECT event, count() FROM events GROUP BY event'),
  one('recent events', 'SELECT * FROM events ORDER BY timestamp DESC LIMIT 100'),
  one('one month', `SELECT count(), max(distinct_id) FROM events WHERE ${APRIL}`),
  each('one property', 'properties.$browser'),
  each(
    'ten properties',
    'concat(properties.$browser, properties.$os, properties.$device_type, properties.$host, properties.$pathname, properties.$current_url, properties.$lib, properties.$lib_version, properties.$session_id, properties.$window_id)',
  ),
  each('whole documents', 'length(toString(properties))'),
  each('number property', 'properties.load_ms + 1'),
  each('element of a property', 'properties.tags[1]'),
  one('people', 'SELECT count(DISTINCT person_id) FROM events'),
  one('person property', 'SELECT person.properties.plan AS plan, count() FROM events GROUP BY plan'),
  one(
    'session property',
    'SELECT session.$entry_pathname AS path, count() FROM events GROUP BY path LIMIT 10',
  ),
  one(
    'channel types of sessions',
    'SELECT session.$channel_type AS channel, count() FROM events GROUP BY channel',
  ),
  one('sessions', 'SELECT count(), avg($session_duration), max($entry_current_url) FROM sessions'),

  // Filters and functions.
  one(
    'filters',
    "SELECT count() FROM events WHERE properties.$os = 'iOS' AND properties.$browser != 'Chrome' AND properties.load_ms > 500",
  ),
  one('LIKE', "SELECT count() FROM events WHERE properties.$current_url LIKE '%docs%1%'"),
  one('ILIKE', "SELECT count() FROM events WHERE properties.$current_url ILIKE '%DOCS%'"),
  one(
    'long IN',
    `SELECT count() FROM events WHERE distinct_id IN (${Array.from({ length: 200 }, (_, n) => `'user-${n}'`).join(', ')})`,
  ),
  each('dates', "dateDiff('day', toStartOfWeek(timestamp), timestamp)"),
  each('formatDateTime', "formatDateTime(timestamp, '%Y-%m-%d %H:%i')"),
  each('all parts of a date', "formatDateTime(timestamp, '%Y %j %W %a %b %M %c %e %H:%i:%s')"),
  each('weeks', 'concat(toString(toISOWeek(timestamp)), toString(toWeek(timestamp)))'),
  each('parseDateTime', 'toDateTime(properties.$browser)'),
  each('parseDateTimeBestEffort', 'parseDateTimeBestEffort(properties.$browser)'),
  each('top level domains', 'topLevelDomain(properties.$current_url)'),
  each('a trimmed text', "trim(properties.$current_url, 'abcdefghijklmnopqrstuvwxyz:/')"),
  each('arithmetic', 'sqrt(abs(sin(properties.load_ms) * 100)) + round(properties.load_ms / 7, 2)'),
  each('concat and lower', "lower(concat(properties.$current_url, '-', distinct_id))"),
  each('substring', 'substring(properties.$current_url, 9, 20)'),
  each('replaceAll', "replaceAll(properties.$current_url, 'example', 'sample')"),
  each('domain', 'domain(properties.$current_url)'),
  each('topLevelDomain', 'topLevelDomain(properties.$current_url)'),
  each('position of a column', 'position(properties.$current_url, properties.$pathname)'),
  each('splitByChar', "length(splitByChar('/', properties.$current_url))"),
  each('splitByChar to characters', "length(splitByChar('', properties.$browser))"),
  each('reverse', 'reverse(properties.$browser)'),
  each('repeat', 'length(repeat(properties.$browser, 50))'),
  each('leftPad', "leftPad(properties.$browser, 100, 'ab')"),
  each('range', 'length(range(20))'),
  each('arrayMap', 'arraySum(arrayMap(x -> x * 2, range(10)))'),
  each('arraySort', "arraySort(splitByChar('/', properties.$current_url))"),
  each('arrayStringConcat', "arrayStringConcat(splitByChar('/', properties.$current_url), '.')"),
  each('has', "has(['Chrome', 'Safari', 'Opera'], properties.$browser)"),
  each('hasAny', "hasAny(['a', 'b', 'c'], ['d', 'e', 'f'])"),
  each('arrayZip', 'length(arrayZip([1, 2, 3, 4], [5, 6, 7, 8]))'),
  each('arrayPopBack', 'length(arrayPopBack(range(10)))'),
  each('JSONExtractString', "JSONExtractString(toString(properties), '$browser')"),
  each(
    'case',
    "multiIf(properties.$os = 'iOS', 1, properties.$os = 'Linux', 2, properties.$os = 'Android', 3, 4)",
  ),
  each('URL parameter', "extractURLParameter(concat(properties.$current_url, '?a=1&b=2'), 'b')"),
  each('greatest', 'greatest(properties.load_ms, properties.$screen_width, properties.$screen_height)'),

  // Aggregates, groups and order.
  one(
    'ten aggregates',
    'SELECT count(), sum(properties.load_ms), avg(properties.load_ms), min(timestamp), max(timestamp), uniq(distinct_id), min(properties.load_ms), max(properties.load_ms), stddevPop(properties.load_ms), countIf(properties.load_ms > 100) FROM events',
  ),
  one(
    'argMax',
    'SELECT distinct_id, argMax(properties.$browser, timestamp) FROM events GROUP BY distinct_id',
  ),
  one('quantiles', 'SELECT event, quantile(0.9)(properties.load_ms) FROM events GROUP BY event'),
  one('groupArray', 'SELECT distinct_id, length(groupArray(event)) FROM events GROUP BY distinct_id'),
  one('groupUniqArray', 'SELECT distinct_id, groupUniqArray(event) FROM events GROUP BY distinct_id'),
  one(
    'groups of three properties',
    'SELECT properties.$browser AS a, properties.$os AS b, properties.$pathname AS c, count() FROM events GROUP BY a, b, c ORDER BY count() DESC',
  ),
  one('distinct', 'SELECT DISTINCT distinct_id, event FROM events', 50_000),
  one('ORDER BY', 'SELECT distinct_id, event, timestamp FROM events ORDER BY distinct_id, timestamp', 50_000),
  one(
    'ORDER BY a property',
    'SELECT properties.$current_url, timestamp FROM events ORDER BY properties.load_ms DESC',
    1_000,
  ),
  one(
    'LIMIT BY',
    'SELECT distinct_id, timestamp FROM events ORDER BY timestamp LIMIT 3 BY distinct_id',
    1_000,
  ),
  one(
    'windows',
    'SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY distinct_id ORDER BY timestamp) AS n FROM events)',
  ),
  one(
    'lag',
    "SELECT avg(dateDiff('second', before, timestamp)) FROM (SELECT timestamp, lag(timestamp, 1) OVER (PARTITION BY distinct_id ORDER BY timestamp) AS before FROM events)",
  ),

  one(
    'six functions over one window',
    `SELECT ${[0, 1, 2, 3, 4, 5].map((index) => `max(c${index})`).join(', ')} FROM (SELECT ${[
      'min(timestamp)',
      'max(timestamp)',
      'count()',
      'min(event)',
      'sum(toFloat(properties.load_ms))',
      'max(properties.$browser)',
    ]
      .map(
        (call, index) =>
          `${call} OVER (PARTITION BY distinct_id ORDER BY timestamp DESC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS c${index}`,
      )
      .join(', ')} FROM events)`,
  ),
  one(
    'groups of a subquery',
    `SELECT avg(n), max(last) FROM (SELECT person, count() AS n, max(previous) AS last FROM (SELECT person_id AS person,
      lag(event) OVER (PARTITION BY person_id ORDER BY timestamp) AS previous FROM events) GROUP BY person)`,
  ),

  // Joins, subqueries, unions.
  one(
    'join with persons',
    'SELECT p.properties.plan AS plan, count() FROM events e JOIN persons p ON p.id = e.person_id GROUP BY plan',
  ),
  one(
    'LEFT JOIN of subqueries',
    "SELECT count(), countIf(b.n > 1) FROM (SELECT person_id, count() AS n FROM events WHERE event = 'signed up' GROUP BY person_id) a LEFT JOIN (SELECT person_id, count() AS n FROM events WHERE event = 'purchased' GROUP BY person_id) b ON a.person_id = b.person_id",
  ),
  one(
    'self-join of a day',
    "SELECT count() FROM events a JOIN events b ON a.person_id = b.person_id WHERE a.timestamp >= '2026-04-01' AND a.timestamp < '2026-04-03' AND b.timestamp >= '2026-04-01' AND b.timestamp < '2026-04-03' AND a.timestamp < b.timestamp",
  ),
  one(
    'self-join on a property',
    "SELECT count() FROM events a JOIN events b ON a.properties.$session_id = b.properties.$session_id WHERE a.event = 'signed up' AND b.event = 'purchased'",
  ),
  one(
    'JOIN of what the Worker computes',
    "WITH s AS (SELECT person_id, extract(properties.$pathname, '^/[a-z]+') AS part, timestamp FROM events WHERE event = 'signed up') SELECT a.part, b.part, count() FROM s AS a JOIN s AS b ON a.person_id = b.person_id GROUP BY 1, 2",
  ),
  one(
    'cross join',
    'SELECT count() FROM numbers(3000) a CROSS JOIN numbers(3000) b WHERE a.number < b.number',
  ),
  one('numbers', 'SELECT sum(number) FROM numbers(1000000)'),
  one(
    'IN a subquery',
    "SELECT count() FROM events WHERE distinct_id IN (SELECT distinct_id FROM events WHERE event = 'purchased')",
  ),
  one(
    'union',
    "SELECT count() FROM (SELECT distinct_id FROM events WHERE event = 'purchased' UNION DISTINCT SELECT distinct_id FROM events WHERE event = 'signed up')",
  ),
  one(
    'arrayJoin',
    "SELECT count(), max(part) FROM (SELECT arrayJoin(splitByChar('/', properties.$current_url)) AS part FROM events)",
  ),
]
