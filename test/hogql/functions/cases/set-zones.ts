// Set operations of datetimes that have different time zones, and arrays side by side: rows that ClickHouse gives.
import type { QueryCase } from './case'

export const SET_ZONES: readonly QueryCase[] = [
  {
    sql: "select toString(t) as s from (select toDateTime('2026-01-01 00:00:00', 'UTC') as t union all select toDateTime('2026-01-01 00:00:00', 'Asia/Tokyo')) order by s",
    rows: [['2025-12-31 15:00:00'], ['2026-01-01 00:00:00']],
  },
  {
    sql: "select toString(t) as s from (select toDateTime('2026-01-01 00:00:00', 'Asia/Tokyo') as t union all select toDateTime('2026-01-01 00:00:00')) order by s",
    rows: [['2026-01-01 00:00:00'], ['2026-01-01 09:00:00']],
  },
  {
    sql: "select toString(t) as s from (select toDateTime('2026-01-01 00:00:00', 'Asia/Tokyo') as t union distinct select toDateTime('2025-12-31 15:00:00')) order by s",
    rows: [['2026-01-01 00:00:00']],
  },
  {
    sql: 'select a, b, c from (select [1, 2] as x, [3, 4] as y, [5, 6] as z) array join x as a, y as b, z as c order by a',
    rows: [
      [1, 3, 5],
      [2, 4, 6],
    ],
  },
]
