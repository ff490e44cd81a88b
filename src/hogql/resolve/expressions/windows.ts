// Resolves functions over windows: OVER (…), named windows, frames.
import { findFunction } from '../../functions/catalogue'
import type { FunctionSpec } from '../../functions/spec'
import type { Expr, FrameBound, Window } from '../../ir'
import type { WindowExpr, WindowFrameExpr, WindowFunction } from '../../parser/ast'
import { findAggregate, resolveParams, resolveParts, type NamedAggregate } from './aggregates'
import { call, literal, literalOf, text } from '../../ir-build'
import { rejectUnknown, resolveArguments, typeOfCall } from './arguments'
import type { Resolution } from '../context/resolution'
import { containsWindow, offsetOf } from '../../ir-walk'
import { resolveOrder } from '../context/source-text'
import { reject } from '../../error'
import type { Scope } from '../context/scope'
import { DATE, isNumber } from '../../types'
import { typeName } from '../types/type-names'

type WindowCall = Extract<Expr, { node: 'window' }>

export function resolveWindowFunction(r: Resolution, node: WindowFunction, scope: Scope): Expr {
  const over = resolveOver(r, node, scope)
  const aggregate = findAggregate(node.name)
  const found = aggregate ? overAggregate(r, node, aggregate, over, scope) : overRanking(r, node, over, scope)
  for (const part of [...found.args, found.filter]) {
    if (part && containsWindow(part)) {
      reject(node, `Window function '${node.name}' cannot have another one inside`, 'invalid_query')
    }
  }
  return found
}

function overAggregate(
  r: Resolution,
  node: WindowFunction,
  named: NamedAggregate,
  over: Window,
  scope: Scope,
): WindowCall {
  const { spec } = named
  if (!spec.window || named.distinct || named.whenEmpty !== null) {
    reject(node, `Function '${node.name}' cannot stand before OVER`)
  }
  const isParametric = node.args.length > 0
  const { args, filter } = resolveParts(r, node, isParametric ? node.args : node.exprs, named, scope)
  const params = resolveParams(r, node, spec, isParametric ? node.exprs : [], scope)
  return { node: 'window', fn: spec.name, args, params, filter, over, type: typeOfCall(node, spec, args) }
}

/** Resolves `row_number`, `lag` and others that are valid only before OVER. */
function overRanking(r: Resolution, node: WindowFunction, over: Window, scope: Scope): WindowCall {
  const spec: FunctionSpec | undefined = findFunction(node.name)
  if (spec === undefined) return rejectUnknown(node)
  if (spec.kind !== 'window') {
    return reject(node, `Function '${spec.name}' cannot stand before OVER`, 'invalid_query')
  }
  const args = resolveArguments(r, node, spec, node.exprs, scope)
  if (NEIGHBOURS.has(spec.name)) checkNeighbour(node, args[1], over)
  return {
    node: 'window',
    fn: spec.name,
    args,
    params: [],
    filter: null,
    over,
    type: typeOfCall(node, spec, args),
  }
}

const NEIGHBOURS: ReadonlySet<string> = new Set(['lag', 'lead', 'lagInFrame', 'leadInFrame'])

/** Rejects offsets and frames that ClickHouse rejects, and for which SQLite would return a result. */
function checkNeighbour({ name, ...node }: WindowFunction, offset: Expr | undefined, over: Window): void {
  if (offset !== undefined) {
    const rows = literalOf(offset)
    if (typeof rows !== 'number' || rows < 0)
      reject(node, `'${name}' takes a constant number of rows, from 0`)
  }
  if (over.frame && !name.endsWith('InFrame'))
    reject(node, `'${name}' takes no frame: leave it out, or use ${name}InFrame`)
}

function resolveOver(r: Resolution, node: WindowFunction, scope: Scope): Window {
  if (node.over_expr) return resolveWindow(r, node.over_expr, scope)
  const name = node.over_identifier ?? ''
  const named = scope.windows.get(name)
  if (named === undefined) return reject(node, `Unknown window: ${name}`, 'unknown_field')
  return resolveWindow(r, named, scope)
}

function resolveWindow(r: Resolution, node: WindowExpr, scope: Scope): Window {
  return byDistance(
    {
      partitionBy: (node.partition_by ?? []).map((expr) => r.expr(expr, scope)),
      orderBy: (node.order_by ?? []).map((order) => resolveOrder(order, (expr) => r.expr(expr, scope))),
      frame: resolveFrame(r, node, scope),
    },
    node,
  )
}

const MICROSECONDS = 1_000_000

/**
 * Converts the values of RANGE, whose offsets are distances: for dates in days, for datetimes in seconds. Databases add them to numbers
 * only: SQLite finds just the same dates, and ClickHouse has no such frame for a DateTime64.
 */
function byDistance(window: Window, node: WindowExpr): Window {
  const { orderBy, frame } = window
  if (frame?.unit !== 'range' || !('count' in frame.start || 'count' in frame.end)) return window
  const [order, ...others] = orderBy
  if (order === undefined || others.length > 0) {
    return reject(node, 'RANGE with an offset takes an ORDER BY of one expression', 'invalid_query')
  }
  const { expr } = order
  // The engines do not agree on the rows around a NULL.
  if (expr.type.nullable) {
    reject(
      node,
      'RANGE with an offset takes an ORDER BY that is never NULL: use ifNull(…) or assumeNotNull(…)',
    )
  }
  if (isNumber(expr.type)) return window
  switch (expr.type.kind) {
    case 'date': {
      const days = call('dateDiff', text('day'), literal('1970-01-01', DATE), expr)
      return { ...window, orderBy: [{ ...order, expr: days }] }
    }
    case 'datetime': {
      const scaled = (bound: FrameBound): FrameBound =>
        'count' in bound ? { ...bound, count: bound.count * MICROSECONDS } : bound
      return {
        ...window,
        orderBy: [{ ...order, expr: call('toUnixTimestamp64Micro', expr) }],
        frame: { unit: 'range', start: scaled(frame.start), end: scaled(frame.end) },
      }
    }
    default:
      return reject(
        node,
        `RANGE with an offset takes an ORDER BY of a number, date or datetime, not of ${typeName(expr.type)}`,
        'type_mismatch',
      )
  }
}

function resolveFrame(r: Resolution, node: WindowExpr, scope: Scope): Window['frame'] {
  const { frame_method: method, frame_start: start, frame_end: end } = node
  if (!start) return null
  if (method !== 'ROWS' && method !== 'RANGE') {
    return reject(node, `Frames of ${String(method)} are not supported`)
  }
  const first = resolveBound(r, start, scope, node)
  const last: FrameBound = end ? resolveBound(r, end, scope, node) : { kind: 'current row' }
  const isBackwards =
    first.kind === 'unbounded following' ||
    last.kind === 'unbounded preceding' ||
    offsetOf(first) > offsetOf(last)
  if (isBackwards) reject(node, 'A frame cannot end before it begins', 'invalid_query')
  return { unit: method === 'ROWS' ? 'rows' : 'range', start: first, end: last }
}

function resolveBound(r: Resolution, bound: WindowFrameExpr, scope: Scope, node: WindowExpr): FrameBound {
  if (bound.frame_type === 'CURRENT ROW' || bound.frame_type === null) return { kind: 'current row' }
  const preceding = bound.frame_type === 'PRECEDING'
  const count = countOf(r, bound, scope, node)
  if (count === null) return { kind: preceding ? 'unbounded preceding' : 'unbounded following' }
  return { kind: preceding ? 'preceding' : 'following', count }
}

/** Returns null for UNBOUNDED. */
function countOf(
  r: Resolution,
  { frame_value: value }: WindowFrameExpr,
  scope: Scope,
  node: WindowExpr,
): number | null {
  if (value === null) return null
  const count = typeof value === 'number' ? value : literalOf(r.expr(value, scope))
  const isWhole = typeof count === 'number' && Number.isInteger(count)
  return isWhole && Number.isSafeInteger(count * MICROSECONDS) && count >= 0
    ? count
    : reject(node, 'The bounds of a frame are whole numbers')
}
