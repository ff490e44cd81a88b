// Aggregates and window functions: how large what each gives may be, and what it holds meanwhile.
import type { Aggregate, Expr } from '../ir'
import { type Amount, product, sum } from './amount'
import { type Extent, inEach, plus, scaled } from './extent'
import type { Frame } from './scope'
import { BYTE, JSON_BYTE, ROW_OVERHEAD, SORTED_ROW } from './rates'
import { array, inAny, inSome, oneOf, type Sized, small, text } from './sized'

type WindowCall = Extract<Expr, { node: 'window' }>

const ESCAPED = 6

/**
 * What an aggregate gives.
 * @param args sizes of its arguments, in the rows that it reads.
 * @param read the frame of those rows.
 * @param groups how many values it gives.
 */
export function aggregateBound(
  { fn, distinct }: Pick<Aggregate, 'fn' | 'distinct'>,
  args: readonly Sized[],
  read: Frame,
  groups: Amount,
): Sized {
  const [first] = args
  const { ledger, rows } = read
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
      return small(groups)
    case 'min':
    case 'max':
    case 'any':
    case 'anyLast':
      return inSome(first!, groups)
    case 'argMax':
    case 'argMin':
      // Where the order is not that of its text, the rows are put in order.
      ranked(read, args)
      return inSome(first!, groups)
    case 'quantile':
    case 'median':
    case 'quantileTDigest':
    case 'quantileExactInclusive':
    case 'quantileExact':
      ranked(read, args)
      return inSome(first!, groups)
    case 'quantiles':
    case 'quantilesExact':
      ranked(read, args)
      return array(inEach(groups, 20 * 32), inEach(groups, 20), 32, groups)
    case 'groupArray':
    case 'groupUniqArray':
    case 'topK': {
      const all = gathered(first!, rows)
      ledger.hold(all.sum)
      ledger.spend('aggregates', product(all.sum, JSON_BYTE))
      if (fn !== 'groupArray') sorted(read, args)
      return array(all, { sum: rows, max: rows }, scaled(first!.bytes, ESCAPED).max, groups)
    }
    case 'groupConcat': {
      const separators = args[1]?.bytes ?? inEach(rows, 0)
      const all = total(plus(first!.bytes, separators, inEach(rows, 32)))
      ledger.hold(all.sum)
      ledger.spend('aggregates', product(all.sum, BYTE))
      return text(all, groups)
    }
    default:
      throw new Error(`no bound for the aggregate ${fn}`)
  }
}

/** All rows may be of one group. */
const total = (extent: Extent): Extent => ({ sum: extent.sum, max: extent.sum })

const gathered = (value: Sized, rows: Amount): Extent =>
  total(plus(scaled(value.bytes, ESCAPED), inEach(rows, 4)))

function sorted({ ledger, rows }: Frame, args: readonly Sized[]): void {
  const bytes = plus(...args.map((arg) => arg.bytes))
  ledger.spend('aggregates', sum(product(rows, SORTED_ROW), product(bytes.sum, BYTE * 2)))
  ledger.hold(sum(bytes.sum, product(rows, ROW_OVERHEAD)))
}

/** Rows are put in order by window functions, and then read once more. */
function ranked(frame: Frame, args: readonly Sized[]): void {
  sorted(frame, args)
  frame.ledger.spend('aggregates', product(frame.rows, SORTED_ROW * 8))
}

/** What a function over a window gives, in the rows of its frame. */
export function windowBound(node: WindowCall, args: readonly Sized[], frame: Frame): Sized {
  const { fn } = node
  const { rows, ledger } = frame
  const [first] = args
  switch (fn) {
    case 'row_number':
    case 'rank':
    case 'dense_rank':
    case 'percent_rank':
    case 'cume_dist':
    case 'ntile':
      return small(rows)
    case 'lag':
    case 'lead':
    case 'lagInFrame':
    case 'leadInFrame': {
      // At a constant distance no row gives its value twice.
      const [, distance] = node.args
      const found = distance === undefined || distance.node === 'literal' ? first! : inAny(first!, rows)
      return args[2] ? oneOf([found, args[2]]) : found
    }
    case 'first_value':
    case 'last_value':
    case 'nth_value':
      return inAny(first!, rows)
    case 'groupArray':
    case 'groupUniqArray':
    case 'groupConcat': {
      // Every row has all that its frame gathers.
      const all = aggregateBound({ fn, distinct: false }, args, frame, 1)
      const every = inAny({ ...all, bytes: { sum: all.bytes.max, max: all.bytes.max } }, rows)
      ledger.spend('window functions', product(every.bytes.sum, JSON_BYTE))
      return every
    }
    default:
      return inAny(aggregateBound({ fn, distinct: false }, args, frame, rows), rows)
  }
}
