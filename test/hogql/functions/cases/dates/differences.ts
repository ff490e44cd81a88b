// How far moments are apart: calls, and what ClickHouse gives.
import type { CallCase } from '../case'

export const DIFFERENCES: readonly CallCase[] = [
  ["dateDiff('day', toDateTime('2026-01-01 23:00:00'), toDateTime('2026-01-02 01:00:00'))", 1],
  ["dateDiff('week', toDate('2026-01-04'), toDate('2026-01-05'))", 1],
  ["dateDiff('week', toDate('2026-01-03'), toDate('2026-01-04'))", 0],
  ["dateDiff('month', toDate('2026-01-31'), toDate('2026-02-01'))", 1],
  ["dateDiff('hour', toDateTime('2026-01-01 23:59:00'), toDateTime('2026-01-02 00:01:00'))", 1],
  ["7 - dateDiff('hour', toDateTime('2026-01-01 12:00:00'), toDateTime('2026-01-01 17:00:00')) * 2", -3],
  [
    "dateDiff('hour', toTimeZone(toDateTime('2026-03-01 00:00:00'), 'America/New_York'), toDateTime('2026-03-01 02:00:00'))",
    2,
  ],
  [
    "dateDiff('hour', toTimeZone(toDateTime('2026-03-01 00:10:00'), 'Asia/Kolkata'), toDateTime('2026-03-01 01:10:00'))",
    1,
  ],
  [
    "dateDiff('hour', toDateTime('2026-03-01 01:10:00'), toTimeZone(toDateTime('2026-03-01 00:40:00'), 'Asia/Kolkata'))",
    0,
  ],
  ["dateDiff('year', toDate('2023-12-31'), toDate('2024-01-01'))", 1],
  ["dateDiff('quarter', toDate('2023-12-31'), toDate('2024-01-01'))", 1],
  ["dateDiff('second', toDateTime('2026-01-01 00:00:00.9'), toDateTime('2026-01-01 00:00:01.1'))", 1],
  ["dateDiff('minute', toDateTime('2026-01-01 00:00:59'), toDateTime('2026-01-01 00:01:01'))", 1],
  ["dateDiff('day', toDateTime('2026-01-02 01:00:00'), toDateTime('2026-01-01 23:00:00'))", -1],
  ["age('day', toDateTime('2026-01-01 23:00:00'), toDateTime('2026-01-02 01:00:00'))", 0],
  ["age('month', toDate('2026-01-31'), toDate('2026-02-28'))", 0],
  ["age('year', toDate('2020-02-29'), toDate('2021-02-28'))", 0],
  ["age('week', toDate('2026-01-01'), toDate('2026-01-14'))", 1],
  ["age('month', toDateTime('2026-03-15 10:00:00'), toDateTime('2026-01-15 11:00:00'))", -1],
  ["age('hour', toDateTime('2026-01-01 00:30:00'), toDateTime('2026-01-01 02:00:00'))", 1],
  ["age('quarter', toDate('2026-01-31'), toDate('2026-07-30'))", 1],
  ["age('second', toDateTime('2026-01-01 00:00:00'), toDateTime('2026-01-01 00:00:10'))", 10],
  ["timeDiff(toDateTime('2026-01-01 00:00:00'), toDateTime('2026-01-01 00:00:10'))", 10],
  ["dateDiff('day', toDate('2026-01-01'), toDateTime('2026-01-02 00:00:00'))", 1],
  ["age('minute', toDateTime('2026-01-01 00:02:00'), toDateTime('2026-01-01 00:00:30'))", -1],
]
