// The start of several units at once: five hours, three days, two weeks. Where they are counted from is as in ClickHouse.
import type { Type, Unit } from '../../types'
import { refuse } from '../refuse'
import type { Constants, SqliteSite } from '../spec'
import { dayOf, MIDNIGHT, momentOf, secondsOf, wallOf } from '../sqlite-values'
import { fromSeconds } from './parse'
import { digitsOf } from './parts'
import { unitOf } from './units'

export interface Interval {
  count: number
  unit: Unit
}

/** The interval that the second and third argument stand for. @throws HogqlError when they are none */
export function intervalIn(constants: Constants): Interval {
  const [, count] = constants
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) {
    return refuse("The interval of 'toStartOfInterval' has to be constant and positive.")
  }
  return { count, unit: unitOf(constants[2], 'toStartOfInterval') }
}

/** A number of seconds or days rounded down. */
const down = (sql: string, count: number): string => `(${sql}) / ${count} * ${count}`

/** Seconds and minutes count from 1970, hours from midnight, days from 1970, weeks from a Monday then, months from 1900, years from 0. */
export function startOfMany(
  value: string,
  from: Type,
  { count, unit }: Interval,
  site: Pick<SqliteSite, 'zone' | 'once'>,
): string {
  const moment = () => momentOf(value, from, site)
  switch (unit) {
    case 'second':
      return `(${fromSeconds(down(secondsOf(moment()), count))})`
    case 'minute':
      return `(${fromSeconds(down(secondsOf(moment()), count * 60))})`
    case 'hour':
      return site.zone.startToUtc(
        startOfHours(wallOf(moment(), { kind: 'datetime', nullable: false }, site), count, site),
      )
    case 'day':
      return site.zone.startToUtc(`(${dateOf(down(daysOf(value, from, site), count))} || '${MIDNIGHT}')`)
    // The first day of 1970 was a Thursday.
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

/** Days since 1970, and back. */
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
