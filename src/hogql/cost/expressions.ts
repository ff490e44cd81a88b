// The widths of expressions' values, and the cost of evaluating them in the rows of a frame.
import { Buffer } from 'node:buffer'
import type { Aggregate, Expr, InChoices, Node } from '../ir'
import { isConstant } from '../joins'
import { literalOf } from '../ir-build'
import { keyOf, offsetOf } from '../ir-walk'
import { isSubselect, textOfCall, searchOfProperty, textOfShift, usesOfAggregate } from '../sqlite/uses'
import type { Type } from '../types'
import { aggregateWidth, windowWidth } from './aggregates'
import { type Formula, least, product, sum } from './formula'
import {
  type Totals,
  perRow,
  plus,
  scaled,
  totalBytes,
  arrayWidth,
  constantWidth,
  duplicated,
  asElement,
  typedWidth,
  eitherOf,
  expanded,
  rowBytes,
  type Width,
  numberWidth,
} from './width'
import { type Call, labelOf, readsBytes, resultOf, workOf } from './calls'
import { MAX_GROWN_BYTES, MAX_GROWTH } from '../computed/limits'
import { countOf, measuredValue } from './measures'
import type { Frame } from './scope'
import { timeOfSql } from './time-of-sql'
import {
  AGGREGATE,
  AGGREGATE_USE,
  BYTE,
  CONVERTED_PATTERN,
  COPIED_BYTE,
  DOCUMENT_BYTE,
  JSON_BYTE,
  LOOKUP,
  LOOKUP_RESULT,
  NUMBER_TEXT,
  OPERATION,
  SORTED_ROW,
} from './rates'

/** Returns the width of an expression, and adds the cost of its evaluation to that of the frame. */
export function estimateExpr(expr: Expr, frame: Frame): Width {
  const known = frame.groupKey?.(expr)
  if (known) return known
  const { rows } = frame
  const size = (each: Expr) => estimateExpr(each, frame)
  const operator = (...operands: Expr[]): Width => {
    const values = operands.map(size)
    spend(frame, 'expressions', sum(product(rows, OPERATION), product(totalBytes(values).sum, BYTE)))
    return numberWidth(rows, expr.node === 'arithmetic' ? countOfArithmetic(expr, values) : undefined)
  }
  switch (expr.node) {
    case 'literal':
      return typeof expr.value === 'string'
        ? constantWidth(rows, Buffer.byteLength(expr.value))
        : { ...constantWidth(rows, 8), count: perRow(rows, Math.max(0, Number(expr.value))) }
    case 'variable':
      return variable(expr, rows)
    case 'clock':
      return numberWidth(rows)
    case 'column':
      return columnValue(expr, frame)
    case 'element':
      return frame.element(expr.parameter)
    case 'property':
      return property(expr, frame)
    case 'call': {
      if (typeof rows === 'number' || !isConstant(expr) || !isSubselect(expr))
        return estimateCall(expr, frame)
      return duplicated(estimateCall(expr, { ...frame, rows: 1 }), rows)
    }
    case 'aggregate':
      return estimateAggregate(expr, frame)
    case 'window':
      return estimateWindow(expr, frame)
    case 'compare': {
      // A comparison ends where the shorter value ends.
      const [left, right] = [size(expr.left).bytes.sum, size(expr.right).bytes.sum]
      spend(frame, 'expressions', sum(product(rows, OPERATION), product(least(left, right), BYTE * 2)))
      return numberWidth(rows)
    }
    case 'arithmetic':
      return operator(expr.left, expr.right)
    case 'like':
      return like(expr, frame)
    case 'isNull':
    case 'not':
    case 'negate':
      return operator(expr.operand)
    case 'and':
    case 'or':
      for (const operand of expr.operands) size(operand)
      return numberWidth(rows)
    case 'in':
      return membership(expr, frame)
    case 'shift':
      spend(frame, 'expressions', ownTime(expr, textOfShift(expr, frame.costs.shared.timezone), rows))
      return operator(expr.moment, expr.amount)
    case 'case': {
      for (const { when } of expr.branches) size(when)
      const results = [...expr.branches.map(({ then }) => then), ...(expr.otherwise ? [expr.otherwise] : [])]
      return eitherOf(results.map(size))
    }
    case 'array':
    case 'tuple':
      return listOf(expr, frame)
    case 'lambda':
      return size(expr.body)
    case 'subquery': {
      const { columns } = frame.query(expr.query, frame.costs)
      return columns[0] ? duplicated(columns[0], rows) : numberWidth(rows)
    }
    case 'exists':
      frame.query(expr.query, frame.costs)
      return numberWidth(rows)
    case 'lookup': {
      const text = measuredValue(expr.operand, size(expr.operand), frame)
      spend(frame, 'functions', product(rows, LOOKUP_RESULT))
      const bytes = plus(scaled(text.bytes, MAX_GROWTH), perRow(rows, MAX_GROWN_BYTES))
      // Each element comes from another place of the text, so that there are at most as many as it has bytes.
      return expr.type.kind === 'array'
        ? arrayWidth(bytes, plus(text.bytes, perRow(rows, 1)), bytes.max, rows)
        : typedWidth(expr.type, bytes, rows)
    }
  }
}

/** Returns the time of an expression's SQL, which is evaluated once where no row changes it. */
const ownTime = (expr: Expr, sql: string, rows: Formula): Formula =>
  product(isConstant(expr) ? 1 : rows, timeOfSql(sql))

function countOfArithmetic({ op, right }: Node<'arithmetic'>, values: readonly Width[]): Totals | undefined {
  const [one, other] = values.map(({ count }) => count)
  if (op === '+') return one && other && plus(one, other)
  return op === '-' && Number(literalOf(right)) >= 0 ? one : undefined
}

const spend = ({ costs }: Frame, label: string, nanoseconds: Formula): void => costs.spend(label, nanoseconds)

function variable({ name, type }: Node<'variable'>, rows: Formula): Width {
  if (type.kind !== 'string' && type.kind !== 'array')
    return numberWidth(rows, perRow(rows, { op: 'variable', name, as: 'number' }))
  return typedWidth(type, perRow(rows, { op: 'variable', name, as: 'bytes' }), rows)
}

/** Returns the width of a column. A document is converted to text. */
function columnValue(expr: Node<'column'>, frame: Frame): Width {
  const value = frame.column(expr)
  if (expr.type.kind === 'json' && value.stored)
    spend(frame, 'properties', product(value.bytes.sum, JSON_BYTE))
  return value
}

function property(expr: Node<'property'>, frame: Frame): Width {
  const { document, path, type } = expr
  const isStored = document.node === 'column' && !/^c\d+$/.test(document.column)
  const { bytes } = isStored ? frame.column(document) : estimateExpr(document, frame)
  spend(
    frame,
    'properties',
    sum(product(frame.rows, LOOKUP), product(bytes.sum, isStored ? DOCUMENT_BYTE : JSON_BYTE * 2)),
  )
  const valueAt = (steps: Node<'property'>['path']): Width => ({
    ...typedWidth(type, bytes, frame.rows),
    stored: isStored ? { document: keyOf(document), path: String(steps[0] ?? ''), bytes } : null,
  })
  const search = searchOfProperty(expr)
  if (search) {
    const within = path.slice(0, search.from)
    const searched = measuredValue({ ...expr, path: within }, valueAt(within), frame)
    // The type and the value are searched for one after the other, at each of the steps.
    const parsed = product(searched.bytes.sum, JSON_BYTE * 2 * search.steps)
    spend(frame, 'properties', sum(product(frame.rows, timeOfSql(search.sql) + NUMBER_TEXT * 3), parsed))
  }
  return valueAt(path)
}

function listOf({ items }: Node<'array' | 'tuple'>, frame: Frame): Width {
  const { rows } = frame
  const values = items.map((item) => estimateExpr(item, frame))
  const bytes = values.map((value, index) => {
    const item = items[index]!
    if (item.node === 'literal') return perRow(rows, Buffer.byteLength(JSON.stringify(item.value)))
    return asElement(value.bytes, item.type)
  })
  const all = {
    sum: sum(...bytes.map((each) => each.sum), product(rows, 4 * items.length + 2)),
    max: sum(...bytes.map((each) => each.max), 4 * items.length + 2),
  }
  spend(frame, 'expressions', sum(product(rows, OPERATION), product(all.sum, BYTE)))
  return arrayWidth(all, perRow(rows, items.length), all.max, rows)
}

/** The most bytes of a pattern on D1. */
const MAX_PATTERN_BYTES = 50

function like({ left, right }: Node<'like'>, frame: Frame): Width {
  const [value, pattern] = [estimateExpr(left, frame), estimateExpr(right, frame)]
  const isWritten = right.node === 'literal'
  const compared = isWritten ? pattern.bytes.max : MAX_PATTERN_BYTES
  spend(
    frame,
    'LIKE',
    sum(
      product(frame.rows, isWritten ? OPERATION : OPERATION + CONVERTED_PATTERN),
      product(value.bytes.sum, BYTE),
      product(value.bytes.sum, compared, COPIED_BYTE),
    ),
  )
  return numberWidth(frame.rows)
}

function membership({ left, choices }: Node<'in'>, frame: Frame): Width {
  const { rows } = frame
  const value = estimateExpr(left, frame)
  spend(frame, 'expressions', sum(product(rows, OPERATION * 2), product(value.bytes.sum, BYTE)))
  choose(choices, frame)
  return numberWidth(rows)
}

function choose(choices: InChoices, frame: Frame): void {
  switch (choices.kind) {
    case 'list':
      for (const item of choices.items) estimateExpr(item, frame)
      return
    case 'array': {
      const { bytes, items } = estimateExpr(
        choices.array,
        isConstant(choices.array) ? { ...frame, rows: 1 } : frame,
      )
      spend(frame, 'IN', sum(product(items.sum, SORTED_ROW), product(bytes.sum, JSON_BYTE)))
      return
    }
    case 'query':
      frame.query(choices.query, frame.costs)
  }
}

/** Returns the frame of a lambda: a row for each element of the array. */
function elementFrame(frame: Frame, items: Totals, elements: ReadonlyMap<number, Width>): Frame {
  return {
    ...frame,
    rows: items.sum,
    groupKey: (expr) => {
      const width = frame.groupKey?.(expr)
      return width && expanded(width, items)
    },
    // What a lambda reads of the row is measured in the rows.
    column: (read) => {
      const value = frame.column(read)
      return expanded(read.type.kind === 'json' ? value : measuredValue(read, value, frame), items)
    },
    element: (parameter) => elements.get(parameter) ?? expanded(frame.element(parameter), items),
    measure: null,
  }
}

function estimateCall(node: Node<'call'>, frame: Frame): Width {
  const { args, fn, type } = node
  const { rows, costs } = frame
  // A number or a boolean is read from a document without conversion.
  if ((fn === 'toFloat' || fn === 'toBool') && args[0]!.node === 'property') {
    estimateExpr(args[0]!, frame)
    spend(frame, 'properties', product(rows, LOOKUP * 2))
    return numberWidth(rows)
  }
  const types = args.map((each) => each.type)
  const { sql, uses } = textOfCall(node, costs.shared.timezone)
  const sizes: Width[] = Array.from({ length: args.length })
  const look = (index: number, each: Frame) => {
    const apart = { ...each, costs: costs.fork() }
    sizes[index] = measuredValue(args[index]!, estimateExpr(args[index]!, apart), each)
    costs.add(apart.costs, Math.max(1, uses[index] ?? 1))
  }
  args.forEach((each, index) => each.node !== 'lambda' && look(index, frame))
  args.forEach((each, index) => {
    if (each.node !== 'lambda') return
    const arrays = sizes.slice(1)
    const elements = new Map(
      each.parameters.map((id, place) => [id, elementOf(arrays[place]!, args[place + 1]!.type)] as const),
    )
    look(index, elementFrame(frame, arrays[0]!.items, elements))
  })
  const made: Call = {
    fn,
    rows,
    args: sizes,
    hasLambda: args[0]?.node === 'lambda',
    types,
    type,
    constants: args.map((each) => (each.node === 'literal' ? each.value : undefined)),
    isConstant: (index) => isConstant(args[index]!),
    count: (index) => countOf(args[index]!, sizes[index]!, frame),
  }
  const result = resultOf(made)
  const read = sizes.filter((_, index) => args[index]!.node !== 'lambda' && readsBytes(fn, types[index]!))
  spend(
    frame,
    labelOf(fn, types),
    sum(
      product(rows, OPERATION),
      ownTime(node, sql, rows),
      product(sum(rowBytes(read).sum, result.bytes.sum), BYTE),
      workOf(made),
    ),
  )
  return result
}

/** Returns the width of an array's elements, in the rows of all elements. */
function elementOf({ bytes, items, element }: Width, type: Type): Width {
  return typedWidth(
    type.kind === 'array' ? type.of : type,
    { sum: bytes.sum, max: least(element, bytes.max) },
    items.sum,
  )
}

function estimateAggregate(node: Aggregate, frame: Frame): Width {
  const inner = frame.aggregated
  if (!inner) throw new Error('an aggregate where there is none')
  const uses = usesOfAggregate(node)
  // A subquery has a column for each argument and condition that several aggregates read, or that one reads several times.
  const read = (expr: Expr): Width => {
    const size = inner.values?.get(keyOf(expr)) ?? estimateExpr(expr, inner)
    inner.values?.set(keyOf(expr), size)
    return size
  }
  const args = node.args.map(read)
  if (node.filter) read(node.filter)
  spend(
    inner,
    'aggregates',
    sum(
      product(inner.rows, AGGREGATE + AGGREGATE_USE * uses.reduce((all, each) => all + each, 0)),
      product(totalBytes(args).sum, BYTE),
    ),
  )
  return aggregateWidth(node, args, inner, frame.rows)
}

/** Returns the number of rows that a window function reads for each row, at least one; null when it may read a whole partition. */
function frameRows({ over: { frame } }: Node<'window'>): number | null {
  if (frame?.unit !== 'rows') return null
  const rows = offsetOf(frame.end) - offsetOf(frame.start) + 1
  return Number.isFinite(rows) ? Math.max(1, rows) : null
}

function estimateWindow(node: Node<'window'>, frame: Frame): Width {
  const { rows } = frame
  const args = node.args.map((arg) => measuredValue(arg, estimateExpr(arg, frame), frame))
  if (node.filter) estimateExpr(node.filter, frame)
  sortForWindow(node, frame)
  const bytes = totalBytes(args).sum
  spend(frame, 'window functions', sum(product(rows, AGGREGATE * 2), product(bytes, BYTE)))
  frame.costs.hold(bytes)
  return windowWidth(node, args, frame, frameRows(node))
}

/** Adds the cost of the rows in the order of a window. SQLite sorts them once for all functions over the same window. */
function sortForWindow({ over }: Node<'window'>, frame: Frame): void {
  const key = JSON.stringify([
    over.partitionBy.map(keyOf),
    over.orderBy.map(({ expr, ...order }) => [keyOf(expr), order]),
    over.frame,
  ])
  if (frame.windows.has(key)) return
  frame.windows.add(key)
  const keys = [...over.partitionBy, ...over.orderBy.map(({ expr }) => expr)].map((expr) =>
    estimateExpr(expr, frame),
  )
  const bytes = totalBytes(keys).sum
  spend(frame, 'window functions', sum(product(frame.rows, SORTED_ROW), product(bytes, BYTE)))
  frame.costs.hold(bytes)
}
