import type { Type, Unit } from '../../types'
import type { SqliteSite } from '../spec'
import { momentOf } from '../sqlite-values'
import { isCalendar } from './units'

/** SQLite's date modifier of each unit, and its factor. */
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

/** A month without the day gives its last day. */
const floor = (unit: Unit): string =>
  unit === 'month' || unit === 'quarter' || unit === 'year' ? ", 'floor'" : ''

/**
 * SQL of a date or datetime moved by `amount` units. Days and longer units keep the local time.
 * @param amount SQL of an integer; `known` is the value of a constant
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
