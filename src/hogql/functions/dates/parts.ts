// Parts of dates and times as numbers or names.
import { reject } from '../../error'
import type { Literal } from '../../ir'
import { clickhouseSecondsOf } from '../conversions'
import { fn } from '../define'
import { argument, type Returns, unlessNull } from '../return-types'
import { INTEGER } from '../../types'
import type { ScalarFunction, Site, SqliteSite } from '../spec'
import { momentOf, secondsOf, wallOf } from '../sqlite-values'
import { clickhouseMoment, zoneAmong, zoneText } from './parse'

/** Returns SQL of a number at a fixed position of a local datetime. */
export const digitsOf = (wall: string, start: number, length: number): string =>
  `CAST(substr(${wall}, ${start}, ${length}) AS INTEGER)`

const formatted = (format: string) => (wall: string) =>
  `CAST(strftime('${format}', substr(${wall}, 1, 10)) AS INTEGER)`

const at = (start: number, length: number) => (wall: string) => digitsOf(wall, start, length)

export const quarterOf = (wall: string): string => `((${digitsOf(wall, 6, 2)} + 2) / 3)`

export const dayOfWeek = formatted('%u')

const digits = (length: number) => (wall: string) =>
  `CAST(substr(replace(replace(replace(${wall}, '-', ''), 'T', ''), ':', '') || '000000', 1, ${length}) AS INTEGER)`

/** Checks the mode when a call is resolved, because both engines have to compute it. */
const weekType: Returns = (args, constants) =>
  args.length < 2 || [0, 1, 3].includes(Number(constants[1] ?? NaN))
    ? unlessNull(INTEGER)(args, constants)
    : reject(null, "The mode of 'toWeek' has to be a constant: 0, 1 or 3.")

/** The week of the year in ClickHouse's modes: 0 counts from the first Sunday, 1 from the week with four days, 3 as ISO 8601 does. */
function weekOf(wall: string, mode: Literal): string {
  switch (mode) {
    case 0:
      return formatted('%U')(wall)
    case 1:
      return `CAST((strftime('%j', substr(${wall}, 1, 10)) - strftime('%u', substr(${wall}, 1, 10)) + 10) / 7 AS INTEGER)`
    default:
      return formatted('%V')(wall)
  }
}

const clickhouseDatetime = (value: string, site: Site): string =>
  clickhouseMoment(value, argument(site.types, 0), zoneText(site))

/** Returns SQL of the local datetime in the zone that the call names, or in the project's. */
const wallIn = (value: string, site: SqliteSite): string =>
  wallOf(value, argument(site.types, 0), { zone: zoneAmong(site.constants, site) })

function part(names: string, write: (wall: string) => string): ScalarFunction {
  const [name = ''] = names.split(' ')
  return fn(names, 'temporal, string?', 'integer', (site, value) => write(wallIn(value, site)), {
    constantFrom: 1,
    clickhouse: (site, value, ...zone) => `${name}(${[clickhouseDatetime(value, site), ...zone].join(', ')})`,
  })
}

const sinceEpoch = (
  name: string,
  write: (datetime: string) => string,
  clickhouse = (datetime: string) => `${name}(${datetime})`,
): ScalarFunction =>
  fn(name, 'temporal', 'integer', (site, value) => write(momentOf(value, argument(site.types, 0), site)), {
    clickhouse: (site, value) => clickhouse(clickhouseDatetime(value, site)),
  })

/** Returns SQL of the name at an index, which starts at 1. */
export const nameAt = (index: string, names: readonly string[]): string =>
  `CASE ${index} ${names.map((name, place) => `WHEN ${place + 1} THEN '${name}'`).join(' ')} END`

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export const PARTS: readonly ScalarFunction[] = [
  part('toYear year', at(1, 4)),
  part('toQuarter quarter', quarterOf),
  part('toMonth month', at(6, 2)),
  part('toDayOfMonth day dayOfMonth', at(9, 2)),
  part('toDayOfYear dayOfYear', formatted('%j')),
  part('toDayOfWeek dayOfWeek', dayOfWeek),
  part('toHour hour', at(12, 2)),
  part('toMinute minute', at(15, 2)),
  part('toSecond second', at(18, 2)),
  part('toISOWeek', formatted('%V')),
  part('toISOYear', formatted('%G')),
  part('toYYYYMM', digits(6)),
  part('toYYYYMMDD', digits(8)),
  part('toYYYYMMDDhhmmss', digits(14)),
  fn('monthName', 'temporal', 'string', (site, value) => nameAt(at(6, 2)(wallIn(value, site)), MONTHS), {
    clickhouse: (site, value) => `monthName(${clickhouseDatetime(value, site)})`,
  }),
  fn(
    'toWeek week',
    'temporal, integer?',
    weekType,
    (site, value) => weekOf(wallIn(value, site), site.constants[1] ?? 0),
    // ClickHouse requires the mode to be a literal.
    {
      constantFrom: 1,
      clickhouse: ({ constants: [, mode = 0] }, value) => `toWeek(${value}, ${String(mode)})`,
    },
  ),
  sinceEpoch('toUnixTimestamp', secondsOf, clickhouseSecondsOf),
  sinceEpoch(
    'toUnixTimestamp64Milli',
    (utc) => `(${secondsOf(utc)} * 1000 + CAST(substr(${utc}, 21, 3) AS INTEGER))`,
  ),
  sinceEpoch(
    'toUnixTimestamp64Micro',
    (utc) => `(${secondsOf(utc)} * 1000000 + CAST(substr(${utc}, 21, 6) AS INTEGER))`,
  ),
]
