// What errors suggest to write instead.
import { expect, it } from 'vitest'
import { compileHogql } from '../../../src/hogql/compile'
import { HogqlError } from '../../../src/hogql/error'
import { closestTo } from '../../../src/hogql/suggest'

async function messageOf(
  sql: string,
  propertyTypes: Parameters<typeof compileHogql>[1]['propertyTypes'] = () => undefined,
): Promise<string> {
  const error: unknown = await compileHogql(sql, {
    timezone: 'UTC',
    variables: {},
    propertyTypes,
  }).catch((thrown: unknown) => thrown)
  if (!(error instanceof HogqlError)) throw error
  return error.message
}

it.each([
  ['SELECT coutn() FROM events', "Unsupported function call 'coutn(...)'. Perhaps you meant 'count(...)'?"],
  [
    "SELECT hasSubstr(['a'], ['a'])",
    "Unsupported function call 'hasSubstr(...)': join the elements: position(arrayStringConcat(a, ','), 'x,y') > 0.",
  ],
  [
    'SELECT roundAge(1)',
    "Unsupported function call 'roundAge(...)': use roundDown(x, [0, 18, 25, 35, 45, 55]).",
  ],
  ['SELECT L2Norm([1])', "Unsupported function call 'L2Norm(...)': use sqrt(arraySum(x -> x * x, array))."],
  ['SELECT joinGetOrNull(1)', "Unsupported function call 'joinGetOrNull(...)'."],
  [
    "SELECT to_char(timestamp, 'YYYY') FROM events",
    "The format of 'to_char' is that of formatDateTime, such as '%Y-%m-%d'",
  ],
  ["SELECT split_part(event, '-') FROM events", "Function 'split_part' takes 3 arguments, and got 2"],
  [
    'SELECT toStartOfInterval(timestamp, INTERVAL 1 HOUR, timestamp) FROM events',
    "'toStartOfInterval' takes no origin or time zone. Subtract an origin, and add it again, as in toStartOfInterval(timestamp - INTERVAL 30 MINUTE, INTERVAL 1 HOUR) + INTERVAL 30 MINUTE",
  ],
  [
    'SELECT addSeconds(timestamp, 1.5) FROM events',
    "Function 'addSeconds' takes a whole number of units, and got a number",
  ],
  ...[
    'dateAdd({variables.n}, 1, timestamp)',
    'dateAdd(event, 1, timestamp)',
    "dateSub('fortnight', 1, timestamp)",
  ].map((call) => [
    `SELECT ${call} FROM events`,
    'The unit of time has to be a constant: second, minute, hour, day, week, month, quarter, year',
  ]),
  ...[
    ['event = ANY (SELECT event FROM events)', 'ANY', 'use IN (…)'],
    ["event = any(['a'])", 'ANY', 'use IN (…)'],
    ['event != ALL (SELECT event FROM events)', 'ALL', 'use NOT IN (…)'],
    ['timestamp > ALL (SELECT timestamp FROM events)', 'ALL', 'compare with the least or the largest value'],
    ["event LIKE ANY ('a%', 'b%')", 'ANY', 'join several LIKE by OR or AND'],
  ].map(([condition, word, instead]) => [
    `SELECT 1 FROM events WHERE ${condition}`,
    `${word} (…) in a comparison is not supported: ${instead}`,
  ]),
  ['SELECT nothing_like_it() FROM events', "Unsupported function call 'nothing_like_it(...)'."],
  [
    "SELECT windowFunnel(60, 'strict_order')(timestamp, event = 'a') FROM events",
    "Function 'windowFunnel' takes 1 parameters, and got 2: 'strict_order' is not supported",
  ],
  ["SELECT count() FROM events WHERE matchesAction('buy')", 'Action "buy" does not exist'],
  [
    'SELECT minMap([event], [properties.amount]) FROM events',
    "'minMap' takes an array of keys, and one of numbers that are not NULL.",
  ],
  [
    "SELECT arrayReduce('quantile', [1]) FROM events",
    "'arrayReduce' takes 'any', 'anyLast', 'avg', 'count', 'groupArray', 'groupUniqArray', 'max', 'min', 'sum', 'uniq', 'uniqExact', and not 'quantile': aggregate the rows of arrayJoin(…)",
  ],
  ...[
    'Array(Decimal(9))',
    'Map(Int64, String)',
    'Nullable(Array(String))',
    'Tuple(a String, Int64)',
    'Tuple(a String, a Int64)',
    'Array(Array(Map(String, String)))',
    'Array(String, String)',
    'Tuple()',
    'Tuple(String',
    'Array(Array(Array(Array(Array(String)))))',
    "Tuple(a') String)",
  ].map((type) => [
    `SELECT JSONExtract(event, '${type.replace("'", "\\'")}') FROM events`,
    `'JSONExtract' gives String, Int64, Float64, Bool, Nullable of these, and Array(…), Tuple(…), Tuple(name …) and Map(String, …) of them, nested at most 4 deep, with an array of maps outside of others only, and not '${type}'.`,
  ]),
  ["SELECT toTimeZone(timestamp, 'Europe/Pari') FROM events", "There is no time zone 'Europe/Pari'"],
  ['SELECT evnt FROM events', "Unable to resolve field: evnt (did you mean 'event'?)"],
  ['SELECT e.tiemstamp FROM events e', "Unable to resolve field: e.tiemstamp (did you mean 'timestamp'?)"],
  [
    'SELECT person.propertis.a FROM events',
    "Unable to resolve field: person.propertis.a (did you mean 'properties'?)",
  ],
  [
    'SELECT count() FROM events GROUP BY day',
    'Unable to resolve field: day (no column of SELECT has this name: write … AS day there)',
  ],
  ['SELECT event AS name FROM events WHERE nmae = 1', "Unable to resolve field: nmae (did you mean 'name'?)"],
  ...[
    ['CURRENT_DATE', 'current_date()'],
    ['current_timestamp', 'current_timestamp()'],
    ['Now', 'now()'],
    ['COUNT', 'count()'],
  ].map(([name, call]) => [
    `SELECT ${name} AS value FROM events`,
    `Unable to resolve field: ${name} (did you mean ${call}?)`,
  ]),
  ['SELECT 1 FROM event', "Unknown table 'event'. Did you mean 'events'?"],
  ['WITH visits AS (SELECT 1) SELECT 1 FROM vists', "Unknown table 'vists'. Did you mean 'visits'?"],
  [
    'SELECT 1 FROM events WHERE event = "$pageview"',
    "Unable to resolve field: $pageview (double quotes are for names of fields: write '$pageview' for a text)",
  ],
  ...['day', 'last', 'First', 'year', 'timestamp'].flatMap((name) =>
    [
      `SELECT event ${name} FROM events`,
      `SELECT count() ${name}, event FROM events`,
      `SELECT 1 FROM (SELECT [1] ${name} FROM events)`,
      `SELECT (event ${name})`,
      `SELECT CASE WHEN 1 THEN 2 END ${name}`,
    ].map((sql) => [
      sql,
      `Syntax error at '${name}': the name '${name}' is a keyword, and takes AS before it.`,
    ]),
  ),
  ['SELECT count(event order) FROM events', "Syntax error at 'order': ')' is missing."],
  ['SELECT event desc FROM events', "Syntax error at 'desc'."],
  [
    'SELECT extract(month FROM timestamp) FROM events',
    "Syntax error at 'FROM': a part of a date is written as date_part('month', date) or toMonth(date).",
  ],
  ['SELECT event form events', "Syntax error at 'events'."],
  ['SELEC 1', 'Syntax error: a query begins with SELECT or WITH.'],
  ['SELECT 1; SELECT 2', "Syntax error at 'SELECT': nothing may follow the query."],
  ["SELECT 'a", 'Syntax error: the text that begins here has no closing quote.'],
  [
    'SELECT DISTINCT ON (event) event FROM events',
    'DISTINCT ON is not supported: use LIMIT 1 BY … after ORDER BY',
  ],
  ['SELECT event FROM events FORMAT JSON', 'FORMAT is not supported: results are JSON'],
  ['SELECT event FROM events LIMIT 1 FORMAT CSV;', 'FORMAT is not supported: results are JSON'],
  ["SELECT event INTO OUTFILE 'x' FROM events", 'INTO OUTFILE is not supported: the response has the rows'],
  ['SELECT event FROM events FETCH FIRST 5 ROWS ONLY', 'FETCH FIRST is not supported: use LIMIT'],
  ['SELECT event FROM events WHERE 1 FOR UPDATE', 'FOR UPDATE is not supported: queries only read'],
  [
    'SELECT event FROM events TABLESAMPLE SYSTEM (5)',
    "TABLESAMPLE SYSTEM is not supported: use a condition, such as endsWith(uuid, '0') for one event of sixteen",
  ],
  ['SELECT 1 SETTINGS max_threads = 1', 'SETTINGS is not supported: leave it out'],
  [
    'SELECT * REPLACE (1 AS event) FROM events',
    '* REPLACE is not supported: use * EXCLUDE (a), and expression AS a',
  ],
  ['INSERT INTO events VALUES (1)', 'INSERT is not supported: a query is a SELECT'],
  ['EXPLAIN SELECT 1', 'EXPLAIN is not supported: write the SELECT alone'],
  [
    'SELECT 1 FROM events UNPIVOT (a FOR b IN (c))',
    'UNPIVOT is not supported: use ARRAY JOIN [a, b] AS value',
  ],
  ['SELECT 1 FROM events NATURAL JOIN persons', 'NATURAL JOIN is not supported: use USING (…)'],
  [
    'SELECT 1 FROM (VALUES (1))',
    'VALUES is not supported: use SELECT … UNION ALL SELECT …, or arrayJoin([…])',
  ],
  [
    'SELECT 1 FROM ai_events',
    "Unknown table 'ai_events': events of AI are in 'events', such as WHERE event = '$ai_generation'",
  ],
  ['SELECT 1 FROM logs', "Unknown table 'logs': logs, traces and metrics are not captured"],
  [
    'SELECT 1 FROM posthog.ai_events',
    "Unknown table 'posthog.ai_events': events of AI are in 'events', such as WHERE event = '$ai_generation'",
  ],
  [
    'SELECT 1 FROM events AS e JOIN persons AS p ON e.distinct_id = p.pdi.distinct_id',
    'The condition of a JOIN cannot read other tables of the joined one: join person_distinct_ids itself',
  ],
  [
    'SELECT 1 FROM raw_session_replay_events',
    "Unknown table 'raw_session_replay_events': sessions are not recorded",
  ],
  [
    'SELECT 1 FROM query_log',
    "Unknown table 'query_log': runs of an endpoint are in its logs, at …/endpoints/{name}/logs",
  ],
  [
    "SELECT ngramDistance('a', 'b')",
    "Unsupported function call 'ngramDistance(...)': compare with LIKE '%part%', or on ClickHouse by editDistance(…).",
  ],
  [
    "SELECT MD5('a')",
    "Unsupported function call 'MD5(...)': there are no hashes. Ids of events and persons are random already, such as substring(uuid, -2).",
  ],
  [
    'SELECT company.properties.name FROM events',
    'Unable to resolve field: company.properties.name (a group is named by the index of its type: group_0.properties.name)',
  ],
  [
    'SELECT e.company.key FROM events AS e',
    'Unable to resolve field: e.company.key (a group is named by the index of its type: group_0.key)',
  ],
  ['SELECT TOP 5 event FROM events', 'TOP is not supported: use LIMIT at the end of the query'],
])('%s', async (sql, message) => {
  expect(await messageOf(sql)).toBe(message)
})

it.each([
  ['SELECT person.email FROM events', 'person.email (did you mean person.properties.email?)'],
  ['SELECT e.person.email.a FROM events e', 'e.person.email.a (did you mean e.person.properties.email?)'],
  ['SELECT group_0.email FROM events', 'group_0.email (did you mean group_0.properties.email?)'],
])('suggests a defined property: %s', async (sql, field) => {
  expect(await messageOf(sql, () => 'String')).toBe(`Unable to resolve field: ${field}`)
})

it('suggests names of similar length that differ in few letters', () => {
  expect(closestTo('timestmap', ['time', 'timestamp'])).toBe('timestamp')
  expect(closestTo('ab', ['abc'])).toBeUndefined()
  expect(closestTo('event', ['event'])).toBeUndefined()
  expect(closestTo('x'.repeat(61), ['x'.repeat(60)])).toBeUndefined()
})
