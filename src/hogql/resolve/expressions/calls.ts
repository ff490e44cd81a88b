// Resolves calls: special forms first, then functions of the catalogue.
import { findFunction } from '../../functions/catalogue'
import type { ScalarFunction } from '../../functions/spec'
import type { Expr } from '../../ir'
import type { Call } from '../../parser/ast'
import { findAggregate, resolveAggregate } from './aggregates'
import { ordinal, rejectUnknown, resolveArguments, typeOfCall } from './arguments'
import { calculate } from './arithmetic'
import { call, integer, literalOf, text } from '../../ir-build'
import type { Resolution } from '../context/resolution'
import { convert } from '../types/convert'
import { reject } from '../../error'
import type { Scope } from '../context/scope'
import { findSpecialForm } from './special-forms'
import { withValidPattern } from './patterns'

export function resolveCall(r: Resolution, node: Call, scope: Scope): Expr {
  if (node.within_group) {
    reject(node, `WITHIN GROUP is not supported: write the value as an argument, such as quantile(0.5)(x)`)
  }
  const form = findSpecialForm(node.name)
  if (form !== undefined) {
    rejectAggregateWords(node)
    return form(r, node, node.args, scope)
  }
  const aggregate = findAggregate(node.name)
  if (aggregate !== undefined) return resolveAggregate(r, node, aggregate, scope)
  const spec = findFunction(node.name)
  if (spec === undefined || spec.kind === 'aggregate') return rejectUnknown(node)
  if (spec.kind === 'window') {
    return reject(node, `Function '${spec.name}' only stands before OVER`, 'invalid_query')
  }
  rejectAggregateWords(node)
  return resolveScalar(r, node, spec, scope)
}

/** Rejects DISTINCT, FILTER, ORDER BY and parameters, which only aggregates have. */
function rejectAggregateWords({ name, distinct, filter_expr, order_by, params, ...node }: Call): void {
  const word =
    (distinct && 'DISTINCT') ||
    (filter_expr && 'FILTER') ||
    (order_by && 'ORDER BY') ||
    (params && 'parameters')
  if (word) reject(node, `'${name}' is not an aggregate function and takes no ${word}`, 'invalid_query')
}

function resolveScalar(r: Resolution, node: Call, spec: ScalarFunction, scope: Scope): Expr {
  const known = constantDate(r, node, spec) ?? dayOfWeek(r, node, spec, scope)
  if (known !== undefined) return known
  const resolved = resolveArguments(r, node, spec, node.args, scope)
  requireConstants(node, spec, resolved)
  const type = typeOfCall(node, spec, resolved)
  return withValidPattern(r, { node: 'call', fn: spec.name, args: resolved, type }, node)
}

/** Rejects a variable in an argument that is read when the query is compiled, because another value would be ignored. */
function requireConstants(node: Call, { name, constantFrom }: ScalarFunction, args: readonly Expr[]): void {
  const place = args.findIndex(
    (arg, at) => at >= (constantFrom ?? Infinity) && (literalOf(arg) ?? null) === null,
  )
  if (place < 0) return
  reject(
    node.args[place] ?? node,
    `Function '${name}' takes a constant as its ${ordinal(place)} argument`,
    'invalid_query',
  )
}

/** Resolves `toDayOfWeek(date, mode)`. It counts from 0 in modes 1 and 2, and from Sunday in modes 2 and 3. */
function dayOfWeek(r: Resolution, node: Call, spec: ScalarFunction, scope: Scope): Expr | undefined {
  const [moment, mode, ...zone] = node.args
  if (spec.name !== 'toDayOfWeek' || mode?.node !== 'Constant' || typeof mode.value !== 'number')
    return undefined
  const day = resolveScalar(r, { ...node, args: [moment!, ...zone] }, spec, scope)
  const shifted = (by: number) => calculate(r, '+', day, integer(by), node)
  switch (mode.value) {
    case 0:
      return day
    case 1:
      return shifted(-1)
    case 2:
      return call('mod', day, integer(7))
    case 3:
      return calculate(r, '+', call('mod', day, integer(7)), integer(1), node)
    default:
      return reject(mode, "The mode of 'toDayOfWeek' is 0, 1, 2 or 3", 'invalid_query')
  }
}

/** Converts `toDate('2026-01-31')` to a constant, so that what is compared with it needs no conversion. */
function constantDate(r: Resolution, { args }: Call, { name }: ScalarFunction): Expr | undefined {
  const [arg, ...others] = args
  if (arg?.node !== 'Constant' || typeof arg.value !== 'string' || others.length > 0) return undefined
  if (name === 'toDate') return convert(text(arg.value), 'date', r.context.timezone)
  return name === 'toDateTime' ? convert(text(arg.value), 'datetime', r.context.timezone) : undefined
}
