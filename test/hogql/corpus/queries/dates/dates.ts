// Dates and moments in UTC: truncation, weeks from Sunday and Monday, parts.
import type { CorpusQuery } from '../../corpus-query'

export const DATES: readonly CorpusQuery[] = [
  {
    name: 'starts of units',
    sql: `
      SELECT toStartOfMinute(t) AS minute, toStartOfFiveMinutes(t) AS five, toStartOfTenMinutes(t) AS ten, toStartOfFifteenMinutes(t) AS fifteen, toStartOfHour(t) AS hour, toStartOfDay(t) AS day
      FROM (SELECT toDateTime('2026-03-14 21:58:59') AS t)`,
    columns: ['minute', 'five', 'ten', 'fifteen', 'hour', 'day'],
    types: ['datetime', 'datetime', 'datetime', 'datetime', 'datetime', 'datetime'],
    rows: [
      [
        '2026-03-14T21:58:00Z',
        '2026-03-14T21:55:00Z',
        '2026-03-14T21:50:00Z',
        '2026-03-14T21:45:00Z',
        '2026-03-14T21:00:00Z',
        '2026-03-14T00:00:00Z',
      ],
    ],
  },
  {
    name: 'starts of units of days',
    sql: `
      SELECT toStartOfWeek(t) AS week, toStartOfMonth(t) AS month, toStartOfQuarter(t) AS quarter, toStartOfYear(t) AS year, toMonday(t) AS monday
      FROM (SELECT toDateTime('2026-05-14 21:58:59') AS t)`,
    columns: ['week', 'month', 'quarter', 'year', 'monday'],
    types: ['date', 'date', 'date', 'date', 'date'],
    rows: [['2026-05-10', '2026-05-01', '2026-04-01', '2026-01-01', '2026-05-11']],
  },
  {
    name: 'weeks that begin on a Sunday',
    sql: `
      SELECT toDate('2026-03-01') + number AS day, toDayOfWeek(day) AS weekday, toStartOfWeek(day) AS sunday, toStartOfWeek(day, 1) AS monday, toMonday(day) AS again
      FROM numbers(9) ORDER BY day`,
    ordered: true,
    columns: ['day', 'weekday', 'sunday', 'monday', 'again'],
    types: ['date', 'integer', 'date', 'date', 'date'],
    rows: [
      ['2026-03-01', 7, '2026-03-01', '2026-02-23', '2026-02-23'],
      ['2026-03-02', 1, '2026-03-01', '2026-03-02', '2026-03-02'],
      ['2026-03-03', 2, '2026-03-01', '2026-03-02', '2026-03-02'],
      ['2026-03-04', 3, '2026-03-01', '2026-03-02', '2026-03-02'],
      ['2026-03-05', 4, '2026-03-01', '2026-03-02', '2026-03-02'],
      ['2026-03-06', 5, '2026-03-01', '2026-03-02', '2026-03-02'],
      ['2026-03-07', 6, '2026-03-01', '2026-03-02', '2026-03-02'],
      ['2026-03-08', 7, '2026-03-08', '2026-03-02', '2026-03-02'],
      ['2026-03-09', 1, '2026-03-08', '2026-03-09', '2026-03-09'],
    ],
  },
  {
    name: 'weeks over the end of a year',
    sql: "SELECT toStartOfWeek(toDate('2026-01-01')) AS a, toStartOfWeek(toDate('2026-01-01'), 1) AS b, toStartOfWeek(toDate('2025-12-28')) AS c, toStartOfWeek(toDate('2025-12-28'), 1) AS d",
    columns: ['a', 'b', 'c', 'd'],
    types: ['date', 'date', 'date', 'date'],
    rows: [['2025-12-28', '2025-12-29', '2025-12-28', '2025-12-22']],
  },
  {
    name: 'dateTrunc',
    sql: `
      SELECT dateTrunc('hour', t) AS hour, dateTrunc('day', t) AS day, dateTrunc('week', t) AS week, dateTrunc('month', t) AS month, dateTrunc('quarter', t) AS quarter, dateTrunc('year', t) AS year
      FROM (SELECT toDateTime('2026-05-17 21:58:59') AS t)`,
    columns: ['hour', 'day', 'week', 'month', 'quarter', 'year'],
    types: ['datetime', 'datetime', 'date', 'date', 'date', 'date'],
    rows: [
      [
        '2026-05-17T21:00:00Z',
        '2026-05-17T00:00:00Z',
        '2026-05-11',
        '2026-05-01',
        '2026-04-01',
        '2026-01-01',
      ],
    ],
  },
  {
    name: 'date_trunc',
    sql: "SELECT date_trunc('week', timestamp) AS week, count() AS total FROM events WHERE timestamp >= '2026-03-01' GROUP BY week ORDER BY week",
    ordered: true,
    columns: ['week', 'total'],
    types: ['date', 'integer'],
    rows: [
      ['2026-02-23', 3],
      ['2026-03-02', 17],
      ['2026-03-09', 14],
      ['2026-03-16', 11],
    ],
  },
  {
    name: 'parts of a moment',
    sql: `
      SELECT toYear(t) AS y, toQuarter(t) AS q, toMonth(t) AS m, toDayOfMonth(t) AS d, toDayOfYear(t) AS doy, toDayOfWeek(t) AS dow, toHour(t) AS h, toMinute(t) AS min, toSecond(t) AS s
      FROM (SELECT toDateTime('2024-12-29 05:06:07') AS t)`,
    columns: ['y', 'q', 'm', 'd', 'doy', 'dow', 'h', 'min', 's'],
    types: [
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
    ],
    rows: [[2024, 4, 12, 29, 364, 7, 5, 6, 7]],
  },
  {
    name: 'numbers of months',
    sql: "SELECT toYYYYMM(t) AS a, toYYYYMMDD(t) AS b, toISOWeek(t) AS c, toISOYear(t) AS d FROM (SELECT toDateTime('2026-01-01 00:00:00') AS t)",
    columns: ['a', 'b', 'c', 'd'],
    types: ['integer', 'integer', 'integer', 'integer'],
    rows: [[202601, 20260101, 1, 2026]],
  },
  {
    name: 'now and today',
    sql: 'SELECT now() AS a, today() AS b, yesterday() AS c, toDate(now()) = today() AS d, now() - INTERVAL 1 DAY AS e',
    columns: ['a', 'b', 'c', 'd', 'e'],
    types: ['datetime', 'date', 'date', 'integer', 'datetime'],
    rows: [['2026-03-20T12:00:00Z', '2026-03-20', '2026-03-19', 1, '2026-03-19T12:00:00Z']],
  },
]
