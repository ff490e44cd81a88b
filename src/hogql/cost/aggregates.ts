// The widths of aggregates and window functions, and the bytes that they hold.
import type { Aggregate, Expr } from '../ir'
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

const ESCAPED = 6

/**
 * @param args widths of its arguments, in the rows that it reads
 * @param read the frame of those rows
 * @param groups the number of results
 */
export function aggregateWidth(
  { fn, distinct }: Pick<Aggregate, 'fn' | 'distinct'>,
  args: readonly Width[],
  read: Frame,
  groups: Formula,
): Width {
  const [first] = args
  const { costs, rows } = read
  if (distinct || fn.startsWith('uniq')) sorted(read, args)
  switch (fn) {
    case 'count':
    case 'sum':
    case 'avg':
    case 'avgWeighted':
    case 'boolOr':
    case 'boolAnd':
    case 'uniq':
    case 'uniqExact':
    case 'uniqHLL12':
    case 'uniqCombined':
    case 'uniqCombined64':
    case 'varPop':
    case 'varSamp':
    case 'stddevPop':
    case 'stddevSamp':
    case 'covarPop':
    case 'covarSamp':
    case 'corr':
    case 'skewPop':
    case 'skewSamp':
    case 'kurtPop':
    case 'kurtSamp':
    case 'groupBitOr':
    case 'groupBitAnd':
    case 'groupBitXor':
      return numberWidth(groups)
    case 'min':
    case 'max':
    case 'any':
    case 'anyLast':
      return filtered(first!, groups)
    case 'argMax':
    case 'argMin':
      // Where the key does not sort as text, the rows are ranked.
      ranked(read, args)
      return filtered(first!, groups)
    case 'quantile':
    case 'median':
    case 'quantileTDigest':
    case 'quantileExactInclusive':
    case 'quantileExact':
      ranked(read, args)
      return filtered(first!, groups)
    case 'quantiles':
    case 'quantilesExact':
      ranked(read, args)
      return arrayWidth(perRow(groups, 20 * 32), perRow(groups, 20), 32, groups)
    case 'groupArray':
    case 'groupUniqArray':
    case 'topK': {
      const all = gathered(first!, rows)
      costs.hold(all.sum)
      costs.spend('aggregates', product(all.sum, JSON_BYTE))
      if (fn === 'topK') ranked(read, args)
      else if (fn === 'groupUniqArray') sorted(read, args)
      return arrayWidth(all, { sum: rows, max: rows }, scaled(first!.bytes, ESCAPED).max, groups)
    }
    // The rows are collected; each level of a funnel sorts them again.
    case 'windowFunnel':
    case 'sumMap': {
      const all = total(plus(...args.map((arg) => scaled(arg.bytes, ESCAPED)), perRow(rows, 32)))
      costs.hold(all.sum)
      costs.spend('aggregates', product(all.sum, JSON_BYTE * args.length))
      for (const _ of args) sorted(read, args)
      return fn === 'sumMap'
        ? arrayWidth(all, { sum: rows, max: rows }, all.max, groups)
        : numberWidth(groups)
    }
    case 'groupConcat': {
      const separators = args[1]?.bytes ?? perRow(rows, 0)
      const all = total(plus(first!.bytes, separators, perRow(rows, 32)))
      costs.hold(all.sum)
      costs.spend('aggregates', product(all.sum, BYTE))
      return textWidth(all, groups)
    }
    default:
      throw new Error(`no bound for the aggregate ${fn}`)
  }
}

/** All rows may belong to one group. */
const total = (extent: Totals): Totals => ({ sum: extent.sum, max: extent.sum })

const gathered = (value: Width, rows: Formula): Totals =>
  total(plus(scaled(value.bytes, ESCAPED), perRow(rows, 4)))

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
  const { fn } = node
  const { rows, costs } = frame
  const [first] = args
  switch (fn) {
    case 'row_number':
    case 'rank':
    case 'dense_rank':
    case 'percent_rank':
    case 'cume_dist':
    case 'ntile':
      return numberWidth(rows)
    case 'lag':
    case 'lead':
    case 'lagInFrame':
    case 'leadInFrame': {
      // At a constant distance each value is used by at most one row.
      const [, distance] = node.args
      const found = distance === undefined || distance.node === 'literal' ? first! : duplicated(first!, rows)
      return args[2] ? eitherOf([found, args[2]]) : found
    }
    case 'first_value':
    case 'last_value':
    case 'nth_value':
      return duplicated(first!, rows)
    case 'groupArray':
    case 'groupUniqArray':
    case 'groupConcat': {
      // Every row may have all values of its frame.
      const all = aggregateWidth({ fn, distinct: false }, args, frame, 1)
      const own = scaled(first!.bytes, ESCAPED)
      const most = size === null ? all.bytes.max : least(all.bytes.max, product(size, sum(own.max, 4)))
      const every = duplicated({ ...all, bytes: { sum: most, max: most } }, rows)
      costs.spend('window functions', product(every.bytes.sum, JSON_BYTE))
      return every
    }
    default:
      return duplicated(aggregateWidth({ fn, distinct: false }, args, frame, rows), rows)
  }
}
