// Resolves dateAdd and its variants, toStartOfInterval, and the clock.
import type { Expr } from '../../ir'
import type { Call, Expression } from '../../parser/ast'
import { UNITS, type Unit, DATE, DATETIME } from '../../types'
import type { Resolution } from '../context/resolution'
import { convertOrReject } from '../types/convert'
import { intervalOf, shiftBy, type IntervalTerm, START_OF } from './intervals'
import { reject } from '../../error'
import { isZoneName } from '../../../time/zone'
import type { Scope } from '../context/scope'
import { call, integer, literalOf, text } from '../../ir-build'

type Form = (r: Resolution, node: Call, args: readonly Expression[], scope: Scope) => Expr

/** Resolves `dateAdd(date, INTERVAL …)`, `dateAdd('day', 3, date)` and `dateAdd(day, 3, date)`. */
export const dateAdd: Form = (r, node, args, scope) => shifted(r, node, args, scope, false)
export const dateSub: Form = (r, node, args, scope) => shifted(r, node, args, scope, true)

function shifted(
  r: Resolution,
  node: Call,
  args: readonly Expression[],
  scope: Scope,
  backwards: boolean,
): Expr {
  const [first, second, third] = args
  if (first && second && third && args.length === 3) {
    const step: IntervalTerm = {
      unit: parseUnit(first),
      amount: () => countArgument(r, second, scope, node),
      backwards: false,
    }
    return shiftBy(r, node, temporalArgument(r, third, scope, node), [step], backwards)
  }
  if (first && second && args.length === 2) {
    const interval = intervalOf(r, second, scope)
    if (interval !== undefined)
      return shiftBy(r, node, temporalArgument(r, first, scope, node), interval, backwards)
  }
  return reject(
    node,
    `Function '${node.name}' takes a date and an interval, or a unit, an amount and a date`,
    'invalid_query',
  )
}

function parseUnit(node: Expression): Unit {
  const written =
    node.node === 'Constant'
      ? node.value
      : node.node === 'Field' && node.chain.length === 1
        ? node.chain[0]
        : null
  const name = String(written).toLowerCase().replace(/s$/, '')
  return (
    UNITS.find((unit) => unit === name) ??
    reject(node, `The unit of time has to be a constant: ${UNITS.join(', ')}`, 'invalid_query')
  )
}

const countArgument = (r: Resolution, arg: Expression, scope: Scope, { name }: Call): Expr =>
  convertOrReject(r, r.expr(arg, scope), 'integer', arg, `Function '${name}' takes a whole number of units`)

const temporalArgument = (r: Resolution, arg: Expression, scope: Scope, { name }: Call): Expr =>
  convertOrReject(r, r.expr(arg, scope), 'temporal', arg, `Function '${name}' takes a date or datetime`)

/** Returns the forms of `addDays(date, n)`, `subtractHours(date, n)` and the like, by lower-case name. */
export function shiftFunctions(): [string, Form][] {
  return UNITS.flatMap((unit) => [
    [`add${unit}s`, byUnit(unit, false)] as [string, Form],
    [`subtract${unit}s`, byUnit(unit, true)] as [string, Form],
  ])
}

const byUnit =
  (unit: Unit, backwards: boolean): Form =>
  (r, node, args, scope) => {
    const [moment, amount] = args
    if (moment === undefined || amount === undefined || args.length !== 2) {
      const message = `Function '${node.name}' takes 2 arguments, and got ${args.length}`
      return reject(node, message, 'invalid_query')
    }
    const step: IntervalTerm = { unit, amount: () => countArgument(r, amount, scope, node), backwards: false }
    return shiftBy(r, node, temporalArgument(r, moment, scope, node), [step], backwards)
  }

export function startOfInterval(
  r: Resolution,
  node: Call,
  [arg, interval, ...others]: readonly Expression[],
  scope: Scope,
): Expr {
  if (others.length > 0) {
    reject(
      node,
      `'${node.name}' takes no origin or time zone. Subtract an origin, and add it again, as in toStartOfInterval(timestamp - INTERVAL 30 MINUTE, INTERVAL 1 HOUR) + INTERVAL 30 MINUTE`,
    )
  }
  const steps = interval && intervalOf(r, interval, scope)
  const [step, ...further] = steps ?? []
  const count = step && literalOf(step.amount())
  if (!arg || !step || further.length > 0 || typeof count !== 'number' || count < 1) {
    return reject(node, `Function '${node.name}' takes a date and a constant interval`, 'invalid_query')
  }
  const moment = temporalArgument(r, arg, scope, node)
  if (count === 1) return call(START_OF[step.unit], moment)
  return call('toStartOfInterval', moment, integer(count), text(step.unit))
}

const NOW: Expr = { node: 'clock', which: 'now', type: DATETIME }
const TODAY: Expr = { node: 'clock', which: 'today', type: DATE }
const YESTERDAY: Expr = { node: 'shift', moment: TODAY, amount: integer(-1), unit: 'day', type: DATE }

const clockFunction =
  (expr: Expr, most: number) =>
  (_r: Resolution, node: Call): Expr => {
    if (node.args.length > most)
      return reject(
        node,
        `Function '${node.name}' takes no argument, and got ${node.args.length}`,
        'invalid_query',
      )
    const values = node.args.map((arg) =>
      arg.node === 'Constant'
        ? arg.value
        : reject(arg, `Function '${node.name}' takes a constant time zone`, 'invalid_query'),
    )
    const zone = values.find((value) => typeof value === 'string')
    if (zone === undefined) return expr
    if (!isZoneName(zone)) reject(node, `There is no time zone '${zone}'`, 'invalid_query')
    return call('toTimeZone', expr, text(zone))
  }

/** The functions of the run's time, by lower-case name, in the time zone that a call names. A precision does not change the time. */
export const CLOCK_FORMS = [
  ['now', clockFunction(NOW, 1)],
  ['now64', clockFunction(NOW, 2)],
  ['current_timestamp', clockFunction(NOW, 0)],
  ['today', clockFunction(TODAY, 0)],
  ['current_date', clockFunction(TODAY, 0)],
  ['curdate', clockFunction(TODAY, 0)],
  ['yesterday', clockFunction(YESTERDAY, 0)],
] as const
