// The widths of aggregates and window functions, and the bytes that they hold.
import { isByKey } from '../functions/aggregates/gathered'
import { findFunction } from '../functions/catalogue'
import type { Aggregate, Expr } from '../ir'
import { hasBytes } from '../types'
import { type Formula, least, product, sum } from './formula'
import {
  type Totals,
  perRow,
  plus,
  arrayWidth,
  duplicated,
  asElement,
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

/**
 * Returns the width of an aggregate's results, and adds its cost to that of the frame.
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
  const ranking = spec.ranked?.(types, node) ?? null
  const isFirst = ranking !== null && 'by' in ranking && ranking.by === 'reading'
  if (ranking) ranked(read, args, isFirst)
  if (spec.keeps || type.kind === 'array' || fn === 'groupConcat') {
    const each = isFirst ? Number(node.params[0]) : null
    const items = mostOf(each ?? Infinity, read, groups)
    const all = collected(node, args, read, items)
    if (type.kind === 'string') return textWidth(all, groups)
    const element = isByKey(fn) ? all.max : asElement(first!.bytes, types[0]!).max
    return type.kind === 'array' ? arrayWidth(all, items, element, groups) : numberWidth(groups)
  }
  if (hasBytes(type) && first) return filtered(first, groups)
  // The steps are the arguments after the time.
  return numberWidth(groups, fn === 'windowFunnel' ? perRow(groups, args.length - 1) : undefined)
}

/** Returns how many rows the groups keep, each at most `each`. */
const mostOf = (each: number, { rows, largest = rows }: Frame, groups: Formula): Totals => ({
  sum: each === Infinity ? rows : least(rows, product(groups, each)),
  max: least(largest, each),
})

/**
 * Returns the bytes of the rows that are collected. A function of several arguments sorts what it has collected, once for each argument.
 * @param items how many rows are collected
 */
function collected({ fn, args: values }: Call, args: readonly Width[], read: Frame, items: Totals): Totals {
  const { costs, rows } = read
  const each = plus(
    ...args.map(({ bytes }, index) => (fn === 'groupConcat' ? bytes : asElement(bytes, values[index]!.type))),
    perRow(rows, 32),
  )
  const all = items.sum === rows ? each.sum : least(each.sum, product(items.sum, each.max))
  costs.hold(all)
  costs.spend('aggregates', product(all, JSON_BYTE * args.length))
  if (args.length > 1 && fn !== 'groupConcat') for (const _ of args) sorted(read, args)
  return { sum: all, max: items.max === rows ? all : least(all, product(items.max, each.max)) }
}

function sorted({ costs, rows }: Frame, args: readonly Width[]): void {
  const bytes = plus(...args.map((arg) => arg.bytes))
  costs.spend('aggregates', sum(product(rows, SORTED_ROW), product(bytes.sum, BYTE * 2)))
  costs.hold(sum(bytes.sum, product(rows, ROW_OVERHEAD)))
}

/**
 * Adds the cost of ranking the rows: window functions sort them, and the result is read once more. Rows in the order of reading are only
 * numbered.
 */
function ranked(frame: Frame, args: readonly Width[], isNumbered: boolean): void {
  sorted(frame, args)
  frame.costs.spend('aggregates', product(frame.rows, SORTED_ROW * (isNumbered ? 2 : 8)))
}

/**
 * Returns the width of a window function's results, and adds its cost to that of the frame.
 * @param size rows that one result is made of; null for all
 */
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
    const found = duplicated(first, rows)
    return args[2] ? eitherOf([found, args[2]]) : found
  }
  const collects = type.kind === 'array' || fn === 'groupConcat'
  const all = aggregateWidth({ ...node, params: [], distinct: false }, args, frame, collects ? 1 : rows)
  if (!collects) return duplicated(all, rows)
  // Each row may have all values of its frame.
  const own = asElement(first!.bytes, node.args[0]!.type)
  const most = size === null ? all.bytes.max : least(all.bytes.max, product(size, sum(own.max, 4)))
  const every = duplicated({ ...all, bytes: { sum: most, max: most } }, rows)
  costs.spend('window functions', product(every.bytes.sum, JSON_BYTE))
  return every
}
