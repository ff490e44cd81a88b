// Texts and numbers as moments: calls, and what ClickHouse gives.
import type { CallCase } from '../case'

export const MOMENTS: readonly CallCase[] = [
  ["toDateTime('2026-01-01 10:00:00')", '2026-01-01T10:00:00Z'],
  ['toDateTime(1700000000)', '2023-11-14T22:13:20Z'],
  ["toDateTime(toDate('2026-01-01'))", '2026-01-01T00:00:00Z'],
  ["toDate('2026-01-01')", '2026-01-01'],
  ["toDate(toDateTime('2026-01-01 10:00:00'))", '2026-01-01'],
  ["toDateTime(concat('2026-01-0','1T10:00:00+02:00'))", '2026-01-01T08:00:00Z'],
  ["toDateTime(concat('17000','00000'))", '2023-11-14T22:13:20Z'],
  ["toDateTime(concat('170000000','0123'))", '2023-11-14T22:13:20.123000Z'],
  ["toDateTime(concat('2026-02-3','1'))", null],
  ["toDateTime(concat('2026-01-01 1','0:00'))", '2026-01-01T10:00:00Z'],
  ["toDateTime(concat('20','x'))", null],
  ["toDateTime(concat('2026-01-01T10:00:00.123456','7Z'))", '2026-01-01T10:00:00.123456Z'],
  ["toDateTime(concat('2026-01-01T10:00:00.5','+01:00'))", '2026-01-01T09:00:00.500000Z'],
  ["toDate(concat('2026-01','-05'))", '2026-01-05'],
  ["toDate(concat('2026-01-05T23:30:00','Z'))", '2026-01-05'],
  ['fromUnixTimestamp(1700000000)', '2023-11-14T22:13:20Z'],
  ['fromUnixTimestamp64Milli(1700000000123)', '2023-11-14T22:13:20.123000Z'],
  ["toUnixTimestamp(toDateTime('2026-01-01 10:00:00'))", 1767261600],
  ["toUnixTimestamp64Milli(toDateTime('2026-01-01 10:00:00.123'))", 1767261600123],
  ["toUnixTimestamp64Micro(toDateTime('2026-01-01 10:00:00.123456'))", 1767261600123456],
  ["toUnixTimestamp(toDate('2026-01-01'))", 1767225600],
  ["toInt(toDateTime('2026-01-01 10:00:00'))", 1767261600],
  ["toFloat(toDate('2026-01-01'))", 20454],
]
