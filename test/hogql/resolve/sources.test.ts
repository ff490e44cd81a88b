// FROM, joins, arrays, CTEs, set operations.
import { describe, expect, it } from 'vitest'
import { refusal, written } from './resolving'

describe('FROM', () => {
  it.each([
    [
      'select e.event, p.id from events e left join persons p on p.id = e.person_id',
      `{s0.event as 'event' string, s1.id as 'id' string? from events(person_id, event) s0 left persons(id) s1 on (s1.id = s0.person_id)}`,
    ],
    [
      'select e.event, p.id from events e right join persons p on p.id = e.person_id',
      `{s0.event as 'event' string?, s1.id as 'id' string from events(person_id, event) s0 right persons(id) s1 on (s1.id = s0.person_id)}`,
    ],
    [
      'select e.event, p.id from events e full outer join persons p on p.id = e.person_id where p.id is null',
      `{s0.event as 'event' string?, s1.id as 'id' string? from events(person_id, event) s0 full persons(id) s1 on (s1.id = s0.person_id) where (s1.id is null)}`,
    ],
    [
      'select 1 from events e inner join persons p on p.id = e.person_id and p.is_identified cross join numbers(3)',
      `{1 as '1' integer from events(person_id) s0 inner persons(id, is_identified) s1 on ((s1.id = s0.person_id) and s1.is_identified) cross numbers(0, 3) s2}`,
    ],
    [
      'select distinct_id, e.event from events e full join person_distinct_ids using (distinct_id)',
      `{coalesce(s0.distinct_id, s1.distinct_id) as 'distinct_id' string?, s0.event as 'event' string? from events(distinct_id, event) s0 full person_distinct_ids(distinct_id) s1 on (s0.distinct_id = s1.distinct_id)}`,
    ],
    [
      'select a, b from (select event, count() from events group by 1) as t(a, b)',
      `{s1.c0 as 'a' string, s1.c1 as 'b' integer from {s0.event as 'event' string, count() as 'count()' integer from events(event) s0 group s0.event} s1}`,
    ],
    [
      'select number, n from numbers(2, 3), (select 1 as n)',
      `{s0.number as 'number' integer, s1.c0 as 'n' integer from numbers(2, 3) s0 cross {1 as 'n' integer} s1}`,
    ],
    ['select event from events final', `{s0.event as 'event' string from events(event) s0}`],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select 1 from events asof join persons p on 1',
      'not_supported: ASOF JOIN is not supported: join on the key and on both times, group by the left row, and use argMax(…, timestamp) @ persons p',
    ],
    [
      'select 1 from events any left join persons p on 1',
      'not_supported: ANY LEFT JOIN is not supported: join a subquery with LIMIT 1 BY key @ persons p',
    ],
    ['select 1 from events e join persons p', 'invalid_query: A JOIN needs ON or USING @ persons p'],
    [
      'select 1 from events e join persons p on count() > 1',
      'invalid_query: Aggregate functions cannot stand in ON @ on count() > 1',
    ],
    [
      'select 1 from events e join persons p using (nope)',
      'unknown_field: Unable to resolve field: nope @ nope',
    ],
    ['select 1 from nope', `unknown_table: Unknown table 'nope'. @ nope`],
    [
      'select 1 from system.tables',
      `unknown_table: Unknown table 'system.tables': tables about the database are not readable. The kind DatabaseSchemaQuery describes the tables of queries @ system.tables`,
    ],
    ['select 1 from sqlite_master', `unknown_table: Unknown table 'sqlite_master'. @ sqlite_master`],
    [
      'select 1 from generate_series(1, 2)',
      `unknown_table: Unknown table function 'generate_series'. @ generate_series(1, 2)`,
    ],
    [
      `select 1 from numbers('a')`,
      `type_mismatch: Table function 'numbers' takes integers, and got a string @ 'a'`,
    ],
    [
      'select 1 from numbers(1, 2, 3)',
      `invalid_query: Table function 'numbers' takes 1 to 2 arguments, and got 3 @ numbers(1, 2, 3)`,
    ],
    ['select 1 from {variables.s}', 'invalid_query: Unresolved placeholder: {variables.s} @ {variables.s}'],
    [
      'select event from events sample 0.1',
      "not_supported: SAMPLE is not supported: use a condition, such as endsWith(uuid, '0') for one event of sixteen @ events sample 0.1",
    ],
    [
      'select 1 from person_distinct_ids as t(a, b, c)',
      'invalid_query: 3 names for 2 columns @ person_distinct_ids as t(a, b, c)',
    ],
    [
      'select * from (select 1 as a) as t(x, y)',
      'invalid_query: 2 names for 1 columns @ (select 1 as a) as t(x, y)',
    ],
    [
      'select x from (select 1 as x) pivot (sum(x) for x in (1))',
      'not_supported: PIVOT is not supported: use countIf(…) or sumIf(…) for each column @ pivot',
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('arrayJoin', () => {
  it.each([
    [
      'select arrayJoin([1, 2]) as x, x + 1 where x > 1',
      `{s0.value as 'x' integer, (s0.value + 1) as 'x + 1' integer from elements of [1, 2] s0 where (s0.value > 1)}`,
    ],
    [
      `select event, arrayJoin(splitByChar(',', event)) as part, arrayJoin(splitByChar(',', event)) from events`,
      `{s0.event as 'event' string, s1.value as 'part' string, s1.value as 'arrayJoin(splitByChar(',', event))' string from events(event) s0 cross elements of splitByChar(",", s0.event) s1}`,
    ],
    [
      `select arrayJoin([1]), arrayJoin(['a'])`,
      `{s0.value as 'arrayJoin([1])' integer, s1.value as 'arrayJoin(['a'])' string from elements of [1] s0 cross elements of ["a"] s1}`,
    ],
    [
      `select part, count() from events array join splitByChar(',', event) as part group by part`,
      `{s1.value as 'part' string, count() as 'count()' integer from events(event) s0 cross elements of splitByChar(",", s0.event) s1 group s1.value}`,
    ],
    [
      'select n from events left array join [1] as n',
      `{s1.value as 'n' integer from events() s0 cross elements of ((length([1]) = 0) ? [0] : [1]) s1}`,
    ],
    [
      `select splitByChar(',', event) as parts, part from events array join parts as part`,
      `{splitByChar(",", s0.event) as 'parts' [string], s1.value as 'part' string from events(event) s0 cross elements of splitByChar(",", s0.event) s1}`,
    ],
    [
      'select item as list from (select [1] as list) array join list as item',
      `{s1.value as 'list' integer from {[1] as 'list' [integer]} s0 cross elements of s0.c0 s1}`,
    ],
    [
      'select arrayJoin(groupArray(event)) as e, length(e) + count() as n from events order by e',
      `{s1.value as 'e' string, (length(s1.value) + s2.c0) as 'n' integer from {count() as '' integer, groupArray(s0.event) as '' [string] from events(event) s0 aggregated} s2 cross elements of s2.c1 s1 order s1.value}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select arrayJoin(event) from events',
      'type_mismatch: arrayJoin takes an array, and got a string @ arrayJoin(event)',
    ],
    ...[
      "select arrayJoin(groupArray(event)) as e from events where e = 'a'",
      'select arrayJoin(groupArray(event)) as e from events group by e',
      "select arrayJoin(groupArray(event)) as e from events having e = 'a'",
      "select arrayJoin(groupArray(event)) as e from events qualify e = 'a'",
      'select count(arrayJoin(groupArray(event))) from events',
      'select arrayJoin(groupArray(event)), row_number() over () from events',
      'select arrayJoin(groupArray(event)) from events group by event with rollup',
    ].map((sql) => [
      sql,
      `not_supported: arrayJoin of an aggregate is only supported in SELECT and ORDER BY, without window functions, QUALIFY and GROUPING SETS: aggregate in a subquery @ ${sql}`,
    ]),
    [
      'select e from events array join groupArray(event) as e',
      'not_supported: ARRAY JOIN comes before aggregates: use arrayJoin(…), or aggregate in a subquery @ groupArray(event) as e',
    ],
    [
      'select arrayJoin(groupArray(event)), event from events',
      "invalid_query: Column 'event' is not under an aggregate function and not in GROUP BY @ event",
    ],
    [
      'select arrayJoin([max(event) over ()]) from events',
      'not_supported: arrayJoin of a window function is not supported: compute it in a subquery @ arrayJoin([max(event) over ()])',
    ],
    [
      'select 1 from events array join [1] as a, [2]',
      'syntax_error: ARRAY JOIN arrays must have an alias @ [2]',
    ],
    [
      'select 1 from events e join persons p on arrayJoin([1]) = 1',
      'not_supported: arrayJoin() is not supported here @ arrayJoin([1])',
    ],
    [
      'select arrayMap(x -> arrayJoin([x]), [1])',
      'not_supported: arrayJoin() is not supported here @ arrayJoin([x])',
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('WITH', () => {
  it.each([
    [
      'with a as (select event as e, count() as c from events group by 1), b as (select e from a where c > 1) select a.e, b.e from a join b on a.e = b.e',
      `{with cte0 {s1.event as 'e' string, count() as 'c' integer from events(event) s1 group s1.event} with cte2 {s3.c0 as 'e' string from cte0 s3 where (s3.c1 > 1)} s4.c0 as 'e' string, s5.c0 as 'e' string from cte0 s4 inner cte2 s5 on (s4.c0 = s5.c0)}`,
    ],
    ['with unused as (select 1) select 2', `{2 as '2' integer}`],
    [
      `with events as (select event from events where event = 'a') select * from events`,
      `{with cte0 {s1.event as 'event' string from events(event) s1 where (s1.event = "a")} s2.c0 as 'event' string from cte0 s2}`,
    ],
    ['with 5 as n, n + 1 as m select m, n', `{(5 + 1) as 'm' integer, 5 as 'n' integer}`],
    [
      'with (select max(timestamp) from events) as latest select event from events where timestamp = latest',
      `{s0.event as 'event' string from events(event, timestamp) s0 where (s0.timestamp = {max(s1.timestamp) as 'max(timestamp)' datetime from events(timestamp) s1 aggregated})}`,
    ],
    ['with x + 1 as x select x from (select 1 as x)', `{s0.c0 as 'x' integer from {1 as 'x' integer} s0}`],
    [
      'with a as (select 1 as x) select * from (select x from a) union all select x from a',
      `{s4.c0 as 'x' integer from {with cte0 {1 as 'x' integer} {s2.c0 as 'x' integer from {s1.c0 as 'x' integer from cte0 s1} s2} union all {s3.c0 as 'x' integer from cte0 s3}} s4}`,
    ],
    [
      'with a as (select 1 as x) select x from (with a as (select 2 as x) select x from a)',
      `{s3.c0 as 'x' integer from {with cte1 {2 as 'x' integer} s2.c0 as 'x' integer from cte1 s2} s3}`,
    ],
    [
      'with a(p, q) as (select 1, 2) select p, q from a',
      `{with cte0 {1 as '1' integer, 2 as '2' integer} s1.c0 as 'p' integer, s1.c1 as 'q' integer from cte0 s1}`,
    ],
    [
      'with a as (select 1 as x) select a.x, (select x from a) from a',
      `{with cte0 {1 as 'x' integer} s1.c0 as 'x' integer, {s2.c0 as 'x' integer from cte0 s2} as 'select x from a' integer? from cte0 s1}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'with a as (select 1), a as (select 2) select 1',
      `invalid_query: Already have a CTE named 'a' @ a as (select 2)`,
    ],
    ['with a as (select * from b), b as (select 1) select * from a', `unknown_table: Unknown table 'b'. @ b`],
    ['with a as (select 1) select a from events', 'unknown_field: Unable to resolve field: a @ a'],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('set operations', () => {
  it.each([
    [
      `select 1 as a, 'x' as b union all select 2.5, null`,
      `{s0.c0 as 'a' float, s0.c1 as 'b' string? from {{1 as 'a' integer, "x" as 'b' string} union all {2.5 as '2.5' float, null as 'null' null?}} s0}`,
    ],
    [
      `select event from events union distinct select 'b' except select 'c'`,
      `{s1.c0 as 'event' string from {{s0.event as 'event' string from events(event) s0} union distinct {"b" as ''b'' string} except {"c" as ''c'' string}} s1}`,
    ],
    [
      `select 'a' union all select 'b' intersect select 'c'`,
      `{s0.c0 as ''a'' string from {{"a" as ''a'' string} union all {{"b" as ''b'' string} intersect {"c" as ''c'' string}}} s0}`,
    ],
    [
      'select timestamp from events union all select today()',
      `{s1.c0 as 'timestamp' datetime from {{s0.timestamp as 'timestamp' datetime from events(timestamp) s0} union all {toDateTime(today) as 'today()' datetime}} s1}`,
    ],
    [
      '(select 1 limit 1) union all (select 2 order by 1 limit 2)',
      `{s0.c0 as '1' integer from {{1 as '1' integer limit 1} union all {2 as '2' integer order 2 limit 2}} s0}`,
    ],
    [
      '(select 1 union all select 2) limit 3',
      `{s0.c0 as '1' integer from {{1 as '1' integer} union all {2 as '2' integer} limit 3} s0}`,
    ],
    [
      'select a from (select 1 as a union all select 2) where a > 1',
      `{s0.c0 as 'a' integer from {{1 as 'a' integer} union all {2 as '2' integer}} s0 where (s0.c0 > 1)}`,
    ],
    [
      `select event in (select 'a' union all select 'b') from events`,
      `{(s0.event in {{"a" as ''a'' string} union all {"b" as ''b'' string}}) as 'event in (select 'a' union all select 'b')' integer from events(event) s0}`,
    ],
    [
      'select 1 union all select {variables.n}',
      `{s0.c0 as '1' float? from {{1 as '1' integer} union all {{n float?} as '{variables.n}' float?}} s0}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      `select 1 union all select 'a'`,
      `type_mismatch: There is no common type for column '1' of a set operation: an integer, a string. Convert with toString(…) or toFloat(…) @ select 1 union all select 'a'`,
    ],
    [
      "select properties.num as n from events group by n union all select 'a'",
      "type_mismatch: There is no common type for column 'n' of a set operation: a number, a string. Convert with toString(…) or toFloat(…) @ select properties.num as n from events group by n union all select 'a'",
    ],
    [
      'select properties.flag as f from events group by f union all select properties.num from events union all select today()',
      "type_mismatch: There is no common type for column 'f' of a set operation: a boolean, a number, a date @ select properties.flag as f from events group by f union all select properties.num from events union all select today()",
    ],
    [
      'select 1 union all select 1, 2',
      'invalid_query: The queries of a set operation have different numbers of columns: 1 and 2 @ select 1 union all select 1, 2',
    ],
    [
      "select [toDateTime('2026-01-01')] as t union all select [toDateTime('2026-01-01', 'Asia/Tokyo')]",
      "type_mismatch: Column 't' of a set operation has datetimes of several time zones. Convert them in each query with toTimeZone, to one zone @ select [toDateTime('2026-01-01')] as t union all select [toDateTime('2026-01-01', 'Asia/Tokyo')]",
    ],
    [
      '(select 1) union all (select 2) order by 1',
      'not_supported: ORDER BY after a set operation is not supported: select from it in a subquery @ order',
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})
