// Moments moved by units and compared: months that are shorter, differences, formats, text in comparisons.
import type { CorpusQuery } from '../../corpus-query'

export const DATE_ARITHMETIC: readonly CorpusQuery[] = [
  {
    name: 'a difference of datetimes has its fraction',
    sql: `
      SELECT b - a AS forward, a - b AS back, b - toDate('2026-02-28') AS day, toDate('2026-03-02') - toDate('2026-02-28') AS days
      FROM (SELECT toDateTime('2026-02-28 00:00:00.25') AS a, toDateTime('2026-02-28 00:00:01') AS b)`,
    columns: ['forward', 'back', 'day', 'days'],
    types: ['float', 'float', 'float', 'integer'],
    rows: [[0.75, -0.75, 1, 2]],
  },
  {
    name: 'toDateTime of a datetime, and the scale of toDateTime64, cut the fraction',
    sql: `
      SELECT toDateTime(t) AS seconds, toDateTime64(t, 3) AS thousandths, toDateTime64(t, 0) AS whole, toDateTime64(t, 6) AS all,
        toDateTime64(1772621977.25, 3) AS number, parseDateTime64BestEffort('2026-02-28 00:00:00.5678', 2) AS parsed, countIf(toDateTime(t) = '2026-02-28 00:00:00') AS same
      FROM (SELECT toDateTime('2026-02-28 00:00:00.123456') AS t) GROUP BY t`,
    columns: ['seconds', 'thousandths', 'whole', 'all', 'number', 'parsed', 'same'],
    types: ['datetime', 'datetime', 'datetime', 'datetime', 'datetime', 'datetime', 'integer'],
    rows: [
      [
        '2026-02-28T00:00:00Z',
        '2026-02-28T00:00:00.123000Z',
        '2026-02-28T00:00:00Z',
        '2026-02-28T00:00:00.123456Z',
        '2026-03-04T10:59:37.250000Z',
        '2026-02-28T00:00:00.560000Z',
        1,
      ],
    ],
  },
  {
    name: 'seconds since 1970 of a datetime before it',
    sql: `SELECT toUnixTimestamp(t) AS a, toInt(t) AS b, toUnixTimestamp(t - INTERVAL 2 SECOND) AS c
      FROM (SELECT toDateTime('1969-12-31 23:59:59.5') AS t)`,
    columns: ['a', 'b', 'c'],
    types: ['integer', 'integer', 'integer'],
    rows: [[-1, -1, -3]],
  },
  {
    name: 'intervals',
    sql: `
      SELECT t + INTERVAL 1 SECOND AS a, t + INTERVAL 90 MINUTE AS b, t - INTERVAL 36 HOUR AS c, t + INTERVAL 1 DAY AS d, t - INTERVAL 2 WEEK AS e
      FROM (SELECT toDateTime('2026-02-28 23:30:00') AS t)`,
    columns: ['a', 'b', 'c', 'd', 'e'],
    types: ['datetime', 'datetime', 'datetime', 'datetime', 'datetime'],
    rows: [
      [
        '2026-02-28T23:30:01Z',
        '2026-03-01T01:00:00Z',
        '2026-02-27T11:30:00Z',
        '2026-03-01T23:30:00Z',
        '2026-02-14T23:30:00Z',
      ],
    ],
  },
  {
    name: 'intervals of months',
    sql: `
      SELECT t + INTERVAL 1 MONTH AS a, t - INTERVAL 1 MONTH AS b, t + INTERVAL 1 QUARTER AS c, t - INTERVAL 1 YEAR AS d, t + INTERVAL 13 MONTH AS e
      FROM (SELECT toDateTime('2026-03-31 10:00:00') AS t)`,
    columns: ['a', 'b', 'c', 'd', 'e'],
    types: ['datetime', 'datetime', 'datetime', 'datetime', 'datetime'],
    rows: [
      [
        '2026-04-30T10:00:00Z',
        '2026-02-28T10:00:00Z',
        '2026-06-30T10:00:00Z',
        '2025-03-31T10:00:00Z',
        '2027-04-30T10:00:00Z',
      ],
    ],
  },
  {
    name: 'the last day of a month stays in the month',
    sql: "SELECT toDate('2026-01-31') + INTERVAL 1 MONTH AS a, toDate('2024-01-31') + INTERVAL 1 MONTH AS b, toDate('2024-02-29') + INTERVAL 1 YEAR AS c, addMonths(toDate('2026-05-31'), 1) AS d, subtractMonths(toDate('2026-03-31'), 1) AS e",
    columns: ['a', 'b', 'c', 'd', 'e'],
    types: ['date', 'date', 'date', 'date', 'date'],
    rows: [['2026-02-28', '2024-02-29', '2025-02-28', '2026-06-30', '2026-02-28']],
  },
  {
    name: 'dates plus days',
    sql: "SELECT toDate('2026-02-27') + 2 AS a, toDate('2026-03-01') - 1 AS b, toDate('2024-02-28') + INTERVAL 1 DAY AS c, addDays(toDate('2025-12-31'), 1) AS d, toDate('2026-03-20') - INTERVAL 2 WEEK AS e",
    columns: ['a', 'b', 'c', 'd', 'e'],
    types: ['date', 'date', 'date', 'date', 'date'],
    rows: [['2026-03-01', '2026-02-28', '2024-02-29', '2026-01-01', '2026-03-06']],
  },
  {
    name: 'adding units',
    sql: "SELECT addHours(t, 5) AS a, addMinutes(t, 10) AS b, addWeeks(t, 1) AS c, addYears(t, 1) AS d, subtractDays(t, 1) AS e, addQuarters(t, 1) AS f FROM (SELECT toDateTime('2024-02-29 12:00:00') AS t)",
    columns: ['a', 'b', 'c', 'd', 'e', 'f'],
    types: ['datetime', 'datetime', 'datetime', 'datetime', 'datetime', 'datetime'],
    rows: [
      [
        '2024-02-29T17:00:00Z',
        '2024-02-29T12:10:00Z',
        '2024-03-07T12:00:00Z',
        '2025-02-28T12:00:00Z',
        '2024-02-28T12:00:00Z',
        '2024-05-29T12:00:00Z',
      ],
    ],
  },
  {
    name: 'toInterval',
    sql: "SELECT t + toIntervalDay(3) AS a, t - toIntervalMonth(1) AS b, t + toIntervalHour(number) AS c FROM (SELECT toDateTime('2026-03-01 00:00:00') AS t, number FROM numbers(2)) ORDER BY c",
    ordered: true,
    columns: ['a', 'b', 'c'],
    types: ['datetime', 'datetime', 'datetime'],
    rows: [
      ['2026-03-04T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
      ['2026-03-04T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T01:00:00Z'],
    ],
  },
  {
    name: 'differences count boundaries',
    sql: `
      SELECT dateDiff('day', a, b) AS days, dateDiff('hour', a, b) AS hours, dateDiff('minute', a, b) AS minutes, dateDiff('second', a, b) AS seconds, dateDiff('week', a, b) AS weeks, dateDiff('month', a, b) AS months, dateDiff('year', a, b) AS years, dateDiff('day', b, a) AS back
      FROM (SELECT toDateTime('2025-12-31 23:59:59') AS a, toDateTime('2026-01-01 00:00:01') AS b)`,
    columns: ['days', 'hours', 'minutes', 'seconds', 'weeks', 'months', 'years', 'back'],
    types: ['integer', 'integer', 'integer', 'integer', 'integer', 'integer', 'integer', 'integer'],
    rows: [[1, 1, 1, 2, 0, 1, 1, -1]],
  },
  {
    name: 'differences of dates',
    sql: "SELECT dateDiff('day', toDate('2024-02-28'), toDate('2024-03-01')) AS a, dateDiff('week', toDate('2026-03-07'), toDate('2026-03-08')) AS b, dateDiff('week', toDate('2026-03-08'), toDate('2026-03-09')) AS c, dateDiff('month', toDate('2026-01-31'), toDate('2026-02-01')) AS d, dateDiff('quarter', toDate('2025-12-31'), toDate('2026-01-01')) AS e",
    columns: ['a', 'b', 'c', 'd', 'e'],
    types: ['integer', 'integer', 'integer', 'integer', 'integer'],
    rows: [[2, 0, 1, 1, 1]],
  },
  {
    name: 'formats',
    sql: `
      SELECT formatDateTime(t, '%Y-%m-%d') AS a, formatDateTime(t, '%d/%m/%y %H:%i:%S') AS b, formatDateTime(t, '%j %u %e') AS c, formatDateTime(t, '%F %T') AS d, formatDateTime(t, '100%%') AS e, formatDateTime(t, '%I %p') AS f
      FROM (SELECT toDateTime('2026-03-05 15:04:05') AS t)`,
    columns: ['a', 'b', 'c', 'd', 'e', 'f'],
    types: ['string', 'string', 'string', 'string', 'string', 'string'],
    rows: [['2026-03-05', '05/03/26 15:04:05', '064 4 5', '2026-03-05 15:04:05', '100%', '03 PM']],
  },
  {
    name: 'names in formats',
    sql: "SELECT formatDateTime(t, '%b %a') AS a, formatDateTime(t, '%W, %M') AS b FROM (SELECT toDateTime('2026-03-05 15:04:05') AS t)",
    columns: ['a', 'b'],
    types: ['string', 'string'],
    rows: [['Mar Thu', 'Thursday, March']],
  },
  {
    name: 'unix time',
    sql: "SELECT toUnixTimestamp(toDateTime('2026-03-20 12:00:00')) AS a, toDateTime(1774008000) AS b, fromUnixTimestamp(0) AS c",
    columns: ['a', 'b', 'c'],
    types: ['integer', 'datetime', 'datetime'],
    rows: [[1774008000, '2026-03-20T12:00:00Z', '1970-01-01T00:00:00Z']],
  },
  {
    name: 'text compared with a moment',
    sql: "SELECT count() AS total FROM events WHERE timestamp >= '2026-03-01 00:00:00' AND timestamp <= '2026-03-01T12:00:00Z'",
    columns: ['total'],
    types: ['integer'],
    rows: [[2]],
  },
  {
    name: 'text compared with a date',
    sql: "SELECT count() AS total FROM events WHERE toDate(timestamp) = '2026-03-01' OR toDate(timestamp) = '2024-02-29'",
    columns: ['total'],
    types: ['integer'],
    rows: [[5]],
  },
  {
    name: 'between two moments',
    sql: "SELECT event, timestamp FROM events WHERE timestamp BETWEEN '2026-03-05 17:00:00' AND '2026-03-06 18:00:00' ORDER BY timestamp, event",
    ordered: true,
    columns: ['event', 'timestamp'],
    types: ['string', 'datetime'],
    rows: [
      ['Purchase', '2026-03-05T17:00:00Z'],
      ['purchase', '2026-03-05T17:00:00Z'],
      ['purchase', '2026-03-06T18:00:00Z'],
    ],
  },
  {
    name: 'a list of dates',
    sql: "SELECT count() AS total FROM events WHERE toDate(timestamp) IN ('2026-03-01', '2026-03-08')",
    columns: ['total'],
    types: ['integer'],
    rows: [[7]],
  },
  {
    name: 'fractions are kept',
    sql: "SELECT timestamp, created_at FROM events WHERE timestamp > '2026-03-13' AND timestamp < '2026-03-14' OR distinct_id = 'n-2' ORDER BY timestamp",
    ordered: true,
    columns: ['timestamp', 'created_at'],
    types: ['datetime', 'datetime'],
    rows: [
      ['2024-02-29T23:59:59.999999Z', '2024-02-29T23:59:59.999999Z'],
      ['2026-03-13T11:11:11.111111Z', '2026-03-13T11:11:11.999999Z'],
      ['2026-03-13T11:41:11.111111Z', '2026-03-13T11:41:11.999999Z'],
    ],
  },
  {
    name: 'the first and the last moment',
    sql: "SELECT min(timestamp) AS first, max(timestamp) AS last, dateDiff('day', first, last) AS days FROM events",
    columns: ['first', 'last', 'days'],
    types: ['datetime', 'datetime', 'integer'],
    rows: [['2024-02-29T12:00:00Z', '2026-03-20T13:00:00Z', 750]],
  },
  {
    name: 'the last microsecond of a leap day',
    sql: "SELECT toDate(timestamp) AS day, toStartOfMonth(timestamp) AS month, addYears(timestamp, 1) AS later FROM events WHERE distinct_id = 'n-2'",
    columns: ['day', 'month', 'later'],
    types: ['date', 'date', 'datetime'],
    rows: [['2024-02-29', '2024-02-01', '2025-02-28T23:59:59.999999Z']],
  },
  {
    name: 'the end of a month',
    sql: "SELECT toLastDayOfMonth(toDate('2024-02-10')) AS a, toLastDayOfMonth(toDate('2026-02-10')) AS b",
    columns: ['a', 'b'],
    types: ['date', 'date'],
    rows: [['2024-02-29', '2026-02-28']],
  },
  {
    name: 'greatest of moments',
    sql: "SELECT greatest(toDate('2026-01-01'), toDate('2026-02-01')) AS a, least(toDateTime('2026-01-01 00:00:00'), toDateTime('2025-01-01 00:00:00')) AS b",
    columns: ['a', 'b'],
    types: ['date', 'datetime'],
    rows: [['2026-02-01', '2025-01-01T00:00:00Z']],
  },
  {
    name: 'the last thirty days, day by day',
    sql: 'SELECT toDate(timestamp) AS day, count() AS total FROM events WHERE timestamp >= today() - 7 AND timestamp < today() GROUP BY day ORDER BY day',
    ordered: true,
    columns: ['day', 'total'],
    types: ['date', 'integer'],
    rows: [
      ['2026-03-13', 2],
      ['2026-03-14', 1],
      ['2026-03-15', 2],
      ['2026-03-16', 2],
      ['2026-03-17', 1],
      ['2026-03-18', 2],
      ['2026-03-19', 3],
    ],
  },
  {
    name: 'this month so far',
    sql: 'SELECT count() AS total, uniq(person_id) AS people FROM events WHERE timestamp >= toStartOfMonth(now()) AND timestamp <= now()',
    columns: ['total', 'people'],
    types: ['integer', 'integer'],
    rows: [[44, 10]],
  },
]
