// Time series: by day, week and hour, with gaps filled, moving averages, running totals.
import type { CorpusQuery } from '../../corpus-query'

export const TIME_SERIES: readonly CorpusQuery[] = [
  {
    name: 'events by day',
    sql: `
      SELECT toDate(timestamp) AS day, count() AS total FROM events
      WHERE timestamp >= '2026-03-01' AND timestamp < '2026-03-08' GROUP BY day ORDER BY day`,
    ordered: true,
    columns: ['day', 'total'],
    types: ['date', 'integer'],
    rows: [
      ['2026-03-01', 3],
      ['2026-03-02', 3],
      ['2026-03-03', 4],
      ['2026-03-04', 1],
      ['2026-03-05', 2],
      ['2026-03-06', 1],
      ['2026-03-07', 2],
    ],
  },
  {
    name: 'events by start of day',
    sql: `
      SELECT toStartOfDay(timestamp) AS day, count() AS total FROM events
      WHERE timestamp >= '2026-02-20' AND timestamp < '2026-02-24' GROUP BY day ORDER BY day`,
    ordered: true,
    columns: ['day', 'total'],
    types: ['datetime', 'integer'],
    rows: [
      ['2026-02-20T00:00:00Z', 4],
      ['2026-02-21T00:00:00Z', 1],
      ['2026-02-22T00:00:00Z', 3],
      ['2026-02-23T00:00:00Z', 4],
    ],
  },
  {
    name: 'people by week',
    sql: `
      SELECT toStartOfWeek(timestamp) AS week, uniq(person_id) AS people FROM events
      WHERE timestamp >= '2026-02-15' GROUP BY week ORDER BY week`,
    ordered: true,
    columns: ['week', 'people'],
    types: ['date', 'integer'],
    rows: [
      ['2026-02-15', 4],
      ['2026-02-22', 6],
      ['2026-03-01', 6],
      ['2026-03-08', 6],
      ['2026-03-15', 7],
    ],
  },
  {
    name: 'people by week from Monday',
    sql: `
      SELECT toStartOfWeek(timestamp, 1) AS week, uniq(person_id) AS people FROM events
      WHERE timestamp >= '2026-02-16' GROUP BY week ORDER BY week`,
    ordered: true,
    columns: ['week', 'people'],
    types: ['date', 'integer'],
    rows: [
      ['2026-02-16', 5],
      ['2026-02-23', 6],
      ['2026-03-02', 5],
      ['2026-03-09', 6],
      ['2026-03-16', 6],
    ],
  },
  {
    name: 'people by month',
    sql: "SELECT dateTrunc('month', timestamp) AS month, count(DISTINCT person_id) AS people FROM events GROUP BY month ORDER BY month",
    ordered: true,
    columns: ['month', 'people'],
    types: ['date', 'integer'],
    rows: [
      ['2024-02-01', 1],
      ['2025-11-01', 1],
      ['2025-12-01', 1],
      ['2026-01-01', 2],
      ['2026-02-01', 8],
      ['2026-03-01', 10],
    ],
  },
  {
    name: 'events by hour of the day',
    sql: "SELECT toHour(timestamp) AS hour, count() AS total FROM events WHERE event = '$pageview' GROUP BY hour ORDER BY hour",
    ordered: true,
    columns: ['hour', 'total'],
    types: ['integer', 'integer'],
    rows: [
      [0, 5],
      [3, 2],
      [4, 1],
      [5, 1],
      [6, 2],
      [7, 2],
      [8, 2],
      [9, 4],
      [10, 2],
      [11, 4],
      [12, 2],
      [13, 1],
      [14, 1],
      [16, 2],
      [18, 2],
      [20, 2],
      [21, 1],
      [23, 4],
    ],
  },
  {
    name: 'events by day of the week',
    sql: 'SELECT toDayOfWeek(timestamp) AS weekday, count() AS total FROM events GROUP BY weekday ORDER BY weekday',
    ordered: true,
    columns: ['weekday', 'total'],
    types: ['integer', 'integer'],
    rows: [
      [1, 14],
      [2, 11],
      [3, 12],
      [4, 12],
      [5, 11],
      [6, 9],
      [7, 17],
    ],
  },
  {
    name: 'days without events filled with zero',
    sql: `
      SELECT days.day AS day, ifNull(counts.total, 0) AS total
      FROM (SELECT toDate('2026-03-01') + number AS day FROM numbers(7)) AS days
      LEFT JOIN (SELECT toDate(timestamp) AS day, count() AS total FROM events WHERE event = '$pageview' GROUP BY day) AS counts ON counts.day = days.day
      ORDER BY day`,
    ordered: true,
    columns: ['day', 'total'],
    types: ['date', 'integer'],
    rows: [
      ['2026-03-01', 2],
      ['2026-03-02', 1],
      ['2026-03-03', 1],
      ['2026-03-04', 1],
      ['2026-03-05', 0],
      ['2026-03-06', 0],
      ['2026-03-07', 0],
    ],
  },
  {
    name: 'days filled with arrayJoin',
    sql: `
      SELECT day, sum(total) AS total FROM (
        SELECT arrayJoin(arrayMap(n -> toDate('2026-02-20') + n, range(5))) AS day, 0 AS total
        UNION ALL
        SELECT toDate(timestamp) AS day, count() AS total FROM events WHERE event = 'purchase' AND timestamp >= '2026-02-20' AND timestamp < '2026-02-25' GROUP BY day
      ) GROUP BY day ORDER BY day`,
    ordered: true,
    columns: ['day', 'total'],
    types: ['date', 'integer'],
    rows: [
      ['2026-02-20', 1],
      ['2026-02-21', 0],
      ['2026-02-22', 0],
      ['2026-02-23', 1],
      ['2026-02-24', 0],
    ],
  },
  {
    name: 'moving average of seven days',
    sql: `
      SELECT day, total, round(avg(total) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), 3) AS mean
      FROM (SELECT toDate(timestamp) AS day, count() AS total FROM events WHERE timestamp >= '2026-03-08' GROUP BY day)
      ORDER BY day`,
    ordered: true,
    columns: ['day', 'total', 'mean'],
    types: ['date', 'integer', 'float'],
    rows: [
      ['2026-03-08', 4, 4],
      ['2026-03-09', 2, 3],
      ['2026-03-10', 2, 2.667],
      ['2026-03-11', 4, 3],
      ['2026-03-12', 1, 2.6],
      ['2026-03-13', 2, 2.5],
      ['2026-03-14', 1, 2.286],
      ['2026-03-15', 2, 2],
      ['2026-03-16', 2, 2],
      ['2026-03-17', 1, 1.857],
      ['2026-03-18', 2, 1.571],
      ['2026-03-19', 3, 1.857],
      ['2026-03-20', 3, 2],
    ],
  },
]
