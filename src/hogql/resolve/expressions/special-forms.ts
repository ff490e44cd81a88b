// Calls that are not functions: operators, conditions, intervals and conversions of constants.
import type { ArithmeticOp, CompareOp, Expr, LikeOp } from '../../ir'
import type { Call, Expression } from '../../parser/ast'
import { calculate, negate, resolveArithmetic } from './arithmetic'
import { resolveArrayJoin } from './array-join'
import { isNull, literalOf } from '../../ir-build'
import { INTEGER } from '../../types'
import { cast } from '../types/casts'
import { CLOCK_FORMS, dateAdd, dateSub, shiftFunctions, startOfInterval } from '../dates/date-functions'
import { compare, like } from './comparisons'
import { resolveCase, resolveIf, resolveMultiIf, resolveAnd, resolveNot, resolveOr } from './conditions'
import type { Resolution } from '../context/resolution'
import { arrayElement, tupleElement } from '../names/access'
import { intervalUnit, rejectInterval } from '../dates/intervals'
import { resolveArray, resolveTuple } from './literals'
import { MACRO_FORMS } from './macros/macros'
import { resolveIn } from './membership'
import { matchesAction } from '../filters/filter-conditions'
import { reject } from '../../error'
import type { Scope } from '../context/scope'

type Form = (r: Resolution, node: Call, args: readonly Expression[], scope: Scope) => Expr

/** Finds a form by its name, in any case of letters. */
export function findSpecialForm(name: string): Form | undefined {
  const lower = name.toLowerCase()
  return (
    FORMS.get(lower) ?? (intervalUnit(lower) === undefined ? undefined : (_r, node) => rejectInterval(node))
  )
}

function exactly(node: Call, args: readonly Expression[], count: number): readonly Expression[] {
  if (args.length === count) return args
  const message = `Function '${node.name}' takes ${count} argument${count === 1 ? '' : 's'}, and got ${args.length}`
  return reject(node, message, 'invalid_query')
}

const binary =
  (build: (r: Resolution, left: Expr, right: Expr, node: Call) => Expr): Form =>
  (r, node, args, scope) => {
    const [left, right] = exactly(node, args, 2).map((arg) => r.expr(arg, scope))
    return build(r, left!, right!, node)
  }

const unary =
  (build: (r: Resolution, operand: Expr, node: Call) => Expr): Form =>
  (r, node, args, scope) => {
    const [operand] = exactly(node, args, 1).map((arg) => r.expr(arg, scope))
    return build(r, operand!, node)
  }

const comparisonForm = (op: CompareOp): Form =>
  binary((r, left, right, node) => compare(r, op, left, right, node))
const likeForm = (op: LikeOp): Form => binary((r, left, right, node) => like(r, op, left, right, node))
const arithmeticForm = (op: ArithmeticOp): Form =>
  binary((r, left, right, node) => calculate(r, op, left, right, node))

/** Resolves `plus` and `minus`, which take intervals as their operators do. */
function intervalForm(op: '+' | '-'): Form {
  return (r, node, args, scope) => {
    const [left, right] = exactly(node, args, 2)
    const { start, end } = node
    return resolveArithmetic(
      r,
      { node: 'ArithmeticOperation', op, left: left!, right: right!, start, end },
      scope,
    )
  }
}

const membershipForm =
  (negated: boolean): Form =>
  (r, node, args, scope) => {
    const [left, right] = exactly(node, args, 2)
    return resolveIn(r, node, left!, right!, negated, scope)
  }

export const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['if', resolveIf],
  ['multiif', resolveMultiIf],
  ['_casewithexpression', resolveCase],
  ['and', (r, _node, args, scope) => resolveAnd(r, args, scope)],
  ['or', (r, node, args, scope) => resolveOr(r, args, scope, node)],
  ['not', notForm],
  ['equals', comparisonForm('=')],
  ['notequals', comparisonForm('!=')],
  ['less', comparisonForm('<')],
  ['lessorequals', comparisonForm('<=')],
  ['greater', comparisonForm('>')],
  ['greaterorequals', comparisonForm('>=')],
  ['like', likeForm('like')],
  ['ilike', likeForm('ilike')],
  ['notlike', likeForm('not like')],
  ['notilike', likeForm('not ilike')],
  ['plus', intervalForm('+')],
  ['minus', intervalForm('-')],
  ['multiply', arithmeticForm('*')],
  ['divide', arithmeticForm('/')],
  ['modulo', arithmeticForm('%')],
  ['negate', unary(negate)],
  ['in', membershipForm(false)],
  ['notin', membershipForm(true)],
  ['isnull', unary((_r, operand) => isNull(operand))],
  ['isnotnull', unary((_r, operand) => isNull(operand, true))],
  ['array', resolveArray],
  ['tuple', resolveTuple],
  ['arrayelement', binary(arrayElement)],
  ['tupleelement', binary(tupleElementForm)],
  ['cast', binary(castForm)],
  ['_castwithtype', binary(castForm)],
  ['exists', existsForm],
  ['arrayjoin', resolveArrayJoin],
  ['dateadd', dateAdd],
  ['date_add', dateAdd],
  ['timestampadd', dateAdd],
  ['datesub', dateSub],
  ['date_sub', dateSub],
  ['date_subtract', dateSub],
  ['timestampsub', dateSub],
  ['tostartofinterval', startOfInterval],
  ['matchesaction', matchesAction],
  ...MACRO_FORMS,
  ...CLOCK_FORMS,
  ...shiftFunctions(),
])

function notForm(r: Resolution, node: Call, args: readonly Expression[], scope: Scope): Expr {
  const [operand] = exactly(node, args, 1)
  return resolveNot(r, operand!, scope)
}

function tupleElementForm(_r: Resolution, tuple: Expr, index: Expr, node: Call): Expr {
  const place = literalOf(index)
  return typeof place === 'number'
    ? tupleElement(tuple, place, node)
    : reject(node, 'tupleElement takes a constant number')
}

function castForm(r: Resolution, value: Expr, type: Expr, node: Call): Expr {
  const name = literalOf(type)
  return typeof name === 'string'
    ? cast(r, value, name, node)
    : reject(node, 'CAST takes the name of a type', 'invalid_query')
}

function existsForm(r: Resolution, node: Call, args: readonly Expression[], scope: Scope): Expr {
  const [query] = exactly(node, args, 1)
  if (query?.node !== 'SelectQuery' && query?.node !== 'SelectSetQuery') {
    reject(node, 'EXISTS takes a subquery', 'invalid_query')
  }
  return { node: 'exists', query: r.query(query, scope.environment, scope), type: INTEGER }
}
