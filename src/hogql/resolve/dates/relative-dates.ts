// Resolves dates of filters: `-7d`, `mStart`, `2026-01-31`. Relative dates count from the run's time, so that a stored query stays current.
import type { Expr } from '../../ir'
import { parseDatetime } from '../../parse-datetime'
import { DATETIME, type Unit } from '../../types'
import { call, integer, literal } from '../../ir-build'
import { START_OF } from './intervals'

const RELATIVE = /^-?(\d{1,5})?([hdwmqyHDWMQYs])(Start|End)?$/

/** Units by their letters: months are `m`, minutes `M`. */
const UNITS: Record<string, Unit> = {
  s: 'second',
  M: 'minute',
  h: 'hour',
  H: 'hour',
  d: 'day',
  D: 'day',
  w: 'week',
  W: 'week',
  m: 'month',
  q: 'quarter',
  Q: 'quarter',
  y: 'year',
  Y: 'year',
}

/** Returns the datetime of a filter's date, or undefined for an invalid one. */
export function parseFilterDate(written: string, timezone: string): Expr | undefined {
  const fixed = parseDatetime(written, timezone)
  if (fixed !== null) return literal(fixed, DATETIME)
  const match = RELATIVE.exec(written)
  const unit = match && UNITS[match[2] ?? '']
  if (!unit) return undefined
  const count = Number(match[1] ?? 0)
  const now: Expr = { node: 'clock', which: 'now', type: DATETIME }
  // A quarter counts as 13 weeks, as upstream.
  const then = unit === 'quarter' ? shift(now, -13 * count, 'week') : shift(now, -count, unit)
  switch (match[3]) {
    case 'Start':
      return startOf(then, unit)
    case 'End':
      return shift(shift(startOf(then, unit), 1, unit), -1, 'second')
    default:
      return then
  }
}

const shift = (moment: Expr, count: number, unit: Unit): Expr =>
  count === 0 ? moment : { node: 'shift', moment, amount: integer(count), unit, type: DATETIME }

function startOf(moment: Expr, unit: Unit): Expr {
  if (unit === 'second') return moment
  const start = call(START_OF[unit], moment)
  return start.type.kind === 'date' ? call('toDateTime', start) : start
}
