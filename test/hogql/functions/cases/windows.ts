// Functions over windows: whole queries, and the rows that ClickHouse gives.
import type { QueryCase } from './case'

export const WINDOWS: readonly QueryCase[] = [
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
      [1, 1, 1, 0, 0.25, 1, 3, 3, null, 4, 3, [1]],
      [2, 2, 2, 0.3333333333333333, 0.75, 1, 3, 3, 2, 4, 2, [1, 2, 2]],
      [2, 2, 2, 0.3333333333333333, 0.75, 2, 3, 3, 2, 4, 2, [1, 2, 2]],
      [3, 4, 3, 1, 1, 2, 3, 3, 2, 4, 3, [1, 2, 2, 3]],
    ],
  },
  {
    sql: 'select x, ntile(2) over (order by x), nth_value(x, 2) over (order by x), first_value(x) over (order by x desc) from (select arrayJoin([1,2,2,3]) as x) order by x',
    rows: [
      [1, 1, null, 3],
      [2, 1, 2, 3],
      [2, 2, 2, 3],
      [3, 2, 2, 3],
    ],
  },
]
