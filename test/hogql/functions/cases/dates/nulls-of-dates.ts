// NULL for each argument of the functions of dates: calls, and what ClickHouse gives.
import type { CallCase } from '../case'

export const NULLS_OF_DATES: readonly CallCase[] = [
  ["toDateTime(nullIf('2026-01-01 10:00:00', '2026-01-01 10:00:00'))", null],
  ["toDate(nullIf('2026-01-01', '2026-01-01'))", null],
  ['fromUnixTimestamp(nullIf(1700000000, 1700000000))', null],
  ['fromUnixTimestamp64Milli(nullIf(1700000000123, 1700000000123))', null],
  ["toUnixTimestamp(nullIf(toDateTime('2026-01-01 10:00:00'), toDateTime('2026-01-01 10:00:00')))", null],
  [
    "toUnixTimestamp64Milli(nullIf(toDateTime('2026-01-01 10:00:00.123'), toDateTime('2026-01-01 10:00:00.123')))",
    null,
  ],
  [
    "toUnixTimestamp64Micro(nullIf(toDateTime('2026-01-01 10:00:00.123456'), toDateTime('2026-01-01 10:00:00.123456')))",
    null,
  ],
  ["toYear(nullIf(toDate('2026-03-05'), toDate('2026-03-05')))", null],
  ["toQuarter(nullIf(toDate('2026-05-05'), toDate('2026-05-05')))", null],
  ["toMonth(nullIf(toDate('2026-05-05'), toDate('2026-05-05')))", null],
  ["toDayOfMonth(nullIf(toDate('2026-05-05'), toDate('2026-05-05')))", null],
  ["toDayOfYear(nullIf(toDate('2026-05-05'), toDate('2026-05-05')))", null],
  ["toDayOfWeek(nullIf(toDate('2026-05-10'), toDate('2026-05-10')))", null],
  ["toISOWeek(nullIf(toDate('2024-12-30'), toDate('2024-12-30')))", null],
  ["toISOYear(nullIf(toDate('2024-12-30'), toDate('2024-12-30')))", null],
  ["toWeek(nullIf(toDate('2026-01-07'), toDate('2026-01-07')))", null],
  ["toWeek(nullIf(toDate('2026-01-07'), toDate('2026-01-07')), 1)", null],
  ["toYYYYMM(nullIf(toDate('2026-05-05'), toDate('2026-05-05')))", null],
  ["toYYYYMMDD(nullIf(toDate('2026-05-05'), toDate('2026-05-05')))", null],
  ["toYYYYMMDDhhmmss(nullIf(toDateTime('2026-05-05 01:02:03'), toDateTime('2026-05-05 01:02:03')))", null],
  ["toHour(nullIf(toDateTime('2026-05-05 01:02:03'), toDateTime('2026-05-05 01:02:03')))", null],
  ["toMinute(nullIf(toDateTime('2026-05-05 01:02:03'), toDateTime('2026-05-05 01:02:03')))", null],
  ["toSecond(nullIf(toDateTime('2026-05-05 01:02:03'), toDateTime('2026-05-05 01:02:03')))", null],
  ["monthName(nullIf(toDateTime('2026-05-05 01:02:03'), toDateTime('2026-05-05 01:02:03')))", null],
  ["toLastDayOfMonth(nullIf(toDate('2026-02-05'), toDate('2026-02-05')))", null],
  ["toStartOfSecond(nullIf(toDateTime('2026-05-05 01:02:03.5'), toDateTime('2026-05-05 01:02:03.5')))", null],
  ["toStartOfMinute(nullIf(toDateTime('2026-05-05 01:02:03'), toDateTime('2026-05-05 01:02:03')))", null],
  [
    "toStartOfFiveMinutes(nullIf(toDateTime('2026-05-05 01:07:03'), toDateTime('2026-05-05 01:07:03')))",
    null,
  ],
  ["toStartOfTenMinutes(nullIf(toDateTime('2026-05-05 01:17:03'), toDateTime('2026-05-05 01:17:03')))", null],
  [
    "toStartOfFifteenMinutes(nullIf(toDateTime('2026-05-05 01:47:03'), toDateTime('2026-05-05 01:47:03')))",
    null,
  ],
  ["toStartOfHour(nullIf(toDateTime('2026-05-05 01:02:03'), toDateTime('2026-05-05 01:02:03')))", null],
  ["toStartOfDay(nullIf(toDateTime('2026-05-05 01:02:03'), toDateTime('2026-05-05 01:02:03')))", null],
  ["toMonday(nullIf(toDate('2026-05-10'), toDate('2026-05-10')))", null],
  ["toStartOfWeek(nullIf(toDate('2026-05-10'), toDate('2026-05-10')))", null],
  ["toStartOfWeek(nullIf(toDateTime('2026-05-10 01:00:00'), toDateTime('2026-05-10 01:00:00')), 1)", null],
  ["toStartOfMonth(nullIf(toDateTime('2026-05-10 01:00:00'), toDateTime('2026-05-10 01:00:00')))", null],
  ["toStartOfQuarter(nullIf(toDateTime('2026-05-10 01:00:00'), toDateTime('2026-05-10 01:00:00')))", null],
  ["toStartOfYear(nullIf(toDateTime('2026-05-10 01:00:00'), toDateTime('2026-05-10 01:00:00')))", null],
  ["dateTrunc('day', nullIf(toDateTime('2026-05-10 01:00:00'), toDateTime('2026-05-10 01:00:00')))", null],
  ["date_trunc('month', nullIf(toDate('2026-05-10'), toDate('2026-05-10')))", null],
  [
    "toStartOfInterval(nullIf(toDateTime('2026-05-05 13:04:09'), toDateTime('2026-05-05 13:04:09')), interval 9 month)",
    null,
  ],
  [
    "dateDiff('day', nullIf(toDateTime('2026-01-01 23:00:00'), toDateTime('2026-01-01 23:00:00')), toDateTime('2026-01-02 01:00:00'))",
    null,
  ],
  [
    "dateDiff('day', toDateTime('2026-01-01 23:00:00'), nullIf(toDateTime('2026-01-02 01:00:00'), toDateTime('2026-01-02 01:00:00')))",
    null,
  ],
  [
    "age('day', nullIf(toDateTime('2026-01-01 23:00:00'), toDateTime('2026-01-01 23:00:00')), toDateTime('2026-01-02 01:00:00'))",
    null,
  ],
  [
    "age('day', toDateTime('2026-01-01 23:00:00'), nullIf(toDateTime('2026-01-02 01:00:00'), toDateTime('2026-01-02 01:00:00')))",
    null,
  ],
  [
    "timeDiff(nullIf(toDateTime('2026-01-01 00:00:00'), toDateTime('2026-01-01 00:00:00')), toDateTime('2026-01-01 00:00:10'))",
    null,
  ],
  [
    "timeDiff(toDateTime('2026-01-01 00:00:00'), nullIf(toDateTime('2026-01-01 00:00:10'), toDateTime('2026-01-01 00:00:10')))",
    null,
  ],
  [
    "formatDateTime(nullIf(toDateTime('2026-01-05 13:04:09'), toDateTime('2026-01-05 13:04:09')), '%Y|%m|%d|%H|%M|%S|%i|%s|%y|%C|%e|%h|%l|%k|%I|%p')",
    null,
  ],
  [
    "formatDateTime(nullIf(toDateTime('2026-01-11 00:04:09'), toDateTime('2026-01-11 00:04:09')), '%Y', 'Asia/Tokyo')",
    null,
  ],
  [
    "toDate(nullIf(toDateTime('2026-01-01 20:00:00'), toDateTime('2026-01-01 20:00:00')), 'Asia/Tokyo')",
    null,
  ],
  [
    "toHour(nullIf(toDateTime('2026-01-01 20:00:00'), toDateTime('2026-01-01 20:00:00')), 'Asia/Tokyo')",
    null,
  ],
  [
    "toStartOfDay(nullIf(toDateTime('2026-01-01 20:00:00'), toDateTime('2026-01-01 20:00:00')), 'Asia/Tokyo')",
    null,
  ],
  ["toDateTime(nullIf('2026-01-01 20:00:00', '2026-01-01 20:00:00'), 'Asia/Tokyo')", null],
  [
    "toStartOfMonth(nullIf(toDateTime('2026-01-31 20:00:00'), toDateTime('2026-01-31 20:00:00')), 'Asia/Tokyo')",
    null,
  ],
  [
    "toStartOfWeek(nullIf(toDateTime('2026-01-31 20:00:00'), toDateTime('2026-01-31 20:00:00')), 1, 'Asia/Tokyo')",
    null,
  ],
  [
    "dateTrunc('day', nullIf(toDateTime('2026-01-31 20:00:00'), toDateTime('2026-01-31 20:00:00')), 'Asia/Tokyo')",
    null,
  ],
  [
    "toMonday(nullIf(toDateTime('2026-01-31 20:00:00'), toDateTime('2026-01-31 20:00:00')), 'Asia/Tokyo')",
    null,
  ],
  [
    "toStartOfHour(nullIf(toDateTime('2026-01-31 20:00:00'), toDateTime('2026-01-31 20:00:00')), 'Asia/Tokyo')",
    null,
  ],
]
