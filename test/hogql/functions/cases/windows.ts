// Functions over windows: whole queries, and the rows that ClickHouse gives.
import type { QueryCase } from './case'

export const WINDOWS: readonly QueryCase[] = [
  { sql: 'select avg(count()) over () as n from numbers(3) having 1', rows: [[3]] },
  { sql: 'select avg(count()) over () as n from numbers(3) having count() > 3', rows: [] },
  {
    sql: 'select number, groupArray(2)(number) over (order by number) from numbers(4) order by number',
    rows: [
      [0, [0]],
      [1, [0, 1]],
      [2, [0, 1]],
      [3, [0, 1]],
    ],
  },
  {
    sql: "select lagInFrame(toDateTime(number), 1, toDateTime('1970-01-01 00:00:00', 'UTC')) over (order by number), leadInFrame(toDateTime(number), 1, toDateTime64('2020-01-01 00:00:00', 3, 'UTC')) over (order by number rows between unbounded preceding and unbounded following), lagInFrame(number = 0, 1, true) over (order by number), lagInFrame(number, 1, nullIf(1, 1)) over (order by number) from numbers(2) order by number",
    rows: [
      ['1970-01-01T00:00:00Z', '1970-01-01T00:00:01Z', 1, null],
      ['1970-01-01T00:00:00Z', '2020-01-01T00:00:00Z', 1, 0],
    ],
  },
  {
    sql: 'select number, lag(number) over (order by number), lead(number) over (order by number), lagInFrame(number) over (order by number), leadInFrame(number) over (order by number), leadInFrame(number) over (order by number rows between unbounded preceding and unbounded following), lagInFrame(number, 1, 99) over (order by number), row_number() over (order by number desc), sum(number) over (order by number), avg(number) over (order by number rows between 1 preceding and 1 following) from numbers(4) order by number',
    rows: [
      [0, null, 1, 0, 0, 1, 99, 4, 0, 0.5],
      [1, 0, 2, 0, 0, 2, 0, 3, 1, 1],
      [2, 1, 3, 1, 0, 3, 1, 2, 3, 2],
      [3, 2, null, 2, 0, 0, 2, 1, 6, 2.5],
    ],
  },
  {
    sql: 'select x, rank() over (order by x), dense_rank() over (order by x), percent_rank() over (order by x), cume_dist() over (order by x), ntile(2) over (order by x), first_value(x) over (order by x desc), last_value(x) over (order by x rows between unbounded preceding and unbounded following), nth_value(x, 2) over (order by x), count() over (), max(x) over (partition by x % 2), groupArray(x) over (order by x) from (select arrayJoin([1,2,2,3]) as x) order by x',
    rows: [
      [1, 1, 1, 0, 0.25, 1, 3, 3, 0, 4, 3, [1]],
      [2, 2, 2, 0.3333333333333333, 0.75, 1, 3, 3, 2, 4, 2, [1, 2, 2]],
      [2, 2, 2, 0.3333333333333333, 0.75, 2, 3, 3, 2, 4, 2, [1, 2, 2]],
      [3, 4, 3, 1, 1, 2, 3, 3, 2, 4, 3, [1, 2, 2, 3]],
    ],
  },
  {
    sql: 'select x, ntile(2) over (order by x), nth_value(x, 2) over (order by x), first_value(x) over (order by x desc) from (select arrayJoin([1,2,2,3]) as x) order by x',
    rows: [
      [1, 1, 0, 3],
      [2, 1, 2, 3],
      [2, 2, 2, 3],
      [3, 2, 2, 3],
    ],
  },
  {
    sql: 'select x, first_value(nullIf(x, 1)) over (order by x), last_value(nullIf(x, 3)) over (order by x), nth_value(nullIf(x, 1), 1) over (order by x), nth_value(toString(x), 2) over (order by x rows between 1 preceding and current row) from (select arrayJoin([1,2,3]) as x) order by x',
    rows: [
      [1, null, 1, null, ''],
      [2, 2, 2, null, '2'],
      [3, 2, 2, null, '3'],
    ],
  },
  {
    sql: 'select x, any(-x) over (order by x), anyLast(-x) over (order by x), any(nullIf(x, 3)) over (order by x desc), anyLastIf(x, x < 3) over (order by x), anyIf(x, x > 1) over (order by x) from (select arrayJoin([1,2,3]) as x) order by x',
    rows: [
      [1, -1, -1, 2, 1, 0],
      [2, -1, -2, 2, 2, 2],
      [3, -1, -3, null, 2, 2],
    ],
  },
  {
    sql: "select x, row_number() over (order by x) as n, ifNull(first_value(nullIf(x, 1)) over (order by x rows between 1 preceding and current row), 0) + n, concat(last_value(nullIf(toString(x), '3')) over (partition by x % 2 order by x), '!') from (select arrayJoin([1,2,3]) as x) order by x desc",
    rows: [
      [3, 3, 5, '1!'],
      [2, 2, 4, '2!'],
      [1, 1, 1, '1!'],
    ],
  },
  {
    sql: 'select x % 2 as g, first_value(nullIf(count(), 1)) over (order by x % 2), first_value([count()]) over (order by x % 2) from (select arrayJoin([1,2,3]) as x) group by g order by g',
    rows: [
      [0, null, [1]],
      [1, 2, [1]],
    ],
  },
]

/** Windows that only ClickHouse computes. */
export const WINDOWS_OF_CLICKHOUSE: readonly QueryCase[] = [
  {
    sql: 'select number, median(number) over (order by number), quantile(0.25)(number) over (), quantileExactLow(0.5)(number) over (order by number rows between 1 preceding and current row), quantiles(0, 0.5)(number) over (partition by number % 2) from numbers(4) order by number',
    rows: [
      [0, 0, 0.75, 0, [0, 1]],
      [1, 0.5, 0.75, 0, [1, 2]],
      [2, 1, 0.75, 1, [0, 1]],
      [3, 1.5, 0.75, 2, [1, 2]],
    ],
  },
]
