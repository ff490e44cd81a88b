// Expressions: how large their values are, and what evaluating them takes, in the rows of a frame.
import { Buffer } from 'node:buffer'
import type { Aggregate, Expr, InChoices, Query } from '../ir'
import { isConstant } from '../joins'
import { keyOf } from '../resolve/ir-walk'
import { isSubselect, usesOfAggregate, usesOfCall } from '../sqlite/uses'
import type { Type } from '../types'
import { aggregateBound, windowBound } from './aggregates'
import { type Amount, least, product, sum } from './amount'
import { type Extent, inEach, scaled, times } from './extent'
import type { Call } from './bound'
import { boundOf } from './functions'
import { countOf, measuredValue } from './measured-values'
import type { Frame } from './scope'
import {
  AGGREGATE,
  BYTE,
  COPIED_BYTE,
  DOCUMENT_BYTE,
  JSON_BYTE,
  LOOKUP,
  OPERATION,
  SORTED_ROW,
} from './rates'
import { allOf, array, constant, inAny, ofType, oneOf, repeated, rowBytes, type Sized, small } from './sized'

type Node<N extends Expr['node']> = Extract<Expr, { node: N }>

/** The size of an expression's values. What evaluating it takes goes to the frame's ledger. */
export function sizeOf(expr: Expr, frame: Frame): Sized {
  const known = frame.known?.get(keyOf(expr))
  if (known) return known
  const { rows } = frame
  const size = (each: Expr) => sizeOf(each, frame)
  const operator = (...operands: Expr[]): Sized => {
    const values = operands.map(size)
    spend(frame, 'expressions', sum(product(rows, OPERATION), product(allOf(values).sum, BYTE)))
    return small(rows)
  }
  switch (expr.node) {
    case 'literal':
      return constant(rows, typeof expr.value === 'string' ? Buffer.byteLength(expr.value) : 8)
    case 'variable':
      return variable(expr, rows)
    case 'clock':
      return small(rows)
    case 'column':
      return columnValue(expr, frame)
    case 'element':
      return frame.element(expr.parameter)
    case 'property':
      return property(expr, frame)
    case 'call': {
      if (typeof rows === 'number' || !isConstant(expr) || !isSubselect(expr)) return sizeOfCall(expr, frame)
      return inAny(sizeOfCall(expr, { ...frame, rows: 1 }), rows)
    }
    case 'aggregate':
      return sizeOfAggregate(expr, frame)
    case 'window':
      return sizeOfWindow(expr, frame)
    case 'compare':
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
      return small(rows)
    case 'in':
      return membership(expr, frame)
    case 'shift':
      return operator(expr.moment, expr.amount)
    case 'case': {
      for (const { when } of expr.branches) size(when)
      const values = [
        ...expr.branches.map((branch) => branch.then),
        ...(expr.otherwise ? [expr.otherwise] : []),
      ].map(size)
      return oneOf(values)
    }
    case 'array':
    case 'tuple':
      return listOf(expr, frame)
    case 'lambda':
      return size(expr.body)
    case 'subquery': {
      const { columns } = estimateInside(expr.query, frame)
      return columns[0] ? inAny(columns[0], rows) : small(rows)
    }
    case 'exists':
      estimateInside(expr.query, frame)
      return small(rows)
  }
}

const spend = ({ ledger }: Frame, label: string, nanoseconds: Amount): void =>
  ledger.spend(label, nanoseconds)

function variable({ name, type }: Node<'variable'>, rows: Amount): Sized {
  if (type.kind !== 'string' && type.kind !== 'array') return small(rows)
  return ofType(type, inEach(rows, { op: 'variable', name, as: 'bytes' }), rows)
}

/** A document becomes text where it is a value. */
function columnValue(expr: Node<'column'>, frame: Frame): Sized {
  const value = frame.column(expr.source, expr.column)
  if (expr.type.kind === 'json' && value.stored)
    spend(frame, 'properties', product(value.bytes.sum, JSON_BYTE))
  return value
}

function property({ document, path, type }: Node<'property'>, frame: Frame): Sized {
  const isStored = document.node === 'column' && !/^c\d+$/.test(document.column)
  const { bytes } = isStored ? frame.column(document.source, document.column) : sizeOf(document, frame)
  spend(
    frame,
    'properties',
    sum(product(frame.rows, LOOKUP), product(bytes.sum, isStored ? DOCUMENT_BYTE : JSON_BYTE * 2)),
  )
  const value = ofType(type, bytes, frame.rows)
  return { ...value, stored: isStored ? { document: keyOf(document), path: path[0] ?? '', bytes } : null }
}

function listOf({ items }: Node<'array' | 'tuple'>, frame: Frame): Sized {
  const { rows } = frame
  const values = items.map((item) => sizeOf(item, frame))
  // Characters of texts may be escaped; numbers and moments never are.
  const bytes = values.map((value, index) => {
    const item = items[index]!
    if (item.node === 'literal') return inEach(rows, Buffer.byteLength(JSON.stringify(item.value)))
    return isText(item.type) ? scaled(value.bytes, 6) : value.bytes
  })
  const all = {
    sum: sum(...bytes.map((each) => each.sum), product(rows, 4 * items.length + 2)),
    max: sum(...bytes.map((each) => each.max), 4 * items.length + 2),
  }
  spend(frame, 'expressions', sum(product(rows, OPERATION), product(all.sum, BYTE)))
  return array(all, inEach(rows, items.length), all.max, rows)
}

const isText = ({ kind }: Type): boolean => kind === 'string' || kind === 'json'

/** D1 takes no pattern that is longer. */
const MAX_PATTERN_BYTES = 50

function like({ left, right }: Node<'like'>, frame: Frame): Sized {
  const [value, pattern] = [sizeOf(left, frame), sizeOf(right, frame)]
  const compared = right.node === 'literal' ? pattern.bytes.max : MAX_PATTERN_BYTES
  spend(
    frame,
    'LIKE',
    sum(
      product(frame.rows, OPERATION),
      product(value.bytes.sum, BYTE),
      product(value.bytes.sum, compared, COPIED_BYTE),
    ),
  )
  return small(frame.rows)
}

function membership({ left, choices }: Node<'in'>, frame: Frame): Sized {
  const { rows } = frame
  const value = sizeOf(left, frame)
  spend(frame, 'expressions', sum(product(rows, OPERATION * 2), product(value.bytes.sum, BYTE)))
  choose(choices, frame)
  return small(rows)
}

function choose(choices: InChoices, frame: Frame): void {
  switch (choices.kind) {
    case 'list':
      for (const item of choices.items) sizeOf(item, frame)
      return
    case 'array': {
      const { bytes, items } = sizeOf(
        choices.array,
        isConstant(choices.array) ? { ...frame, rows: 1 } : frame,
      )
      spend(frame, 'IN', sum(product(items.sum, SORTED_ROW), product(bytes.sum, JSON_BYTE)))
      return
    }
    case 'query':
      estimateInside(choices.query, frame)
  }
}

/** A query inside an expression: it runs once, or for every row where it reads something of the row. */
function estimateInside(query: Query, frame: Frame): { rows: Amount; columns: readonly Sized[] } {
  return frame.query(query, frame)
}

/** A value that is looked at in each row of a lambda: the rows of the frame, as often as their arrays have elements. */
function elementFrame(frame: Frame, items: Extent, elements: ReadonlyMap<number, Sized>): Frame {
  return {
    ...frame,
    rows: items.sum,
    known: new Map([...(frame.known ?? [])].map(([key, value]) => [key, repeated(value, items)])),
    column: (source, column) => repeated(frame.column(source, column), items),
    element: (parameter) => elements.get(parameter) ?? repeated(frame.element(parameter), items),
    measure: null,
  }
}

function sizeOfCall(node: Node<'call'>, frame: Frame): Sized {
  const { args, fn, type } = node
  const { rows, ledger } = frame
  const bound = boundOf(fn)
  // Numbers and booleans are read out of a document as they are.
  if ((fn === 'toFloat' || fn === 'toBool') && args[0]!.node === 'property') {
    sizeOf(args[0]!, frame)
    spend(frame, 'properties', product(rows, LOOKUP * 2))
    return small(rows)
  }
  const isSensitive = bound.work !== undefined || isText(type) || type.kind === 'array'
  const uses = usesOfCall(node)
  const sizes: Sized[] = Array.from({ length: args.length })
  const look = (index: number, each: Frame) => {
    const apart = { ...each, ledger: ledger.fork() }
    const size = sizeOf(args[index]!, apart)
    sizes[index] = isSensitive ? measuredValue(args[index]!, size, each) : size
    ledger.add(apart.ledger, Math.max(1, uses[index] ?? 1))
  }
  args.forEach((each, index) => each.node !== 'lambda' && look(index, frame))
  args.forEach((each, index) => {
    if (each.node !== 'lambda') return
    const arrays = sizes.slice(1)
    const elements = new Map(
      each.parameters.map(
        (id, place) => [id, elementOf(arrays[place]!, elementType(args[place + 1]!.type))] as const,
      ),
    )
    look(index, elementFrame(frame, arrays[0]!.items, elements))
  })
  const made: Call = {
    rows,
    args: sizes,
    hasLambda: args[0]?.node === 'lambda',
    types: args.map((each) => each.type),
    type,
    constants: args.map((each) => (each.node === 'literal' ? each.value : undefined)),
    pairs: (one, other) => times(sizes[one]!.bytes, sizes[other]!.bytes).sum,
    count: (index) => countOf(args[index]!, frame),
  }
  const result = bound.gives(made)
  const read = sizes.filter((_, index) => args[index]!.node !== 'lambda')
  spend(
    frame,
    LABELS.has(fn) ? `function '${fn}'` : 'functions',
    sum(
      product(rows, OPERATION),
      product(sum(rowBytes(read).sum, result.bytes.sum), BYTE),
      bound.work?.(made) ?? 0,
    ),
  )
  return PASSED_ON.has(fn) ? result : { ...result, stored: null }
}

/** Functions that an error names when most of a query's cost is theirs. */
const LABELS: ReadonlySet<string> = new Set(
  (
    'repeat leftPad rightPad range reverse replaceAll replaceOne splitByChar splitByString position positionCaseInsensitive ' +
    'countSubstrings arrayStringConcat arrayConcat arrayMap arrayFilter arrayFirst arrayLast arrayFirstIndex arrayExists arrayAll ' +
    'arrayCount arraySort arrayReverseSort arraySum arrayAvg arrayMin arrayMax arrayCumSum arrayDifference arrayZip arrayIntersect ' +
    'hasAny hasAll concat'
  ).split(' '),
)

const PASSED_ON: ReadonlySet<string> = new Set(['toString', 'identity', 'assumeNotNull', 'toNullable'])

const elementType = (type: Type): Type => (type.kind === 'array' ? type.of : type)

/** The elements of an array, in the rows of all elements. */
function elementOf({ bytes, items, element }: Sized, type: Type): Sized {
  return ofType(type, { sum: bytes.sum, max: least(element, bytes.max) }, items.sum)
}

function sizeOfAggregate(node: Aggregate, frame: Frame): Sized {
  const inner = frame.aggregated
  if (!inner) throw new Error('an aggregate where there is none')
  const uses = usesOfAggregate(node)
  const args = node.args.map((arg, index) => {
    const apart = { ...inner, ledger: inner.ledger.fork() }
    const size = sizeOf(arg, apart)
    inner.ledger.add(apart.ledger, Math.max(1, uses[index] ?? 1))
    return size
  })
  if (node.filter) sizeOf(node.filter, inner)
  spend(
    inner,
    'aggregates',
    sum(product(inner.rows, AGGREGATE, Math.max(1, ...uses)), product(allOf(args).sum, BYTE)),
  )
  return aggregateBound(node, args, inner, frame.rows)
}

function sizeOfWindow(node: Node<'window'>, frame: Frame): Sized {
  const { rows } = frame
  const args = node.args.map((arg) => sizeOf(arg, frame))
  if (node.filter) sizeOf(node.filter, frame)
  const keys = [...node.over.partitionBy, ...node.over.orderBy.map(({ expr }) => expr)].map((expr) =>
    sizeOf(expr, frame),
  )
  const bytes = sum(allOf(args).sum, allOf(keys).sum)
  spend(frame, 'window functions', sum(product(rows, SORTED_ROW + AGGREGATE * 2), product(bytes, BYTE)))
  frame.ledger.hold(bytes)
  return windowBound(
    node,
    args.map((arg, index) => measuredValue(node.args[index]!, arg, frame)),
    frame,
  )
}
