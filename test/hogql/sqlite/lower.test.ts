// What each pass makes of a query for SQLite, in the notation of resolved queries.
import { expect, it } from 'vitest'
import { lower } from '../../../src/hogql/sqlite/lower'
import { writeQuery } from '../resolve/notation'
import { resolved } from '../resolve/resolving'

const lowered = async (sql: string, isUtc = true) => writeQuery(lower((await resolved(sql)).query, isUtc))

it.each([
  [
    'leaves aggregates under operators in one SELECT',
    'SELECT event, count() * 2 AS n FROM events GROUP BY event',
    "{s0.event as 'event' string, (count() * 2) as 'n' integer from events(event) s0 group s0.event}",
  ],
  [
    'computes with aggregates around their groups, and leaves those of subqueries alone',
    'SELECT round(count(), 2) AS n, (SELECT count() FROM persons) AS p FROM events HAVING count() > 1',
    "{round(s4.c0, 2) as 'n' integer, {count() as 'count()' integer from persons() s1 aggregated} as 'p' integer? " +
      "from {count() as '' integer from events() s0 aggregated} s4 where (s4.c0 > 1)}",
  ],
  [
    'puts rows in order for a quantile',
    'SELECT event, median(toInt(distinct_id)) AS m FROM events GROUP BY event',
    "{s2.c0 as 'event' string, median(s2.c1) as 'm' float? from {s1.c0 as '' string, s1.c1 as '' integer?, " +
      "row_number() over (by s1.c0, (s1.c1 is not null) order s1.c1) as '' integer, " +
      "count() over (by s1.c0, (s1.c1 is not null)) as '' integer " +
      "from {s0.event as '' string, toInt(s0.distinct_id) as '' integer? from events(event, distinct_id) s0} s1} s2 group s2.c0}",
  ],
  [
    'reads properties before it groups by them',
    'SELECT properties.a, argMax(event, timestamp) AS e FROM events GROUP BY properties.a',
    "{s1.c0 as 'a' string?, argMax(s1.c1, s1.c2) as 'e' string from {s0.properties->a as '' string?, s0.event as '' string, " +
      "s0.timestamp as '' datetime from events(properties, event, timestamp) s0} s1 group s1.c0}",
  ],
  [
    'computes once what an aggregate reads several times',
    'SELECT corr(length(event), length(uuid)) AS c FROM events',
    "{corr(s1.c0, s1.c1) as 'c' float from {length(s0.event) as '' integer, length(s0.uuid) as '' integer " +
      'from events(event, uuid) s0} s1 aggregated}',
  ],
  [
    'computes once what several aggregates read',
    'SELECT uniq(length(event)) AS n FROM events HAVING n > 1',
    "{uniq(s1.c0) as 'n' integer from {length(s0.event) as '' integer from events(event) s0} s1 aggregated having (uniq(s1.c0) > 1)}",
  ],
  [
    'gathers all values before it keeps some that differ',
    'SELECT groupUniqArray(3)(event) AS t FROM events',
    "{groupUniqArray(s2.c0, 3) as 't' [string] from {groupUniqArray(3)(s0.event) as '' [string] from events(event) s0 aggregated} s2}",
  ],
  [
    'numbers rows before it gathers the first',
    'SELECT groupArray(3)(event) AS t FROM events',
    "{groupArray(s3.c0, 3) as 't' [string] from {groupArray(3)(s2.c0) as '' [string] from {s1.c0 as '' string, row_number() over () as '' integer from {s0.event as '' string from events(event) s0} s1} s2 aggregated} s3}",
  ],
  [
    'counts each value before topK gathers them',
    'SELECT topK(3)(event) AS t FROM events',
    "{topK(s3.c0, 3) as 't' [string] from {topK(3)(s2.c0) as '' [(string, integer)] from {s1.c0 as '' string, row_number() over (by s1.c0) as '' integer, count() over (by s1.c0) as '' integer from {s0.event as '' string from events(event) s0} s1} s2 aggregated} s3}",
  ],
  [
    'has an aggregate in a SELECT of one row',
    'SELECT 1 FROM events HAVING count() > 0',
    "{((count() >= 0) ? 1 : null) as '1' integer from events() s0 aggregated having (count() > 0)}",
  ],
  [
    'calls functions with window functions in a SELECT around',
    'SELECT event, toString(row_number() OVER (ORDER BY event)) AS n FROM events ORDER BY n',
    "{s1.c0 as 'event' string, toString(s1.c1) as 'n' string from {s0.event as '' string, " +
      "row_number() over (order s0.event) as '' integer from events(event) s0} s1 order toString(s1.c1)}",
  ],
  [
    'numbers rows for LIMIT BY',
    'SELECT event FROM events ORDER BY timestamp LIMIT 2 OFFSET 1 BY event',
    "{s1.c0 as 'event' string from {s0.event as 'event' string, s0.timestamp as '' datetime, " +
      "row_number() over (by s0.event order s0.timestamp) as '' integer from events(event, timestamp) s0} s1 " +
      'where ((s1.c2 > 1) and (s1.c2 <= 3)) order s1.c1}',
  ],
  [
    'numbers distinct rows for LIMIT BY',
    'SELECT DISTINCT event FROM events ORDER BY event LIMIT 1 BY event',
    "{s2.c0 as 'event' string from {s1.c0 as 'event' string, row_number() over (by s1.c0 order s1.c0) as '' integer " +
      "from {distinct s0.event as 'event' string from events(event) s0} s1} s2 " +
      'where ((s2.c1 > 0) and (s2.c1 <= 1)) order s2.c0}',
  ],
  [
    'tells equal rows apart for INTERSECT',
    'SELECT 1 INTERSECT SELECT 2',
    "{s0.c0 as '1' integer from {{s3.c0 as '1' integer from {{s2.c0 as '1' integer, row_number() over (by s2.c0) as '' integer from {{1 as '1' integer}} s2} " +
      "intersect distinct {s1.c0 as '2' integer, row_number() over (by s1.c0) as '' integer from {2 as '2' integer} s1}} s3}} s0}",
  ],
  [
    'puts at most five terms into one set operation',
    'SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6',
    "{s0.c0 as '1' integer from {{{1 as '1' integer} union all {2 as '2' integer} union all {3 as '3' integer} " +
      "union all {4 as '4' integer} union all {5 as '5' integer}} union all {6 as '6' integer}} s0}",
  ],
])('%s', async (_, sql, expected) => {
  expect(await lowered(sql)).toBe(expected)
})

it('groups by the day in a time zone, and computes its start once a group', async () => {
  const sql = 'SELECT toStartOfDay(timestamp) AS day, count() AS n FROM events GROUP BY day ORDER BY day'
  expect(await lowered(sql, false)).toBe(
    "{toStartOfDay(s2.c0) as 'day' datetime, s2.c1 as 'n' integer from {toDate(s0.timestamp) as '' date, count() as '' integer " +
      'from events(timestamp) s0 group toDate(s0.timestamp)} s2 order toStartOfDay(s2.c0)}',
  )
})
