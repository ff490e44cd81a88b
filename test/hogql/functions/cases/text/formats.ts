// Moments as text: calls, and what ClickHouse gives.
import type { CallCase } from '../case'

export const FORMATS: readonly CallCase[] = [
  [
    "formatDateTime(toDateTime('2026-01-05 13:04:09'), '%Y|%m|%d|%H|%M|%S|%i|%s|%y|%C|%e|%h|%l|%k|%I|%p')",
    '2026|01|05|13|January|09|04|09|26|20|5|01|01|13|01|PM',
  ],
  [
    "formatDateTime(toDateTime('2026-01-05 13:04:09.25'), '%f|%F|%T|%R|%r|%D|%a|%b|%W|%c|%j|%u|%w|%V|%G|%g|%Q|%%|%n|%t')",
    '250000|2026-01-05|13:04:09|13:04|01:04 PM|01/05/26|Mon|Jan|Monday|01|005|1|1|02|2026|26|1|%|\n|\t',
  ],
  ["formatDateTime(toDate('2026-01-05'), '%F %a')", '2026-01-05 Mon'],
  ["formatDateTime(toDateTime('2026-01-11 00:04:09'), '%u %w %I %p %l')", '7 0 12 AM 12'],
  ["formatDateTime(toDateTime('2026-01-11 00:04:09'), 'T%Y')", 'T2026'],
  ["formatDateTime(toDateTime('2026-01-11 00:04:09'), '%Y', 'Asia/Tokyo')", '2026'],
  ["formatDateTime(toDateTime('2025-12-31 20:00:00'), '%F %T', 'Asia/Tokyo')", '2026-01-01 05:00:00'],
]
