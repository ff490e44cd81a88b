// Moments moved by some units.
import type { Type, Unit } from '../../types'
import type { SqliteSite } from '../spec'
import { momentOf } from '../sqlite-values'
import { isCalendar } from './units'

/** The modifier of SQLite's date functions for each unit, and how many of it one is. */
const MODIFIERS: Record<Unit, [string, number]> = {
  second: ['seconds', 1],
  minute: ['minutes', 1],
  hour: ['hours', 1],
  day: ['days', 1],
  week: ['days', 7],
  month: ['months', 1],
  quarter: ['months', 3],
  year: ['years', 1],
}

/** From the 31st of a month to one without: its last day. */
const floor = (unit: Unit): string =>
  unit === 'month' || unit === 'quarter' || unit === 'year' ? ", 'floor'" : ''

/**
 * SQL for a moment moved by `amount` units. Days and what is longer keep the time that the project's clocks show.
 * @param amount SQL for an integer; `known` is its value where it is a constant
 */
export function shifted(
  moment: { sql: string; type: Type },
  amount: { sql: string; known?: number },
  unit: Unit,
  site: Pick<SqliteSite, 'zone' | 'bind' | 'once'>,
): string {
  const [word, factor] = MODIFIERS[unit]
  const modifier =
    amount.known === undefined
      ? `(CAST(${amount.sql} AS INTEGER) * ${factor}) || ' ${word}'`
      : site.bind(`${Math.trunc(amount.known) * factor} ${word}`)
  if (moment.type.kind === 'date' && isCalendar(unit)) {
    return `date(${moment.sql}, ${modifier}${floor(unit)})`
  }
  const move = (sql: string) =>
    site.once(
      sql,
      (at) =>
        `(strftime('%Y-%m-%dT%H:%M:%S', substr(${at}, 1, 19), ${modifier}${floor(unit)}) || substr(${at}, 20))`,
    )
  const sql = momentOf(moment.sql, moment.type, site)
  return isCalendar(unit) ? site.zone.toUtc(move(site.zone.toLocal(sql))) : move(sql)
}
