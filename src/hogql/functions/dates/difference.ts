// How far two moments are apart.
import { INTEGER, type Type, type Unit } from '../../types'
import { argument, unlessNull } from '../returns'
import type { ScalarFunction, SqliteSite } from '../spec'
import { dayOf, momentOf, secondsOf, wallOf } from '../sqlite-values'
import { digitsOf, quarterOf } from './parts'
import { unitOf } from './units'

/** A moment, with its own time zone: one that is the same for all rows is moved in another way. */
interface Moment extends Pick<SqliteSite, 'zone'> {
  sql: string
  type: Type
}

/** The number of the unit that a moment lies in, counted from some moment on. */
function ordinal({ sql, type, zone }: Moment, unit: Unit, { once }: SqliteSite): string {
  const site = { zone, once }
  const day = () => dayOf(sql, type, site)
  switch (unit) {
    case 'second':
      return secondsOf(momentOf(sql, type, site))
    case 'minute':
      return `${secondsOf(momentOf(sql, type, site))} / 60`
    case 'hour': {
      const moment = momentOf(sql, type, site)
      return site.zone.wholeHours
        ? `${secondsOf(moment)} / 3600`
        : `${secondsOf(site.zone.toLocal(moment))} / 3600`
    }
    case 'day':
      return `unixepoch(${day()}) / 86400`
    // The first day of 1970 was a Thursday; weeks begin on Monday.
    case 'week':
      return `(unixepoch(${day()}) / 86400 + 3) / 7`
    case 'month':
      return site.once(
        wallOf(sql, type, site),
        (wall) => `${digitsOf(wall, 1, 4)} * 12 + ${digitsOf(wall, 6, 2)}`,
      )
    case 'quarter':
      return site.once(wallOf(sql, type, site), (wall) => `${digitsOf(wall, 1, 4)} * 4 + ${quarterOf(wall)}`)
    case 'year':
      return digitsOf(wallOf(sql, type, site), 1, 4)
  }
}

/** Boundaries of the unit that lie between. */
function boundaries(from: Moment, to: Moment, unit: Unit, site: SqliteSite): string {
  return `((${ordinal(to, unit, site)}) - (${ordinal(from, unit, site)}))`
}

const SECONDS: Partial<Record<Unit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
}
const MONTHS: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 }

/** Whole units that have gone by, towards zero. */
function elapsed(from: Moment, to: Moment, unit: Unit, site: SqliteSite): string {
  const [start, end] = [from, to].map((at) =>
    wallOf(momentOf(at.sql, at.type, at), { kind: 'datetime', nullable: false }, at),
  )
  const seconds = SECONDS[unit]
  if (seconds !== undefined) return `((${secondsOf(String(end))} - ${secondsOf(String(start))}) / ${seconds})`
  const months = (wall: string) => `(${digitsOf(wall, 1, 4)} * 12 + ${digitsOf(wall, 6, 2)})`
  const write = (a: string, b: string) =>
    `((${months(b)} - ${months(a)} - CASE WHEN ${b} >= ${a} THEN substr(${b}, 9) < substr(${a}, 9) ` +
    `ELSE -(substr(${b}, 9) > substr(${a}, 9)) END) / ${MONTHS[unit]})`
  return site.once(String(start), (a) => site.once(String(end), (b) => write(a, b)))
}

const moments = (args: readonly string[], site: SqliteSite, first: number): [Moment, Moment] => [
  { sql: String(args[first]), type: argument(site.types, first), zone: site.zoneOf(first) },
  { sql: String(args[first + 1]), type: argument(site.types, first + 1), zone: site.zoneOf(first + 1) },
]

export const DIFFERENCES: readonly ScalarFunction[] = [
  {
    kind: 'scalar',
    name: 'dateDiff',
    aliases: ['date_diff', 'timestampDiff', 'timestamp_diff'],
    takes: ['string', 'moment', 'moment'],
    returns: (args, constants) => {
      unitOf(constants[0], 'dateDiff')
      return unlessNull(INTEGER)(args)
    },
    sqlite: (args, site) =>
      boundaries(...moments(args, site, 1), unitOf(site.constants[0], 'dateDiff'), site),
    clickhouse: ([, from, to], { constants }) =>
      `dateDiff('${unitOf(constants[0], 'dateDiff')}', ${from}, ${to})`,
  },
  {
    kind: 'scalar',
    name: 'age',
    takes: ['string', 'moment', 'moment'],
    returns: (args, constants) => {
      unitOf(constants[0], 'age')
      return unlessNull(INTEGER)(args)
    },
    sqlite: (args, site) => elapsed(...moments(args, site, 1), unitOf(site.constants[0], 'age'), site),
    clickhouse: ([, from, to], { constants }) => `age('${unitOf(constants[0], 'age')}', ${from}, ${to})`,
  },
  {
    kind: 'scalar',
    name: 'timeDiff',
    takes: ['moment', 'moment'],
    returns: unlessNull(INTEGER),
    sqlite: (args, site) => boundaries(...moments(args, site, 0), 'second', site),
    clickhouse: ([from, to]) => `dateDiff('second', ${from}, ${to})`,
  },
]
