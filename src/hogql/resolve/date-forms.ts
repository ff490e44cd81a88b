// dateAdd and its like: other spellings of a moment plus an interval.
import type { Expr } from '../ir'
import type { Call, Expression } from '../parser/ast'
import { UNITS, type Unit } from '../types'
import type { Resolution } from './context'
import { convert } from './convert'
import { describe } from './describe'
import { intervalOf, moveBy, type Step } from './intervals'
import { refuse } from './refuse'
import type { Scope } from './scope'

type Form = (r: Resolution, node: Call, args: readonly Expression[], scope: Scope) => Expr

/** `dateAdd(moment, INTERVAL …)`, `dateAdd('day', 3, moment)`, `dateAdd(day, 3, moment)`. */
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
    const step: Step = {
      unit: unitOf(first),
      amount: () => countOf(r, second, scope, node),
      backwards: false,
    }
    return moveBy(r, momentOf(r, third, scope, node), [step], backwards)
  }
  if (first && second && args.length === 2) {
    const interval = intervalOf(r, second, scope)
    if (interval !== undefined) return moveBy(r, momentOf(r, first, scope, node), interval, backwards)
  }
  return refuse(
    node,
    `Function '${node.name}' takes a date and an interval, or a unit, an amount and a date`,
    'invalid_query',
  )
}

/** A unit as a text or as a bare word. */
function unitOf(node: Expression): Unit {
  const written =
    node.node === 'Constant'
      ? node.value
      : node.node === 'Field' && node.chain.length === 1
        ? node.chain[0]
        : null
  const name = String(written).toLowerCase().replace(/s$/, '')
  return (
    UNITS.find((unit) => unit === name) ??
    refuse(node, `Unknown unit of time: ${String(written)}`, 'invalid_query')
  )
}

function countOf(r: Resolution, arg: Expression, scope: Scope, node: Call): Expr {
  const expr = r.expr(arg, scope)
  const count = convert(expr, 'integer', r.context.timezone)
  return (
    count ??
    refuse(
      arg,
      `Function '${node.name}' takes a number of units, and this is ${describe(expr.type)}`,
      'type_mismatch',
    )
  )
}

function momentOf(r: Resolution, arg: Expression, scope: Scope, node: Call): Expr {
  const expr = r.expr(arg, scope)
  const moment = convert(expr, 'moment', r.context.timezone)
  return (
    moment ??
    refuse(
      arg,
      `Function '${node.name}' takes a date or datetime, and this is ${describe(expr.type)}`,
      'type_mismatch',
    )
  )
}

/** `addDays(moment, n)`, `subtractHours(moment, n)` and all others of their kind, by their names in lower case. */
export function moved(): [string, Form][] {
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
      return refuse(
        node,
        `Function '${node.name}' takes 2 arguments, and got ${args.length}`,
        'invalid_query',
      )
    }
    const step: Step = { unit, amount: () => countOf(r, amount, scope, node), backwards: false }
    return moveBy(r, momentOf(r, moment, scope, node), [step], backwards)
  }
