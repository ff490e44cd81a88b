// Window functions and QUALIFY.
import { describe, expect, it } from 'vitest'
import { refusal, written } from './resolving'

describe('windows', () => {
  it.each([
    [
      'select row_number() over (partition by event order by timestamp desc), rank() over (order by timestamp), sum(properties.num) over (partition by event order by timestamp rows between unbounded preceding and current row) from events',
      `{row_number() over (by s0.event order s0.timestamp desc) as 'row_number() over (partition by event order by timestamp desc)' integer, rank() over (order s0.timestamp) as 'rank() over (order by timestamp)' integer, sum(toFloat(s0.properties->num)) over (by s0.event order s0.timestamp rows unbounded preceding to current row) as 'sum(properties.num) over (partition by event order by timestamp rows between unbounded preceding and current row)' float? from events(event, timestamp, properties) s0}`,
    ],
    [
      'select lag(event) over w, lead(event, 2) over w, first_value(event) over (order by timestamp range between 1 preceding and 2 following) from events window w as (partition by distinct_id order by timestamp)',
      `{lag(s0.event) over (by s0.distinct_id order s0.timestamp) as 'lag(event) over w' string?, lead(s0.event, 2) over (by s0.distinct_id order s0.timestamp) as 'lead(event, 2) over w' string?, first_value(s0.event) over (order toUnixTimestamp64Micro(s0.timestamp) range 1000000 preceding to 2000000 following) as 'first_value(event) over (order by timestamp range between 1 preceding and 2 following)' string from events(distinct_id, timestamp, event) s0}`,
    ],
    [
      `select countIf(event = 'a') over (partition by distinct_id), sum(count()) over (order by event rows 3 preceding), count(*) over () from events group by event, distinct_id`,
      `{count() filter (s0.event = "a") over (by s0.distinct_id) as 'countIf(event = 'a') over (partition by distinct_id)' integer, sum(count()) over (order s0.event rows 3 preceding to current row) as 'sum(count()) over (order by event rows 3 preceding)' integer, count() over () as 'count(*) over ()' integer from events(distinct_id, event) s0 group s0.event, s0.distinct_id}`,
    ],
    [
      'select event, row_number() over (partition by distinct_id order by timestamp) as n from events qualify n = 1 order by timestamp limit 3',
      `{s1.c0 as 'event' string, s1.c1 as 'n' integer from {s0.event as 'event' string, row_number() over (by s0.distinct_id order s0.timestamp) as 'n' integer, (row_number() over (by s0.distinct_id order s0.timestamp) = 1) as '' integer, s0.timestamp as '' datetime from events(event, distinct_id, timestamp) s0} s1 where s1.c2 order s1.c3}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select event from events where row_number() over () = 1',
      'invalid_query: Window functions cannot stand in WHERE: use QUALIFY @ row_number() over () = 1',
    ],
    [
      'select event from events group by event having row_number() over () = 1',
      'invalid_query: Window functions cannot stand in HAVING: use QUALIFY @ row_number() over () = 1',
    ],
    [
      'select row_number() from events',
      `invalid_query: Function 'row_number' only stands before OVER @ row_number()`,
    ],
    [
      'select lower(event) over () from events',
      `invalid_query: Function 'lower' cannot stand before OVER @ lower(event) over ()`,
    ],
    [
      `select sum(1) filter (where event = 'a') over () from events`,
      `not_supported: FILTER before OVER is not supported: use sumIf(…) @ sum(1) filter (where event = 'a')`,
    ],
    [
      'select sum(row_number() over ()) over () from events',
      `invalid_query: Window function 'sum' cannot have another one inside @ sum(row_number() over ()) over ()`,
    ],
    ...[
      'rows 1 following',
      'rows between current row and 1 preceding',
      'rows between 1 preceding and 2 preceding',
      'range between 3 following and 1 following',
      'rows unbounded following',
      'rows between 1 preceding and unbounded preceding',
    ].map((frame) => [
      `select sum(1) over (order by timestamp ${frame}) from events`,
      `invalid_query: A frame cannot end before it begins @ order by timestamp ${frame}`,
    ]),
    ...['rows 0.5 preceding', 'range between 1.5 preceding and current row'].map((frame) => [
      `select sum(1) over (order by timestamp ${frame}) from events`,
      `not_supported: The bounds of a frame are whole numbers @ order by timestamp ${frame}`,
    ]),
    ...['lag(event, -1)', 'lead(event, length(event))', 'lagInFrame(event, -2)'].map((call) => [
      `select ${call} over (order by timestamp) from events`,
      `not_supported: '${call.replace(/\(.*/, '')}' takes a constant number of rows, from 0 @ ${call} over (order by timestamp)`,
    ]),
    [
      'select lead(event) over (order by timestamp rows 1 preceding) from events',
      `not_supported: 'lead' takes no frame: leave it out, or use leadInFrame @ lead(event) over (order by timestamp rows 1 preceding)`,
    ],
    ['select sum(1) over x from events', 'unknown_field: Unknown window: x @ sum(1) over x'],
    [
      'select sum(sum(1) over ()) from events',
      `invalid_query: Aggregate function 'sum' cannot have a window function inside @ sum(sum(1) over ())`,
    ],
    [
      'select foo() over () from events',
      `unknown_function: Unsupported function call 'foo(...)'. @ foo() over ()`,
    ],
    [
      'select count() over (order by timestamp range between interval 1 day preceding and current row) from events',
      'type_mismatch: An interval can only be added to a date or subtracted from one @ interval 1 day',
    ],
    [
      'select lag(event) ignore nulls from events',
      'not_supported: IGNORE NULLS and RESPECT NULLS are not supported @ ignore',
    ],
    [
      'select uniqDistinct(event) over () from events',
      `not_supported: Function 'uniqDistinct' cannot stand before OVER @ uniqDistinct(event) over ()`,
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})
