// Dates and datetimes: constants, intervals, and differences.
import { describe, expect, it } from 'vitest'
import type { ResolveContext } from '../../../src/hogql/resolve/resolve'
import { refusal, written } from './resolving'

describe('dates', () => {
  it.each<[sql: string, expected: string, given?: Partial<ResolveContext>]>([
    [
      'select toStartOfInterval(timestamp, interval 1 day), toStartOfInterval(timestamp, interval 7 minute) from events',
      `{toStartOfDay(s0.timestamp) as 'toStartOfInterval(timestamp, interval 1 day)' datetime, toStartOfInterval(s0.timestamp, 7, "minute") as 'toStartOfInterval(timestamp, interval 7 minute)' datetime from events(timestamp) s0}`,
    ],
    [
      `select timestamp > '2026-03-01', timestamp >= '2026-03-01 10:00', timestamp < '2026-03-01T10:00:00+01:00', toDate(timestamp) = '2026-03-01', timestamp > today(), toDate(timestamp) >= now(), timestamp between '2026-03-01' and today() from events`,
      `{(s0.timestamp > datetime 2026-03-01T00:00:00.000000Z) as 'timestamp > '2026-03-01'' integer, (s0.timestamp >= datetime 2026-03-01T10:00:00.000000Z) as 'timestamp >= '2026-03-01 10:00'' integer, (s0.timestamp < datetime 2026-03-01T09:00:00.000000Z) as 'timestamp < '2026-03-01T10:00:00+01:00'' integer, (toDate(s0.timestamp) = date 2026-03-01) as 'toDate(timestamp) = '2026-03-01'' integer, (s0.timestamp > toDateTime(today)) as 'timestamp > today()' integer, (toDateTime(toDate(s0.timestamp)) >= now) as 'toDate(timestamp) >= now()' integer, ((s0.timestamp >= datetime 2026-03-01T00:00:00.000000Z) and (s0.timestamp <= toDateTime(today))) as 'timestamp between '2026-03-01' and today()' integer from events(timestamp) s0}`,
    ],
    [
      'select timestamp - interval 7 day, timestamp + interval 1 hour - interval 1 month, now() - interval 1 week, today() - 7, today() + interval 3 hour, timestamp + 60, interval 1 day + timestamp from events',
      `{(s0.timestamp >> -7 day) as 'timestamp - interval 7 day' datetime, ((s0.timestamp >> 1 hour) >> -1 month) as 'timestamp + interval 1 hour - interval 1 month' datetime, (now >> -1 week) as 'now() - interval 1 week' datetime, (today >> -7 day) as 'today() - 7' date, (toDateTime(today) >> 3 hour) as 'today() + interval 3 hour' datetime, (s0.timestamp >> 60 second) as 'timestamp + 60' datetime, (s0.timestamp >> 1 day) as 'interval 1 day + timestamp' datetime from events(timestamp) s0}`,
    ],
    [
      `select timestamp - toIntervalDay(3), timestamp - 2 * interval 1 day, timestamp - interval {variables.n} day, timestamp + (interval 1 day + interval 1 hour), timestamp - interval '3' day from events`,
      `{(s0.timestamp >> -3 day) as 'timestamp - toIntervalDay(3)' datetime, (s0.timestamp >> -2 day) as 'timestamp - 2 * interval 1 day' datetime, (s0.timestamp >> -{n integer?} day) as 'timestamp - interval {variables.n} day' datetime?, ((s0.timestamp >> 1 day) >> 1 hour) as 'timestamp + (interval 1 day + interval 1 hour)' datetime, (s0.timestamp >> -3 day) as 'timestamp - interval '3' day' datetime from events(timestamp) s0}`,
    ],
    [
      `with interval 1 day as step, '2026-01-01' as start select timestamp - step, timestamp > start from events`,
      `{(s0.timestamp >> -1 day) as 'timestamp - step' datetime, (s0.timestamp > datetime 2026-01-01T00:00:00.000000Z) as 'timestamp > start' integer from events(timestamp) s0}`,
    ],
    [
      'select timestamp - created_at, toDate(timestamp) - toDate(created_at), today() - timestamp from events',
      `{((toUnixTimestamp64Micro(s0.timestamp) - toUnixTimestamp64Micro(s0.created_at)) / 1000000) as 'timestamp - created_at' float, dateDiff("day", toDate(s0.created_at), toDate(s0.timestamp)) as 'toDate(timestamp) - toDate(created_at)' integer, ((toUnixTimestamp64Micro(toDateTime(today)) - toUnixTimestamp64Micro(s0.timestamp)) / 1000000) as 'today() - timestamp' float from events(timestamp, created_at) s0}`,
    ],
    [
      `select dateAdd('day', 3, timestamp), dateAdd(day, 3, timestamp), dateAdd(timestamp, interval 3 day), dateSub('hour', 2, timestamp), addDays(timestamp, 1), subtractMonths(toDate(timestamp), 2), date_sub('week', 1, '2026-03-01') from events`,
      `{(s0.timestamp >> 3 day) as 'dateAdd('day', 3, timestamp)' datetime, (s0.timestamp >> 3 day) as 'dateAdd(day, 3, timestamp)' datetime, (s0.timestamp >> 3 day) as 'dateAdd(timestamp, interval 3 day)' datetime, (s0.timestamp >> -2 hour) as 'dateSub('hour', 2, timestamp)' datetime, (s0.timestamp >> 1 day) as 'addDays(timestamp, 1)' datetime, (toDate(s0.timestamp) >> -2 month) as 'subtractMonths(toDate(timestamp), 2)' date, (date 2026-03-01 >> -1 week) as 'date_sub('week', 1, '2026-03-01')' date from events(timestamp) s0}`,
    ],
    [
      `select dateDiff('day', '2026-01-01', timestamp), dateDiff(hour, timestamp, now()), toStartOfMonth('2026-01-15'), toStartOfDay({variables.d}) from events`,
      `{dateDiff("day", date 2026-01-01, s0.timestamp) as 'dateDiff('day', '2026-01-01', timestamp)' integer, dateDiff("hour", s0.timestamp, now) as 'dateDiff(hour, timestamp, now())' integer, toStartOfMonth(date 2026-01-15) as 'toStartOfMonth('2026-01-15')' date, toStartOfDay({d datetime?}) as 'toStartOfDay({variables.d})' datetime? from events(timestamp) s0}`,
    ],
    [
      `select now(), today(), yesterday(), now64(3), now('UTC')`,
      `{now as 'now()' datetime, today as 'today()' date, (today >> -1 day) as 'yesterday()' date, now as 'now64(3)' datetime, toTimeZone(now, "UTC") as 'now('UTC')' datetime}`,
    ],
    [
      `select timestamp > '2026-03-01', timestamp < '2026-03-29 02:30', toDate(timestamp) = '2026-03-01T23:30:00Z' from events`,
      `{(s0.timestamp > datetime 2026-02-28T23:00:00.000000Z) as 'timestamp > '2026-03-01'' integer, (s0.timestamp < datetime 2026-03-29T01:30:00.000000Z) as 'timestamp < '2026-03-29 02:30'' integer, (toDateTime(toDate(s0.timestamp)) = datetime 2026-03-01T23:30:00.000000Z) as 'toDate(timestamp) = '2026-03-01T23:30:00Z'' integer from events(timestamp) s0}`,
      { timezone: 'Europe/Berlin' },
    ],
  ])('resolves %s', async (sql, expected, given) => {
    expect(await written(sql, given)).toBe(expected)
  })

  it.each([
    [
      'select interval 1 day',
      'type_mismatch: An interval can only be added to a date or subtracted from one @ interval 1 day',
    ],
    [
      'select now() - interval 100000 month',
      'invalid_query: An interval has at most 1000 years @ now() - interval 100000 month',
    ],
    [
      'select addSeconds(now(), -1e15)',
      'invalid_query: An interval has at most 1000 years @ addSeconds(now(), -1e15)',
    ],
    [
      'select now() + 2 * interval 600 year',
      'invalid_query: An interval has at most 1000 years @ now() + 2 * interval 600 year',
    ],
    [
      'select event + interval 1 day from events',
      'type_mismatch: An interval is added to a date or datetime, and got a string @ event + interval 1 day',
    ],
    [
      `select interval 'x' day + now()`,
      `type_mismatch: The amount of an interval is an integer, and got a string @ 'x'`,
    ],
    [
      'select interval 1 day * interval 1 day + now()',
      'type_mismatch: Two intervals cannot be multiplied @ interval 1 day * interval 1 day',
    ],
    [
      'select toWeek(timestamp, 9) from events',
      "type_mismatch: The mode of 'toWeek' has to be a constant: 0, 1 or 3. @ toWeek(timestamp, 9)",
    ],
    [
      'select toStartOfHour(timestamp, event) from events',
      "invalid_query: Function 'toStartOfHour' takes a constant as its second argument @ event",
    ],
    [
      'select toStartOfWeek(timestamp, length(event)) from events',
      "invalid_query: Function 'toStartOfWeek' takes a constant as its second argument @ length(event)",
    ],
    [
      'select toLastDayOfWeek(timestamp, length(event)) from events',
      "invalid_query: Function 'toLastDayOfWeek' takes a constant as its second argument @ toLastDayOfWeek(timestamp, length(event))",
    ],
    [
      "select formatDateTime(timestamp, '%Y', event) from events",
      "invalid_query: Function 'formatDateTime' takes a constant as its third argument @ event",
    ],
    [
      "select toDateTime(event, nullIf('UTC', 'UTC')) from events",
      "invalid_query: Function 'toDateTime' takes a constant as its second argument @ nullIf('UTC', 'UTC')",
    ],
    [
      'select toDateTime(timestamp, 3) from events',
      "type_mismatch: Function 'toDateTime' takes a string as its second argument, and got an integer @ 3",
    ],
    ['select now() + now()', 'type_mismatch: Two dates cannot be added @ now() + now()'],
    [
      `select now('Mars/Olympus')`,
      `invalid_query: There is no time zone 'Mars/Olympus' @ now('Mars/Olympus')`,
    ],
    [`select now(event) from events`, `invalid_query: Function 'now' takes a constant time zone @ event`],
    [
      `select toDateTime(event, 'Mars/Olympus') from events`,
      `type_mismatch: There is no time zone 'Mars/Olympus' @ toDateTime(event, 'Mars/Olympus')`,
    ],
    [`select today('x')`, `invalid_query: Function 'today' takes no argument, and got 1 @ today('x')`],
    [
      `select timestamp > 'yesterday' from events`,
      `type_mismatch: A datetime cannot be compared with 'yesterday' @ timestamp > 'yesterday'`,
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})
