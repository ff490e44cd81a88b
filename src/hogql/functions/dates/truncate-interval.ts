// The start of an interval of several units, such as five hours. Intervals count from the same time as in ClickHouse.
import { DATETIME, type Type, type Unit } from '../../types'
import { reject } from '../../error'
import type { Constants, SqliteSite } from '../spec'
import { dayOf, MIDNIGHT, momentOf, secondsOf, wallOf } from '../sqlite-values'
import { fromSeconds } from './parse'
import { digitsOf } from './parts'
import { parseUnit } from './units'

export interface Interval {
  count: number
  unit: Unit
}

/** @throws HogqlError for a count that is not constant and positive, or an unknown unit */
export function intervalIn(constants: Constants): Interval {
  const [, count] = constants
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) {
    return reject(null, "The interval of 'toStartOfInterval' has to be constant and positive.")
  }
  return { count, unit: parseUnit(constants[2], 'toStartOfInterval') }
}

/**
 * Returns SQL of the largest multiple of `count` up to a number. The division of integers rounds towards zero, also for negative numbers.
 */
const down = (sql: string, count: number): string =>
  `(((${sql}) + ${count * FAR}) / ${count} * ${count} - ${count * FAR})`

/** A number of units that is larger than any difference of two times. */
export const FAR = 10_000_000_000

/**
 * Returns SQL of the start of an interval. Seconds, minutes and days count from 1970, hours from midnight, weeks from a Monday in 1970,
 * months from 1900, years from 0.
 */
export function startOfInterval(
  value: string,
  from: Type,
  { count, unit }: Interval,
  site: Pick<SqliteSite, 'zone' | 'once'>,
): string {
  const utc = () => momentOf(value, from, site)
  switch (unit) {
    case 'second':
      return `(${fromSeconds(down(secondsOf(utc()), count))})`
    case 'minute':
      return `(${fromSeconds(down(secondsOf(utc()), count * 60))})`
    case 'hour':
      return site.zone.startToUtc(startOfHours(wallOf(utc(), DATETIME, site), count, site))
    case 'day':
      return site.zone.startToUtc(`(${dateOf(down(daysOf(value, from, site), count))} || '${MIDNIGHT}')`)
    // 1 January 1970 was a Thursday.
    case 'week':
      return dateOf(`4 + ${down(`${daysOf(value, from, site)} - 4`, count * 7)}`)
    case 'month':
      return startOfMonths(value, from, count, site)
    case 'quarter':
      return startOfMonths(value, from, count * 3, site)
    case 'year':
      return `printf('%04d-01-01', ${down(digitsOf(wallOf(value, from, site), 1, 4), count)})`
  }
}

const startOfHours = (wall: string, count: number, site: Pick<SqliteSite, 'once'>): string =>
  site.once(
    wall,
    (at) => `(substr(${at}, 1, 11) || printf('%02d:00:00.000000Z', ${down(digitsOf(at, 12, 2), count)}))`,
  )

const daysOf = (value: string, from: Type, site: Pick<SqliteSite, 'zone'>): string =>
  `unixepoch(${dayOf(value, from, site)}) / 86400`
const dateOf = (days: string): string => `date((${days}) * 86400, 'unixepoch')`

function startOfMonths(
  value: string,
  from: Type,
  count: number,
  site: Pick<SqliteSite, 'zone' | 'once'>,
): string {
  return site.once(wallOf(value, from, site), (wall) => {
    const months = `(${digitsOf(wall, 1, 4)} - 1900) * 12 + ${digitsOf(wall, 6, 2)} - 1`
    return site.once(
      down(months, count),
      (first) => `printf('%04d-%02d-01', 1900 + ${first} / 12, ${first} % 12 + 1)`,
    )
  })
}
