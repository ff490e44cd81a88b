// GROUPING SETS, ROLLUP, CUBE and WITH TOTALS: rows that ClickHouse gives.
import type { QueryCase } from './case'

export const GROUPING_SETS: readonly QueryCase[] = [
  {
    sql: 'select number % 2 as a, number % 3 as b, count() as n from numbers(5) group by grouping sets ((a), (a, b), ()) order by a, b, n',
    rows: [
      [0, 0, 1],
      [0, 0, 3],
      [0, 0, 5],
      [0, 1, 1],
      [0, 2, 1],
      [1, 0, 1],
      [1, 0, 2],
      [1, 1, 1],
    ],
  },
  {
    sql: 'select toString(number % 2) as a, count(), grouping(a) from numbers(5) group by a with rollup order by a',
    rows: [
      ['', 5, 1],
      ['0', 3, 0],
      ['1', 2, 0],
    ],
  },
  {
    sql: 'select nullIf(number % 2, 5) as a, count(), a + 10 from numbers(3) group by rollup(a) order by 1',
    rows: [
      [0, 2, 10],
      [1, 1, 11],
      [null, 3, null],
    ],
  },
  {
    sql: 'select number % 2 as a, count() from numbers(4) where number > 9 group by rollup(a)',
    rows: [],
  },
  {
    sql: 'select number % 2 as a, number % 3 as b, sum(number), grouping(a, b) as g from numbers(6) group by cube(a, b) having count() > 1 order by g, a, b',
    rows: [
      [0, 0, 6, 1],
      [1, 0, 9, 1],
      [0, 0, 3, 2],
      [0, 1, 5, 2],
      [0, 2, 7, 2],
      [0, 0, 15, 3],
    ],
  },
  {
    sql: 'select number % 2 as a, count() from numbers(5) group by a with totals order by a desc',
    rows: [
      [1, 2],
      [0, 3],
      [0, 5],
    ],
  },
]
