// Time series, further: several at once, by month and quarter, the time between events.
import type { CorpusQuery } from '../../corpus-query'

export const MORE_TIME_SERIES: readonly CorpusQuery[] = [
  {
    name: 'running total of people',
    sql: `
      SELECT month, joined, sum(joined) OVER (ORDER BY month) AS total
      FROM (SELECT toStartOfMonth(created_at) AS month, count() AS joined FROM persons GROUP BY month) ORDER BY month`,
    ordered: true,
    columns: ['month', 'joined', 'total'],
    types: ['date', 'integer', 'integer'],
    rows: [
      ['2024-02-01', 1, 1],
      ['2025-11-01', 1, 2],
      ['2025-12-01', 1, 3],
      ['2026-01-01', 1, 4],
      ['2026-02-01', 4, 8],
      ['2026-03-01', 4, 12],
    ],
  },
  {
    name: 'two series side by side',
    sql: `
      SELECT toStartOfWeek(timestamp) AS week, countIf(event = 'signup') AS signups, countIf(event = 'purchase') AS purchases
      FROM events WHERE event IN ('signup', 'purchase') AND timestamp >= '2026-02-01' GROUP BY week ORDER BY week`,
    ordered: true,
    columns: ['week', 'signups', 'purchases'],
    types: ['date', 'integer', 'integer'],
    rows: [
      ['2026-02-01', 1, 0],
      ['2026-02-08', 0, 1],
      ['2026-02-15', 2, 2],
      ['2026-02-22', 1, 2],
      ['2026-03-01', 2, 5],
      ['2026-03-08', 0, 3],
      ['2026-03-15', 0, 1],
    ],
  },
  {
    name: 'new and returning people by month',
    sql: `
      SELECT toStartOfMonth(e.timestamp) AS month,
        uniqIf(e.person_id, toStartOfMonth(f.first) = toStartOfMonth(e.timestamp)) AS new,
        uniqIf(e.person_id, toStartOfMonth(f.first) < toStartOfMonth(e.timestamp)) AS returning
      FROM events AS e
      JOIN (SELECT person_id, min(timestamp) AS first FROM events GROUP BY person_id) AS f ON f.person_id = e.person_id
      GROUP BY month ORDER BY month`,
    ordered: true,
    columns: ['month', 'new', 'returning'],
    types: ['date', 'integer', 'integer'],
    rows: [
      ['2024-02-01', 1, 0],
      ['2025-11-01', 1, 0],
      ['2025-12-01', 1, 0],
      ['2026-01-01', 1, 1],
      ['2026-02-01', 5, 3],
      ['2026-03-01', 3, 7],
    ],
  },
  {
    name: 'signups by week and source',
    sql: `
      SELECT toMonday(timestamp) AS week, properties.source AS source, count() AS signups
      FROM events WHERE event = 'signup' AND timestamp >= '2026-01-01' GROUP BY week, source ORDER BY week, source`,
    ordered: true,
    columns: ['week', 'source', 'signups'],
    types: ['date', 'string', 'integer'],
    rows: [
      ['2025-12-29', 'google', 1],
      ['2026-01-26', 'friend', 1],
      ['2026-01-26', 'newsletter', 1],
      ['2026-02-16', 'ads', 1],
      ['2026-02-16', 'google', 1],
      ['2026-02-16', 'it\'s "quoted"', 1],
      ['2026-03-02', 'ads', 1],
      ['2026-03-02', 'google', 1],
    ],
  },
  {
    name: 'month by month as text',
    sql: "SELECT formatDateTime(timestamp, '%Y-%m') AS month, count() AS total FROM events GROUP BY month ORDER BY month",
    ordered: true,
    columns: ['month', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['2024-02', 2],
      ['2025-11', 3],
      ['2025-12', 1],
      ['2026-01', 4],
      ['2026-02', 31],
      ['2026-03', 45],
    ],
  },
  {
    name: 'the busiest day',
    sql: 'SELECT toDate(timestamp) AS day, count() AS total FROM events GROUP BY day ORDER BY total DESC, day LIMIT 1',
    ordered: true,
    columns: ['day', 'total'],
    types: ['date', 'integer'],
    rows: [['2026-02-20', 4]],
  },
  {
    name: 'quarters and years',
    sql: 'SELECT toStartOfQuarter(timestamp) AS quarter, toYear(timestamp) AS year, count() AS total FROM events GROUP BY quarter, year ORDER BY quarter',
    ordered: true,
    columns: ['quarter', 'year', 'total'],
    types: ['date', 'integer', 'integer'],
    rows: [
      ['2024-01-01', 2024, 2],
      ['2025-10-01', 2025, 4],
      ['2026-01-01', 2026, 80],
    ],
  },
  {
    name: 'quarters of an hour',
    sql: `
      SELECT toStartOfFifteenMinutes(timestamp) AS slot, count() AS total FROM events
      WHERE timestamp >= '2026-02-20 16:00:00' AND timestamp < '2026-02-20 17:00:00' GROUP BY slot ORDER BY slot`,
    ordered: true,
    columns: ['slot', 'total'],
    types: ['datetime', 'integer'],
    rows: [
      ['2026-02-20T16:30:00Z', 3],
      ['2026-02-20T16:45:00Z', 1],
    ],
  },
  {
    name: 'time between events of a person',
    sql: `
      SELECT distinct_id, timestamp, dateDiff('minute', lagInFrame(timestamp, 1, timestamp) OVER (PARTITION BY person_id ORDER BY timestamp), timestamp) AS minutes
      FROM events WHERE distinct_id IN ('judy', '🦊-fox') AND event = '$pageview' ORDER BY distinct_id, timestamp`,
    ordered: true,
    columns: ['distinct_id', 'timestamp', 'minutes'],
    types: ['string', 'datetime', 'integer'],
    rows: [
      ['judy', '2026-03-10T18:14:59Z', 0],
      ['judy', '2026-03-10T18:15:00Z', 1],
      ['judy', '2026-03-20T00:00:00Z', 13305],
      ['🦊-fox', '2026-02-22T00:00:00Z', 0],
      ['🦊-fox', '2026-02-22T00:00:30Z', 0],
      ['🦊-fox', '2026-03-14T21:00:00Z', 30060],
    ],
  },
]
