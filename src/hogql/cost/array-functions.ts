import { Buffer } from 'node:buffer'
import type { Literal } from '../ir'
import type { Type } from '../types'
import { type Formula, least, product, sum } from './formula'
import {
  type Totals,
  scaled,
  type Width,
  numberWidth,
  perRow,
  plus,
  times,
  totalBytes,
  arrayWidth,
  jsonArrayWidth,
  filtered,
  typedWidth,
  eitherOf,
  textWidth,
} from './width'
import { MAX_LENGTH } from '../functions/limits'
import { CHARACTER, CHARACTERS, COPIED_BYTE, JSON_BYTE, MADE_ROW, SORTED_ROW } from './rates'

/** A call with its arguments' widths. */
export interface Call {
  rows: Formula
  /** The width of a lambda's body, in the rows of all elements. */
  args: readonly Width[]
  /** Whether the first argument is a lambda. */
  hasLambda: boolean
  types: readonly Type[]
  type: Type
  constants: readonly (Literal | undefined)[]
  /** Whether an argument is the same in every row: the database parses it once. */
  isConstant(index: number): boolean
  /** The sum over all rows of the bytes of one argument times those of another. */
  pairs(one: number, other: number): Formula
  /** The argument as a count, from 0 to `MAX_LENGTH`. */
  count(index: number): Totals
}

export interface CostRule {
  width(call: Call): Width
  /** Nanoseconds in all rows, besides the operation itself and the bytes that it reads and writes. */
  work?(call: Call): Formula
}

export const arg = ({ args }: Call, index: number): Width => args[index]!

/** Numbers, dates and texts of fixed length. */
export const NUMBER: CostRule = { width: ({ rows }) => numberWidth(rows) }

/** A character takes at most six bytes in JSON. */
export const ESCAPED = 6

export const escaped = (bytes: Totals): Totals => scaled(bytes, ESCAPED)

// Cost rules of functions of arrays, tuples and lambdas.
/** The first array, reordered or cut. */
const ARRAY: CostRule = {
  width: (call) => arrayAmong(call),
  work: (call) => perItem(call, MADE_ROW),
}

const firstArray = ({ args, hasLambda }: Call): Width => args[hasLambda ? 1 : 0]!

function arrayAmong(call: Call): Width {
  const { bytes, items, element } = firstArray(call)
  return arrayWidth(bytes, items, element, call.rows)
}

/** Work per element, and the bytes of JSON to parse. */
function perItem(call: Call, nanoseconds: Formula): Formula {
  const { bytes, items } = firstArray(call)
  return sum(product(items.sum, nanoseconds), product(bytes.sum, JSON_BYTE))
}

/** A function over the elements, or a lambda's results. */
const ofElements = (bound: CostRule, nanoseconds: Formula = MADE_ROW): CostRule => ({
  ...bound,
  work: (call) => sum(perItem(call, nanoseconds), besides(call)),
})

/** Every further array is parsed again for each element of the first. */
function besides(call: Call): Formula {
  const first = firstArray(call)
  const others = call.args.slice(call.hasLambda ? 2 : 1)
  return sum(...others.map(({ bytes }) => product(times(first.items, bytes).sum, JSON_BYTE)))
}

/** Each element of one array is searched for in the other. */
const AMONG_ARRAYS: CostRule = { ...NUMBER, work: (call) => besides(call) }

/** The elements of `range`: exact for constant arguments. */
function rangeItems(call: Call): Totals {
  const { constants, rows, args } = call
  if (args.length === 1) return call.count(0)
  const [start, end, step = 1] = constants.map((each) => (each === undefined ? NaN : Number(each)))
  const count = Math.max(0, Math.ceil((end! - start!) / (args.length === 3 ? step : 1)))
  return perRow(rows, Number.isNaN(count) ? MAX_LENGTH : Math.min(count, MAX_LENGTH))
}

const INTEGER_BYTES = 21

const splitting: CostRule = {
  width: ({ args, constants, rows }) => {
    const { bytes } = args[1]!
    const [by, text] = constants
    if (typeof by === 'string' && typeof text === 'string') {
      const parts = text.split(by)
      const size = Buffer.byteLength(JSON.stringify(parts))
      return arrayWidth(perRow(rows, size), perRow(rows, parts.length), size, rows)
    }
    const separator = typeof constants[0] === 'string' ? Math.max(1, constants[0].length) : 1
    const items = plus(scaled(bytes, 1 / separator), perRow(rows, 1))
    return arrayWidth(plus(escaped(bytes), scaled(items, 4)), items, scaled(bytes, 1).max, rows)
  },
  work: (call) => {
    const { bytes } = arg(call, 1)
    const byCharacter = sum(
      product(call.rows, CHARACTERS),
      product(bytes.sum, CHARACTER),
      product(call.pairs(1, 1), COPIED_BYTE * 4),
    )
    const bySeparator = sum(product(bytes.sum, JSON_BYTE), product(call.pairs(1, 0), COPIED_BYTE))
    const separator = call.constants[0]
    return typeof separator === 'string' && separator !== '' ? bySeparator : sum(byCharacter, bySeparator)
  },
}

const mapped: CostRule = {
  width: ({ args, rows }) => {
    const [body, first] = [args[0]!, args[1]!]
    const bytes = {
      sum: sum(product(body.bytes.sum, ESCAPED), product(first.items.sum, 4), product(rows, 2)),
      max: sum(product(first.items.max, sum(product(body.bytes.max, ESCAPED), 4)), 2),
    }
    return arrayWidth(bytes, first.items, product(body.bytes.max, ESCAPED), rows)
  },
}

const added: CostRule = {
  width: ({ args, rows }) => {
    const [one, other] = [args[0]!, args[1]!]
    const bytes = plus(one.bytes, escaped(other.bytes), perRow(rows, 4))
    const element = sum(one.element, product(other.bytes.max, ESCAPED))
    return arrayWidth(bytes, plus(one.items, perRow(rows, 1)), element, rows)
  },
}

export const ARRAY_RULES: readonly [names: string, bound: CostRule][] = [
  ['splitByChar splitByString', splitting],
  [
    'range',
    {
      width: (call) => {
        const items = rangeItems(call)
        return arrayWidth(
          plus(scaled(items, INTEGER_BYTES), perRow(call.rows, 2)),
          items,
          INTEGER_BYTES,
          call.rows,
        )
      },
      work: (call) => product(rangeItems(call).sum, MADE_ROW),
    },
  ],
  [
    'arrayConcat',
    {
      width: ({ args, rows }) =>
        arrayWidth(totalBytes(args), plus(...args.map(({ items }) => items)), eitherOf(args).element, rows),
    },
  ],
  ['arrayPushBack arrayPushFront', added],
  ['arrayReverse arrayDistinct arrayCompact', ofElements(ARRAY, SORTED_ROW)],
  ['arrayPopFront', ARRAY],
  // The array's length is computed again for each element.
  ['arraySlice arrayPopBack', { ...ARRAY, work: (call) => sum(perItem(call, MADE_ROW), rereading(call)) }],
  ['arrayIntersect', { ...ARRAY, work: (call) => sum(perItem(call, SORTED_ROW), besides(call)) }],
  [
    'arrayFlatten',
    {
      width: ({ args, rows }) => jsonArrayWidth(args[0]!.bytes, rows),
      work: (call) => perItem(call, MADE_ROW * 2),
    },
  ],
  [
    'arrayZip',
    {
      width: ({ args, rows }) => {
        const { items } = args[0]!
        const bytes = plus(...args.map((each) => each.bytes), scaled(items, 2 + args.length))
        return arrayWidth(bytes, items, sum(...args.map((each) => each.element), 2 + args.length), rows)
      },
      work: (call) => sum(perItem(call, MADE_ROW), besides(call)),
    },
  ],
  [
    'arrayEnumerate',
    ofElements({
      width: ({ args, rows }) =>
        arrayWidth(plus(scaled(args[0]!.items, 9), perRow(rows, 2)), args[0]!.items, 9, rows),
    }),
  ],
  ['emptyArrayString', { width: ({ rows }) => arrayWidth(perRow(rows, 2), perRow(rows, 0), 0, rows) }],
  ['has indexOf countEqual', ofElements(NUMBER)],
  ['hasAny hasAll', AMONG_ARRAYS],
  ['arrayUniq', ofElements(NUMBER, SORTED_ROW)],
  [
    'arrayElement arrayElementOrNull',
    {
      width: (call) => typedWidth(call.type, elementBytes(arg(call, 0)), call.rows),
      work: (call) => (call.isConstant(0) ? 0 : product(arg(call, 0).bytes.sum, JSON_BYTE)),
    },
  ],
  [
    'arrayStringConcat',
    ofElements({
      width: ({ args, rows }) => {
        const [values, separator] = [args[0]!, args[1]]
        return textWidth(
          plus(values.bytes, separator ? times(values.items, separator.bytes) : perRow(rows, 0)),
          rows,
        )
      },
    }),
  ],

  ['arrayMap', ofElements(mapped)],
  ['arrayFilter', ofElements(ARRAY)],
  [
    'arrayFirst arrayLast',
    ofElements(
      { width: (call) => typedWidth(call.type, elementBytes(firstArray(call)), call.rows) },
      SORTED_ROW,
    ),
  ],
  ['arrayFirstIndex arrayLastIndex arrayExists arrayAll arrayCount arraySum arrayAvg', ofElements(NUMBER)],
  ['arrayProduct', { ...NUMBER, work: (call) => sum(perItem(call, MADE_ROW), rereading(call)) }],
  ['arraySort arrayReverseSort', ofElements(ARRAY, SORTED_ROW)],
  [
    'arrayMin arrayMax',
    ofElements({
      width: (call) => (call.hasLambda ? bodyOnce(call) : filtered(oneElement(call), call.rows)),
    }),
  ],
  [
    'arrayCumSum arrayDifference',
    ofElements(
      {
        width: (call) => {
          const { items } = firstArray(call)
          return arrayWidth(plus(scaled(items, 26), perRow(call.rows, 2)), items, 26, call.rows)
        },
      },
      SORTED_ROW,
    ),
  ],

  [
    'tupleElement',
    {
      width: (call) => typedWidth(call.type, arg(call, 0).bytes, call.rows),
      work: (call) => product(arg(call, 0).bytes.sum, JSON_BYTE),
    },
  ],
]

const rereading = (call: Call): Formula =>
  product(times(firstArray(call).items, firstArray(call).bytes).sum, COPIED_BYTE)

const elementBytes = ({ bytes, element }: Width): Totals => ({
  sum: bytes.sum,
  max: least(element, bytes.max),
})

const oneElement = (call: Call): Width => typedWidth(call.type, elementBytes(firstArray(call)), call.rows)

/** One of a lambda's results for the elements of a row. */
const bodyOnce = ({ args, rows, type }: Call): Width => typedWidth(type, args[0]!.bytes, rows)
