// Calls of functions by one name, with parameters, DISTINCT, ORDER BY, FILTER and windows.
import type { Expression, OrderExpr, WindowExpr, WindowFrameExpr } from './ast'
import { notSupported, type Reader } from './reader'
import { orderBy } from './ordering'

interface Arguments {
  distinct: boolean
  args: Expression[]
  order_by: OrderExpr[] | null
}

/** Parses `f(…)` or `f(…)(…)`, with or without a window. */
export function functionCall(reader: Reader): Expression | null {
  const { start } = reader.token
  const name = reader.name()
  reader.expect('(')
  if (reader.beginsQuery()) {
    const args = [reader.selection()]
    reader.expect(')')
    return reader.node('Call', start, { name, args })
  }
  const first = argumentsOf(reader)
  if (reader.take('WITHIN', 'GROUP', '(')) {
    const within = orderBy(reader)
    reader.expect(')')
    return reader.node('Call', start, { name, params: first.args, args: [], within_group: within })
  }
  const isParametric = reader.is('(') && !first.distinct && !first.order_by && !isQueryIn(reader)
  if (isParametric) reader.next()
  const second = isParametric ? argumentsOf(reader) : null
  const filter = filterOf(reader)
  if (reader.is('OVER') && (reader.after().word === '(' || reader.isName(reader.after()))) {
    const place = { start, end: reader.end }
    if (filter) throw notSupported(`FILTER before OVER is not supported: use ${name}If(…)`, place)
    if (first.distinct || second?.distinct) {
      throw notSupported(
        'DISTINCT before OVER is not supported: aggregate in a subquery first, and join or use the result',
        place,
      )
    }
    if (first.order_by || second?.order_by) {
      throw notSupported(
        'ORDER BY in the arguments before OVER is not supported: use OVER (ORDER BY …)',
        place,
      )
    }
    reader.next()
    const over = reader.take('(') ? { over_expr: windowIn(reader) } : { over_identifier: reader.name() }
    return reader.node('WindowFunction', start, {
      name,
      exprs: first.args,
      args: second?.args ?? [],
      ...over,
    })
  }
  const { args, distinct, order_by } = second ?? first
  const params = second ? first.args : null
  return reader.node('Call', start, { name, params, args, distinct, order_by, filter_expr: filter })
}

/** Returns whether the parentheses that come next contain a query. The call is then one of the result. */
const isQueryIn = (reader: Reader) =>
  /^(?:SELECT|WITH)$/.test(reader.after().word) && reader.isName(reader.after())

/** Parses the arguments after an opening parenthesis, up to the closing one. */
function argumentsOf(reader: Reader): Arguments {
  const distinct = reader.is('DISTINCT') && !/^[,.]$/.test(reader.after().word) && reader.take('DISTINCT')
  const isEmpty = reader.is(')') || reader.is('ORDER', 'BY')
  const args = isEmpty ? [] : reader.list()
  const order = reader.is('ORDER', 'BY') ? orderBy(reader) : null
  reader.expect(')')
  return { distinct, args, order_by: order }
}

function filterOf(reader: Reader): Expression | null {
  if (!reader.take('FILTER', '(', 'WHERE')) return null
  const filter = reader.expression()
  reader.expect(')')
  return filter
}

/** Parses a window after its opening parenthesis. */
export function windowIn(reader: Reader): WindowExpr {
  const { start } = reader.token
  const partition = reader.take('PARTITION', 'BY') ? reader.list() : null
  const order = reader.is('ORDER', 'BY') ? orderBy(reader) : null
  const method = reader.is('ROWS') || reader.is('RANGE') ? reader.next().word : null
  const isBetween = method !== null && reader.take('BETWEEN')
  const from = method === null ? null : frameBound(reader)
  if (isBetween) reader.expect('AND')
  const to = isBetween ? frameBound(reader) : null
  const window = reader.node('WindowExpr', start, {
    partition_by: partition,
    order_by: order,
    ...(method === null ? {} : { frame_method: method }),
    frame_start: from,
    frame_end: to,
  })
  reader.expect(')')
  return window
}

function frameBound(reader: Reader): WindowFrameExpr {
  const { start } = reader.token
  if (reader.take('CURRENT', 'ROW'))
    return reader.node('WindowFrameExpr', start, { frame_type: 'CURRENT ROW', frame_value: null })
  const bound = reader.take('UNBOUNDED') ? null : reader.expression(FRAME_PRECEDENCE)
  const type = reader.take('PRECEDING') ? 'PRECEDING' : (reader.expect('FOLLOWING'), 'FOLLOWING' as const)
  const isNumber = bound?.node === 'Constant' && typeof bound.value === 'number'
  return reader.node('WindowFrameExpr', start, {
    frame_type: type as 'PRECEDING',
    frame_value: isNumber ? (bound.value as number) : bound,
  })
}

/** The bounds of a frame have a higher precedence than the AND between them. */
const FRAME_PRECEDENCE = 5
