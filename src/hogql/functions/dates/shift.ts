// Moments moved by some units: INTERVAL, and the functions that say the same.
import { DATE, DATETIME, INTEGER, nullable, type Type, type Unit } from '../../types'
import { argument } from '../returns'
import type { ScalarFunction, SqliteSite } from '../spec'
import { momentOf } from '../sqlite-values'
import { isCalendar, unitOf } from './units'

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

/** A date moved by a part of a day is a datetime. */
export function shiftedType(type: Type, unit: Unit): Type {
  const moved = type.kind === 'date' && isCalendar(unit) ? DATE : DATETIME
  return type.nullable ? nullable(moved) : moved
}

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

const known = (constant: unknown): number | undefined => (typeof constant === 'number' ? constant : undefined)

/** The opposite of an amount. */
const less = (amount: { sql: string; known?: number }) => ({
  sql: `-(${amount.sql})`,
  known: amount.known === undefined ? undefined : -amount.known,
})

const move = (name: string, unit: Unit, back: boolean): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes: ['moment', 'integer'],
  returns: ([moment, amount]) => {
    const type = shiftedType(moment ?? DATETIME, unit)
    return amount?.nullable ? nullable(type) : type
  },
  sqlite: ([moment, sql], site) => {
    const amount = { sql: String(sql), known: known(site.constants[1]) }
    return shifted(
      { sql: String(moment), type: argument(site.types, 0) },
      back ? less(amount) : amount,
      unit,
      site,
    )
  },
  clickhouse: ([moment, amount], { types, zone }) =>
    `${name}(${fitting(String(moment), argument(types, 0), unit, zone.name)}, ${amount})`,
})

/** ClickHouse has no hours in a date either. */
const fitting = (moment: string, { kind }: Type, unit: Unit, zone: string): string =>
  kind === 'date' && !isCalendar(unit)
    ? `toDateTime64(${moment}, 6, '${zone.replace(/[^\w/+-]/g, '')}')`
    : moment

const PLURALS: readonly [string, Unit][] = [
  ['Seconds', 'second'],
  ['Minutes', 'minute'],
  ['Hours', 'hour'],
  ['Days', 'day'],
  ['Weeks', 'week'],
  ['Months', 'month'],
  ['Quarters', 'quarter'],
  ['Years', 'year'],
]

/** `dateAdd('day', 3, moment)`. */
const moveBy = (name: string, back: boolean, ...aliases: string[]): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['string', 'integer', 'moment'],
  returns: ([, amount, moment], constants) => {
    const type = shiftedType(moment ?? DATETIME, unitOf(constants[0], name))
    return (amount ?? INTEGER).nullable ? nullable(type) : type
  },
  sqlite: ([, sql, moment], site) => {
    const amount = { sql: String(sql), known: known(site.constants[1]) }
    const from = { sql: String(moment), type: argument(site.types, 2) }
    return shifted(from, back ? less(amount) : amount, unitOf(site.constants[0], name), site)
  },
  clickhouse: ([, amount, moment], { types, constants, zone }) => {
    const unit = unitOf(constants[0], name)
    const plural = PLURALS.find(([, each]) => each === unit)?.[0] ?? ''
    const from = fitting(String(moment), argument(types, 2), unit, zone.name)
    return `${back ? 'subtract' : 'add'}${plural}(${from}, ${amount})`
  },
})

export const SHIFTS: readonly ScalarFunction[] = [
  ...PLURALS.flatMap(([plural, unit]) => [
    move(`add${plural}`, unit, false),
    move(`subtract${plural}`, unit, true),
  ]),
  moveBy('dateAdd', false, 'date_add', 'timestampAdd', 'timestamp_add'),
  moveBy('dateSub', true, 'date_sub', 'timestampSub', 'timestamp_sub'),
]
