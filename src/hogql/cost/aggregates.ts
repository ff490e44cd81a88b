// The widths of aggregates and window functions, and the bytes that they hold.
import { findFunction } from '../functions/catalogue'
import type { Aggregate, Expr } from '../ir'
import { hasBytes } from '../types'
import { type Formula, least, product, sum } from './formula'
import {
  type Totals,
  perRow,
  plus,
  scaled,
  arrayWidth,
  duplicated,
  filtered,
  eitherOf,
  type Width,
  numberWidth,
  textWidth,
} from './width'
import type { Frame } from './scope'
import { BYTE, JSON_BYTE, ROW_OVERHEAD, SORTED_ROW } from './rates'

type WindowCall = Extract<Expr, { node: 'window' }>
type Call = Pick<Aggregate, 'fn' | 'args' | 'params' | 'distinct' | 'type'>

const ESCAPED = 6

/**
 * @param args widths of its arguments, in the rows that it reads
 * @param read the frame of those rows
 * @param groups the number of results
 */
export function aggregateWidth(node: Call, args: readonly Width[], read: Frame, groups: Formula): Width {
  const { fn, type } = node
  const spec = findFunction(fn)
  if (spec?.kind !== 'aggregate') throw new Error(`${fn} is no aggregate`)
  const [first] = args
  if (node.distinct || spec.isDistinct || fn.startsWith('uniq')) sorted(read, args)
  const types = node.args.map((arg) => arg.type)
  if (spec.ranked?.(types, node)) ranked(read, args)
  if (spec.keeps || type.kind === 'array' || fn === 'groupConcat') {
    const all = collected(node, args, read)
    if (type.kind === 'string') return textWidth(all, groups)
    const element = fn === 'sumMap' ? all.max : scaled(first!.bytes, ESCAPED).max
    return type.kind === 'array'
      ? arrayWidth(all, { sum: read.rows, max: read.rows }, element, groups)
      : numberWidth(groups)
  }
  return hasBytes(type) && first ? filtered(first, groups) : numberWidth(groups)
}

/** The bytes of all rows, which may belong to one group. A function of several arguments sorts what it has collected, once for each. */
function collected({ fn, args: { length } }: Call, args: readonly Width[], read: Frame): Totals {
  const { costs, rows } = read
  const each = plus(
    ...args.map(({ bytes }) => scaled(bytes, fn === 'groupConcat' ? 1 : ESCAPED)),
    perRow(rows, 32),
  )
  costs.hold(each.sum)
  costs.spend('aggregates', product(each.sum, JSON_BYTE * length))
  if (length > 1 && fn !== 'groupConcat') for (const _ of args) sorted(read, args)
  return { sum: each.sum, max: each.sum }
}

function sorted({ costs, rows }: Frame, args: readonly Width[]): void {
  const bytes = plus(...args.map((arg) => arg.bytes))
  costs.spend('aggregates', sum(product(rows, SORTED_ROW), product(bytes.sum, BYTE * 2)))
  costs.hold(sum(bytes.sum, product(rows, ROW_OVERHEAD)))
}

/** Window functions sort the rows, which are then read once more. */
function ranked(frame: Frame, args: readonly Width[]): void {
  sorted(frame, args)
  frame.costs.spend('aggregates', product(frame.rows, SORTED_ROW * 8))
}

/** @param size rows that one result is made of; null for all */
export function windowWidth(
  node: WindowCall,
  args: readonly Width[],
  frame: Frame,
  size: number | null,
): Width {
  const { fn, type } = node
  const { rows, costs } = frame
  const [first] = args
  if (findFunction(fn)?.kind === 'window') {
    if (!hasBytes(type) || !first) return numberWidth(rows)
    const [, distance] = node.args
    // A neighbour at a constant distance is that of at most one row.
    const isOfOne = NEIGHBOURS.has(fn) && (distance === undefined || distance.node === 'literal')
    const found = isOfOne ? first : duplicated(first, rows)
    return args[2] ? eitherOf([found, args[2]]) : found
  }
  const collects = type.kind === 'array' || fn === 'groupConcat'
  const all = aggregateWidth({ ...node, distinct: false }, args, frame, collects ? 1 : rows)
  if (!collects) return duplicated(all, rows)
  // Every row may have all values of its frame.
  const own = scaled(first!.bytes, ESCAPED)
  const most = size === null ? all.bytes.max : least(all.bytes.max, product(size, sum(own.max, 4)))
  const every = duplicated({ ...all, bytes: { sum: most, max: most } }, rows)
  costs.spend('window functions', product(every.bytes.sum, JSON_BYTE))
  return every
}

const NEIGHBOURS: ReadonlySet<string> = new Set(['lag', 'lead', 'lagInFrame', 'leadInFrame'])
