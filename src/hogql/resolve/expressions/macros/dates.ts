// Parts of dates by name, and starts and ends of spans.
import { reject } from '../../../error'
import type { Expr } from '../../../ir'
import { branch, call, integer, literalOf, NULL_LITERAL, text } from '../../../ir-build'
import type { Call } from '../../../parser/ast'
import { INTEGER, isTemporal, nullable } from '../../../types'
import type { Resolution } from '../../context/resolution'
import { startOfInterval } from '../../dates/date-functions'
import { intervalOf, shiftBy } from '../../dates/intervals'
import { convertOrReject } from '../../types/convert'
import { asKind, calculated, constantText, macro, type Macro, rewritten } from './form'

/** Names of the parts of a date, and the functions that return them. */
const PARTS: Readonly<Record<string, string>> = {
  year: 'toYear',
  quarter: 'toQuarter',
  month: 'toMonth',
  dayofyear: 'toDayOfYear',
  doy: 'toDayOfYear',
  day: 'toDayOfMonth',
  week: 'toISOWeek',
  dow: 'toDayOfWeek',
  weekday: 'toDayOfWeek',
  hour: 'toHour',
  minute: 'toMinute',
  second: 'toSecond',
  epoch: 'toUnixTimestamp',
}

function partOf(r: Resolution, node: Call, unit: Expr, moment: Expr): { name: string; value: Expr } {
  const name = String(literalOf(unit) ?? '').toLowerCase()
  const fn = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined
  if (fn === undefined) {
    reject(
      node,
      `'${node.name}' takes a constant unit, one of: ${Object.keys(PARTS).join(', ')}`,
      'invalid_query',
    )
  }
  const value = isTemporal(moment.type)
    ? moment
    : convertOrReject(r, moment, 'temporal', node, `Function '${node.name}' takes a date or datetime`)
  return { name, value: call(fn, value) }
}

/** Resolves `dateName('month', date)`: names of months and days of the week, and numbers for other units. */
const dateName = (r: Resolution, node: Call, unit?: Expr, moment?: Expr): Expr => {
  const { name, value } = partOf(r, node, unit!, moment!)
  const [of] = value.node === 'call' ? value.args : []
  if (name === 'month') return call('monthName', of!)
  return name === 'weekday' || name === 'dow'
    ? call('formatDateTime', of!, text('%W'))
    : call('toString', value)
}

/** Returns the Sunday or Monday on which the week of a date begins. */
const startOfWeek = (r: Resolution, node: Call, moment: Expr, mode: Expr): Expr =>
  call('toDate', call('toStartOfWeek', asKind(r, node, moment, 'temporal'), mode))

/**
 * Returns the year and the number of a week. Weeks are those of ISO 8601, or begin on Sunday and belong to the year in which they begin.
 */
function yearWeek(r: Resolution, node: Call, moment: Expr, mode: Expr): Expr {
  const written = literalOf(mode)
  const joined = (year: Expr, week: Expr) => calculated('+', calculated('*', year, integer(100)), week)
  if (written === 1 || written === 3) {
    const value = asKind(r, node, moment, 'temporal')
    return joined(call('toISOYear', value), call('toISOWeek', r.reuse(value, node)))
  }
  if (written !== 0 && written !== 2) {
    reject(node, `The mode of '${node.name}' is 0 or 2 for weeks from Sunday, 1 or 3 for weeks of ISO 8601`)
  }
  const start = startOfWeek(r, node, moment, integer(0))
  const before = calculated('-', call('toDayOfYear', r.reuse(start, node)), integer(1))
  return joined(call('toYear', start), calculated('+', call('intDiv', before, integer(7)), integer(1)))
}

/** The positions of the parts of a datetime by their letters in a format. Each has a fixed width. */
const FORMAT_PARTS: Readonly<Record<string, readonly [part: number, width: number]>> = {
  Y: [0, 4],
  m: [1, 2],
  d: [2, 2],
  H: [3, 2],
  i: [4, 2],
  S: [5, 2],
  s: [5, 2],
}

/** Resolves `parseDateTime(text, format)`, which is NULL for a text in another format. */
function parsedDateTime(r: Resolution, node: Call, given: Expr, format: Expr): Expr {
  const value = asKind(r, node, given, 'string')
  const letters = constantText(node, format, 'a format')
    .replaceAll('%F', '%Y-%m-%d')
    .replaceAll('%T', '%H:%i:%S')
  const parts: Expr[] = ['1970', '01', '01', '00', '00', '00'].map(text)
  let pattern = ''
  for (const [whole, letter] of letters.matchAll(/%(.)|[^]/gu)) {
    if (letter === undefined || letter === '%') pattern += (letter ?? whole).replace(/[%_\\]/, '\\$&')
    else {
      const [part, width] =
        FORMAT_PARTS[letter] ??
        reject(node, `'${node.name}' takes %Y, %m, %d, %H, %i, %S, %F and %T, and got %${letter}`)
      const start = pattern.replaceAll('\\', '').length + 1
      parts[part] = call('substring', r.reuse(value, node), integer(start), integer(width))
      pattern += '_'.repeat(width)
    }
  }
  const [year, month, day, hour, minute, second] = parts as [Expr, Expr, Expr, Expr, Expr, Expr]
  const date = call('concat', year, text('-'), month, text('-'), day)
  const time = call('concat', hour, text(':'), minute, text(':'), second)
  const moment = call('toDateTime', call('concat', date, text(' '), time))
  const fits: Expr = { node: 'like', op: 'like', left: value, right: text(pattern), type: INTEGER }
  return {
    node: 'case',
    branches: [branch(fits, moment)],
    otherwise: NULL_LITERAL,
    type: nullable(moment.type),
  }
}

const endOfInterval: Macro['form'] = (r, node, args, scope) => {
  const start = startOfInterval(r, node, args, scope)
  const steps = (args[1] && intervalOf(r, args[1], scope)) ?? []
  return shiftBy(r, node, start, steps, false)
}

export const DATE_MACROS: readonly Macro[] = [
  macro('dateName', 'part, date', dateName),
  macro('date_part', 'part, date', (r, node, unit, moment) => partOf(r, node, unit!, moment!).value),
  macro('timeSlot', 'datetime', (r, node, moment) =>
    call('toStartOfInterval', asKind(r, node, moment!, 'temporal'), integer(30), text('minute')),
  ),
  rewritten('timezone', 'zone, date', (called, zone, moment) => called('toTimeZone', moment!, zone!)),
  rewritten('to_char', 'date, format, zone?', (called, moment, format, ...zone) => {
    const isOther = format?.node === 'Constant' && !String(format.value).includes('%')
    if (isOther) reject(format, "The format of 'to_char' is that of formatDateTime, such as '%Y-%m-%d'")
    return called('formatDateTime', moment!, format!, ...zone)
  }),
  { names: ['tumble', 'tumbleStart'], takes: 'datetime, interval', form: startOfInterval },
  { names: ['tumbleEnd'], takes: 'datetime, interval', form: endOfInterval },
  macro('toStartOfISOYear', 'date', (r, node, moment) => {
    const year = call('toString', call('toISOYear', asKind(r, node, moment!, 'temporal')))
    const date = call('toDate', call('concat', year, text('-01-04')))
    return call('toMonday', moment!.type.nullable ? date : call('assumeNotNull', date))
  }),
  macro('toLastDayOfWeek', 'date, mode?', (r, node, given, mode = integer(0)) => {
    if (typeof literalOf(mode) !== 'number')
      reject(node, "Function 'toLastDayOfWeek' takes a constant as its second argument", 'invalid_query')
    const moment = startOfWeek(r, node, given!, mode)
    return { node: 'shift', moment, amount: integer(6), unit: 'day', type: moment.type }
  }),
  macro('toYearWeek', 'date, mode?', (r, node, moment, mode = integer(0)) =>
    yearWeek(r, node, moment!, mode),
  ),
  macro('parseDateTime parseDateTimeOrNull', 'text, format', (r, node, value, format) =>
    parsedDateTime(r, node, value!, format!),
  ),
]
