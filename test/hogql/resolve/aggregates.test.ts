// Aggregates, GROUP BY, HAVING.
import { describe, expect, it } from 'vitest'
import { refusal, written } from './resolving'

describe('aggregates', () => {
  it.each([
    [
      'select count(), count(*), count(event), count(distinct event), countDistinct(event), uniq(event, distinct_id) from events',
      `{count() as 'count()' integer, count() as 'count(*)' integer, count(s0.event) as 'count(event)' integer, count(distinct s0.event) as 'count(distinct event)' integer, uniqExact(s0.event) as 'countDistinct(event)' integer, uniq(s0.event, s0.distinct_id) as 'uniq(event, distinct_id)' integer from events(event, distinct_id) s0 aggregated}`,
    ],
    [
      `select countIf(event = 'a'), sumIf(properties.n, event = 'a'), uniqIf(event, timestamp > now()), avgIf(properties.num, properties.flag), argMaxIf(event, timestamp, event = 'a'), quantileIf(0.5)(properties.num, 1) from events`,
      `{count() filter (s0.event = "a") as 'countIf(event = 'a')' integer, sum(toFloat(s0.properties->n)) filter (s0.event = "a") as 'sumIf(properties.n, event = 'a')' float?, uniq(s0.event) filter (s0.timestamp > now) as 'uniqIf(event, timestamp > now())' integer, avg(toFloat(s0.properties->num)) filter toBool(s0.properties->flag) as 'avgIf(properties.num, properties.flag)' float?, argMax(s0.event, s0.timestamp) filter (s0.event = "a") as 'argMaxIf(event, timestamp, event = 'a')' string, quantile(0.5)(toFloat(s0.properties->num)) filter 1 as 'quantileIf(0.5)(properties.num, 1)' float? from events(event, properties, timestamp) s0 aggregated}`,
    ],
    [
      `select count() filter (where event = 'a'), sumIf(1, event = 'a') filter (where event = 'b') from events`,
      `{count() filter (s0.event = "a") as 'count() filter (where event = 'a')' integer, sum(1) filter ((s0.event = "a") and (s0.event = "b")) as 'sumIf(1, event = 'a') filter (where event = 'b')' integer from events(event) s0 aggregated}`,
    ],
    [
      'select sumOrNull(1), avgOrDefault(properties.num), sumDistinct(1), sum(distinct 1), countIfOrNull(1) from events',
      `{((count(1) != 0) ? sum(1) : null) as 'sumOrNull(1)' integer?, ((count(toFloat(s0.properties->num)) != 0) ? avg(toFloat(s0.properties->num)) : null) as 'avgOrDefault(properties.num)' float?, sum(distinct 1) as 'sumDistinct(1)' integer, sum(distinct 1) as 'sum(distinct 1)' integer, ((count() filter 1 != 0) ? count() filter 1 : null) as 'countIfOrNull(1)' integer? from events(properties) s0 aggregated}`,
    ],
    [
      'select quantile(0.9)(properties.num), median(properties.num), topK(3)(event), groupArray(event), groupUniqArray(5)(event) from events',
      `{quantile(0.9)(toFloat(s0.properties->num)) as 'quantile(0.9)(properties.num)' float?, median(toFloat(s0.properties->num)) as 'median(properties.num)' float?, topK(3)(s0.event) as 'topK(3)(event)' [string], groupArray(s0.event) as 'groupArray(event)' [string], groupUniqArray(5)(s0.event) as 'groupUniqArray(5)(event)' [string] from events(properties, event) s0 aggregated}`,
    ],
    [
      `select event, count() / 2, count() * 100 / sum(1) from events group by event having count() > 1 and event != 'a'`,
      `{s0.event as 'event' string, (count() / 2) as 'count() / 2' float, ((count() * 100) / sum(1)) as 'count() * 100 / sum(1)' float from events(event) s0 group s0.event having ((count() > 1) and (s0.event != "a"))}`,
    ],
    ['select median(0.5)(1)', `{median(0.5)(1) as 'median(0.5)(1)' float aggregated}`],
    [
      'select upper(event) from events group by event',
      `{upper(s0.event) as 'upper(event)' string from events(event) s0 group s0.event}`,
    ],
    [
      'select e from (select event e, count() from events group by 1) group by e',
      `{s1.c0 as 'e' string from {s0.event as 'e' string, count() as 'count()' integer from events(event) s0 group s0.event} s1 group s1.c0}`,
    ],
    [
      'select lower(event) as l, count() from events group by l order by l, count() desc',
      `{lower(s0.event) as 'l' string, count() as 'count()' integer from events(event) s0 group lower(s0.event) order lower(s0.event), count() desc}`,
    ],
    [
      'select toStartOfDay(timestamp) as day, count() from events group by day order by day',
      `{toStartOfDay(s0.timestamp) as 'day' datetime, count() as 'count()' integer from events(timestamp) s0 group toStartOfDay(s0.timestamp) order toStartOfDay(s0.timestamp)}`,
    ],
    [
      'select arrayMap(x -> x + 1, groupArray(1)), (select max(timestamp) from events) from events',
      `{arrayMap(e1 -> (e1 + 1), groupArray(1)) as 'arrayMap(x -> x + 1, groupArray(1))' [integer], {max(s2.timestamp) as 'max(timestamp)' datetime from events(timestamp) s2 aggregated} as 'select max(timestamp) from events' datetime? from events() s0 aggregated}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select event, timestamp, count() from events group by event',
      `invalid_query: Column 'timestamp' is not under an aggregate function and not in GROUP BY @ timestamp`,
    ],
    [
      'select event from events having count() > 1',
      `invalid_query: Column 'event' is not under an aggregate function and not in GROUP BY @ event`,
    ],
    [
      'select properties.a, count() from events group by properties.b',
      `invalid_query: Column 'properties.a' is not under an aggregate function and not in GROUP BY @ properties.a`,
    ],
    [
      'select count(), * from events',
      `invalid_query: Column 'uuid' is not under an aggregate function and not in GROUP BY @ *`,
    ],
    [
      'select event, count() from events group by 3',
      'invalid_query: Position 3 is not in the SELECT list @ 3',
    ],
    [
      'select count() from events where count() > 1',
      'invalid_query: Aggregate functions cannot stand in WHERE: use HAVING, or math_hogql of an insight @ count() > 1',
    ],
    [
      'select count() as c from events where c > 1',
      'invalid_query: Aggregate functions cannot stand in WHERE: use HAVING, or math_hogql of an insight @ c > 1',
    ],
    [
      'select sum(count()) from events',
      `invalid_query: Aggregate function 'sum' cannot have another one inside @ sum(count())`,
    ],
    [
      'select count() from events group by count()',
      'invalid_query: Aggregate functions cannot stand in GROUP BY @ count()',
    ],
    [
      'select count(distinct *) from events',
      "invalid_query: DISTINCT in 'count' takes the values to tell apart, such as count(DISTINCT person_id) @ count(distinct *)",
    ],
    [
      "select countIf(distinct event = 'a') from events",
      "invalid_query: DISTINCT in 'countIf' takes the values to tell apart, such as count(DISTINCT person_id) @ countIf(distinct event = 'a')",
    ],
    [
      'select quantile(0.5)(distinct properties.num) from events',
      "not_supported: DISTINCT in 'quantile' is not supported @ quantile(0.5)(distinct properties.num)",
    ],
    [
      'select arrayMin([1], [2]) from events',
      "invalid_query: Function 'arrayMin' takes 1 argument, and got 2 @ arrayMin([1], [2])",
    ],
    [
      'select lower(distinct event) from events',
      `invalid_query: 'lower' is not an aggregate function and takes no DISTINCT @ lower(distinct event)`,
    ],
    [
      'select quantile(1 / 0)(1) from events',
      `invalid_query: The parameters of 'quantile' are constants @ 1 / 0`,
    ],
    [
      'select quantile(event)(1) from events',
      `invalid_query: The parameters of 'quantile' are constants @ event`,
    ],
    [
      'select quantile(0.5, 0.6)(1)',
      `invalid_query: Function 'quantile' takes 0 to 1 parameters, and got 2 @ quantile(0.5, 0.6)(1)`,
    ],
    [
      'select groupArray(event order by timestamp) from events',
      `not_supported: ORDER BY inside 'groupArray' is not supported @ groupArray(event order by timestamp)`,
    ],
    [
      'select sumMap(event) from events',
      `type_mismatch: 'sumMap' takes a map, or two arrays, and got a string @ sumMap(event)`,
    ],
    [
      'select medianState(1) from events',
      `unknown_function: Unsupported function call 'medianState(...)'. @ medianState(1)`,
    ],
    [
      'select uniqMerge(event) from events',
      `type_mismatch: 'uniqMerge' takes a column of uniqState(…), and got String @ uniqMerge(event)`,
    ],
    [
      'select uniqState(event) as u from events',
      `not_supported: Column 'u' is a state: read it with …Merge(…) in a query around it @ select uniqState(event) as u from events`,
    ],
    [
      'select toString(u) from (select uniqState(event) as u from events)',
      `type_mismatch: Function 'toString' takes no state: read it with …Merge(…) @ u`,
    ],
    [
      'select [uniqState(event)] as list from events',
      `not_supported: Column 'list' is a state: read it with …Merge(…) in a query around it @ select [uniqState(event)] as list from events`,
    ],
    [
      'select (uniqState(event), 1) as pair from events',
      `not_supported: Column 'pair' is a state: read it with …Merge(…) in a query around it @ select (uniqState(event), 1) as pair from events`,
    ],
    [
      'select sumMerge(u) from (select uniqState(event) as u from events)',
      `type_mismatch: 'sumMerge' takes a column of sumState(…), and got Tuple(Int64) @ sumMerge(u)`,
    ],
    [
      'select uniqStateOrNull(event) from events',
      `not_supported: 'uniqStateOrNull' is not supported: -OrNull and -OrDefault have no state @ uniqStateOrNull(event)`,
    ],
    [
      'select sumArray(event) from events',
      `type_mismatch: Function 'sumArray' takes an array as its first argument, and got a string @ event`,
    ],
    [
      'select corrArray([1]) from events',
      `unknown_function: Unsupported function call 'corrArray(...)'. @ corrArray([1])`,
    ],
    [
      'select countIf() from events',
      `invalid_query: Function 'countIf' takes a condition as its last argument @ countIf()`,
    ],
    ...['count(1, 2)', 'count(1, 2) over ()'].map((call): [string, string] => [
      `select ${call} from events`,
      `invalid_query: Function 'count' takes at most 1 argument, and got 2 @ ${call}`,
    ]),
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})
