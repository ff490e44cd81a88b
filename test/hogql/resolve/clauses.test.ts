// DISTINCT, PREWHERE, ORDER BY, LIMIT.
import { describe, expect, it } from 'vitest'
import { refusal, written } from './resolving'

describe('clauses', () => {
  it.each([
    [
      'select distinct event from events order by event limit 10 offset 5',
      `{distinct s0.event as 'event' string from events(event) s0 order s0.event}`,
    ],
    [
      `select event from events prewhere event = 'a' where distinct_id = 'b'`,
      `{s0.event as 'event' string from events(event, distinct_id) s0 where ((s0.event = "a") and (s0.distinct_id = "b"))}`,
    ],
    [
      'select event from events order by timestamp desc limit 2 by event, distinct_id limit 10',
      `{s0.event as 'event' string from events(event, timestamp, distinct_id) s0 order s0.timestamp desc limit 2 offset 0 by s0.event, s0.distinct_id}`,
    ],
    [
      'select event from events limit 2 offset 1 by event',
      `{s0.event as 'event' string from events(event) s0 limit 2 offset 1 by s0.event}`,
    ],
    [
      'select event, count() from events group by all order by all desc',
      `{s0.event as 'event' string, count() as 'count()' integer from events(event) s0 group s0.event order s0.event desc, count() desc}`,
    ],
    [
      `select event from events having event = 'a'`,
      `{s0.event as 'event' string from events(event) s0 where (s0.event = "a")}`,
    ],
    ['select 1 limit 0', `{1 as '1' integer}`],
    [
      'select event from events order by event nulls last',
      `{s0.event as 'event' string from events(event) s0 order s0.event}`,
    ],
    [
      'select event from events limit 1 by 1',
      `{s0.event as 'event' string from events(event) s0 limit 1 offset 0 by s0.event}`,
    ],
    [
      'select a from (select 1 as a limit 1 + 1 offset 2 * 3)',
      `{s0.c0 as 'a' integer from {1 as 'a' integer limit 2 offset 6} s0}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    ['select 1 limit 1 / 2', 'not_supported: LIMIT takes a whole number that is a constant @ 1 / 2'],
    ['select 1 limit 1 / 0', 'not_supported: LIMIT takes a whole number that is a constant @ 1 / 0'],
    [
      'select 1 limit 9007199254740991 + 1',
      'not_supported: LIMIT takes a whole number that is a constant @ 9007199254740991 + 1',
    ],
    ['select 1 limit (select 2)', 'not_supported: LIMIT takes a whole number that is a constant @ select 2'],
    [
      'select 1 limit {variables.n}',
      'not_supported: LIMIT takes a whole number that is a constant @ {variables.n}',
    ],
    ['select 1 limit -1', 'not_supported: LIMIT takes a whole number that is a constant @ -1'],
    [`select 1 offset 'a'`, `not_supported: OFFSET takes a whole number that is a constant @ 'a'`],
    [
      'select 1 limit 1 with ties',
      'not_supported: LIMIT … WITH TIES is not supported: use QUALIFY rank() OVER (ORDER BY …) <= n @ select 1 limit 1 with ties',
    ],
    [
      'select event from events group by cube(event, distinct_id, uuid, timestamp, person_id, 1)',
      'not_supported: GROUP BY has at most 32 grouping sets, and this one 64 @ select event from events group by cube(event, distinct_id, uuid, timestamp, person_id, 1)',
    ],
    [
      'select event from events group by event with totals having count() > 1',
      'not_supported: WITH TOTALS takes keys of GROUP BY, and neither HAVING nor DISTINCT beside it @ select event from events group by event with totals having count() > 1',
    ],
    [
      'select event, row_number() over () from events group by rollup(event)',
      'not_supported: LIMIT BY, QUALIFY and window functions beside grouping sets are not supported: select from them in a subquery @ select event, row_number() over () from events group by rollup(event)',
    ],
    [
      'select event from events group by rollup(event) limit 1 by event',
      'not_supported: LIMIT BY, QUALIFY and window functions beside grouping sets are not supported: select from them in a subquery @ select event from events group by rollup(event) limit 1 by event',
    ],
    [
      'select event, grouping(event) from events group by event',
      "invalid_query: 'grouping' takes keys of GROUPING SETS, ROLLUP or CUBE @ grouping(event)",
    ],
    [
      'select event, grouping(uuid) from events group by rollup(event, lower(uuid)) order by 1',
      "invalid_query: 'grouping' takes keys of GROUPING SETS, ROLLUP or CUBE @ grouping(uuid)",
    ],
    [
      'select event from events order by event nulls first',
      'not_supported: NULLS FIRST is not supported: use ORDER BY x IS NOT NULL, x @ nulls',
    ],
    [
      `select event from events order by event collate 'x'`,
      `not_supported: COLLATE is not supported: use ORDER BY lower(x) @ collate`,
    ],
    [
      'select event from events order by event with fill',
      'not_supported: WITH FILL is not supported: LEFT JOIN the rows to the steps, such as those of numbers(…), with coalesce(…, 0) @ with',
    ],
    ['select event from events order by 2', 'invalid_query: Position 2 is not in the SELECT list @ 2'],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})
