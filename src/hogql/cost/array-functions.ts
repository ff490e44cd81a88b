// Bounds of the functions that take or give arrays, those of tuples and lambdas among them.
import { MAX_LENGTH } from '../functions/limits'
import { type Amount, least, product, sum } from './amount'
import { arg, type Bound, type Call, ESCAPED, escaped, NUMBER } from './bound'
import { type Extent, inEach, plus, scaled, times } from './extent'
import { CHARACTER, CHARACTERS, COPIED_BYTE, JSON_BYTE, MADE_ROW, SORTED_ROW } from './rates'
import { allOf, array, arrayOfBytes, inSome, ofType, oneOf, type Sized, text } from './sized'

/** The first array, or a part of it in some order. */
const ARRAY: Bound = {
  gives: (call) => arrayAmong(call),
  work: (call) => perItem(call, MADE_ROW),
}

const firstArray = ({ args, hasLambda }: Call): Sized => args[hasLambda ? 1 : 0]!

function arrayAmong(call: Call): Sized {
  const { bytes, items, element } = firstArray(call)
  return array(bytes, items, element, call.rows)
}

/** Work for each element, and for reading the array as JSON. */
function perItem(call: Call, nanoseconds: Amount): Amount {
  const { bytes, items } = firstArray(call)
  return sum(product(items.sum, nanoseconds), product(bytes.sum, JSON_BYTE))
}

/** Something about the elements, or about what a lambda gives of them. */
const ofElements = (bound: Bound, nanoseconds: Amount = MADE_ROW): Bound => ({
  ...bound,
  work: (call) => sum(perItem(call, nanoseconds), besides(call)),
})

/** Every further array is read again for each element of the first. */
function besides(call: Call): Amount {
  const first = firstArray(call)
  const others = call.args.slice(call.hasLambda ? 2 : 1)
  return sum(...others.map(({ bytes }) => product(times(first.items, bytes).sum, JSON_BYTE)))
}

/** Each element of one array is looked for in the other. */
const AMONG_ARRAYS: Bound = { ...NUMBER, work: (call) => besides(call) }

/** The elements of `range`: known where its arguments are constants. */
function rangeItems(call: Call): Extent {
  const { constants, rows, args } = call
  if (args.length === 1) return call.count(0)
  const [start, end, step = 1] = constants.map((each) => (each === undefined ? NaN : Number(each)))
  const count = Math.max(0, Math.ceil((end! - start!) / (args.length === 3 ? step : 1)))
  return inEach(rows, Number.isNaN(count) ? MAX_LENGTH : Math.min(count, MAX_LENGTH))
}

const INTEGER_BYTES = 21

const splitting: Bound = {
  gives: ({ args, constants, rows }) => {
    const { bytes } = args[1]!
    const separator = typeof constants[0] === 'string' ? Math.max(1, constants[0].length) : 1
    const items = plus(scaled(bytes, 1 / separator), inEach(rows, 1))
    return array(plus(escaped(bytes), scaled(items, 4)), items, scaled(bytes, 1).max, rows)
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

const mapped: Bound = {
  gives: ({ args, rows }) => {
    const [body, first] = [args[0]!, args[1]!]
    const bytes = {
      sum: sum(product(body.bytes.sum, ESCAPED), product(first.items.sum, 4), product(rows, 2)),
      max: sum(product(first.items.max, sum(product(body.bytes.max, ESCAPED), 4)), 2),
    }
    return array(bytes, first.items, product(body.bytes.max, ESCAPED), rows)
  },
}

const added: Bound = {
  gives: ({ args, rows }) => {
    const [one, other] = [args[0]!, args[1]!]
    const bytes = plus(one.bytes, escaped(other.bytes), inEach(rows, 4))
    const element = sum(one.element, product(other.bytes.max, ESCAPED))
    return array(bytes, plus(one.items, inEach(rows, 1)), element, rows)
  },
}

export const ARRAY_BOUNDS: readonly [names: string, bound: Bound][] = [
  ['splitByChar splitByString', splitting],
  [
    'range',
    {
      gives: (call) => {
        const items = rangeItems(call)
        return array(
          plus(scaled(items, INTEGER_BYTES), inEach(call.rows, 2)),
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
      gives: ({ args, rows }) =>
        array(allOf(args), plus(...args.map(({ items }) => items)), oneOf(args).element, rows),
    },
  ],
  ['arrayPushBack arrayPushFront', added],
  ['arrayReverse arrayDistinct arrayCompact', ofElements(ARRAY, SORTED_ROW)],
  ['arrayPopFront', ARRAY],
  // The length of the array is read again for each element.
  ['arraySlice arrayPopBack', { ...ARRAY, work: (call) => sum(perItem(call, MADE_ROW), rereading(call)) }],
  ['arrayIntersect', { ...ARRAY, work: (call) => sum(perItem(call, SORTED_ROW), besides(call)) }],
  [
    'arrayFlatten',
    {
      gives: ({ args, rows }) => arrayOfBytes(args[0]!.bytes, rows),
      work: (call) => perItem(call, MADE_ROW * 2),
    },
  ],
  [
    'arrayZip',
    {
      gives: ({ args, rows }) => {
        const [one, other] = [args[0]!, args[1]!]
        const bytes = plus(one.bytes, other.bytes, scaled(one.items, 4))
        return array(bytes, one.items, sum(one.element, other.element, 4), rows)
      },
      work: (call) => sum(perItem(call, MADE_ROW), besides(call)),
    },
  ],
  [
    'arrayEnumerate',
    ofElements({
      gives: ({ args, rows }) =>
        array(plus(scaled(args[0]!.items, 9), inEach(rows, 2)), args[0]!.items, 9, rows),
    }),
  ],
  ['emptyArrayString', { gives: ({ rows }) => array(inEach(rows, 2), inEach(rows, 0), 0, rows) }],
  ['has indexOf countEqual', ofElements(NUMBER)],
  ['hasAny hasAll', AMONG_ARRAYS],
  ['arrayUniq', ofElements(NUMBER, SORTED_ROW)],
  [
    'arrayElement arrayElementOrNull',
    {
      gives: (call) => ofType(call.type, elementBytes(arg(call, 0)), call.rows),
      work: (call) => product(arg(call, 0).bytes.sum, JSON_BYTE),
    },
  ],
  [
    'arrayStringConcat',
    ofElements({
      gives: ({ args, rows }) => {
        const [values, separator] = [args[0]!, args[1]]
        return text(
          plus(values.bytes, separator ? times(values.items, separator.bytes) : inEach(rows, 0)),
          rows,
        )
      },
    }),
  ],

  // Arrays and lambdas.
  ['arrayMap', ofElements(mapped)],
  ['arrayFilter', ofElements(ARRAY)],
  [
    'arrayFirst arrayLast',
    ofElements({ gives: (call) => ofType(call.type, elementBytes(firstArray(call)), call.rows) }, SORTED_ROW),
  ],
  ['arrayFirstIndex arrayExists arrayAll arrayCount arraySum arrayAvg', ofElements(NUMBER)],
  ['arraySort arrayReverseSort', ofElements(ARRAY, SORTED_ROW)],
  [
    'arrayMin arrayMax',
    ofElements({
      gives: (call) => (call.hasLambda ? bodyOnce(call) : inSome(oneElement(call), call.rows)),
    }),
  ],
  [
    'arrayCumSum arrayDifference',
    ofElements(
      {
        gives: (call) => {
          const { items } = firstArray(call)
          return array(plus(scaled(items, 26), inEach(call.rows, 2)), items, 26, call.rows)
        },
      },
      SORTED_ROW,
    ),
  ],

  [
    'tupleElement',
    {
      gives: (call) => ofType(call.type, arg(call, 0).bytes, call.rows),
      work: (call) => product(arg(call, 0).bytes.sum, JSON_BYTE),
    },
  ],
]

const rereading = (call: Call): Amount =>
  product(times(firstArray(call).items, firstArray(call).bytes).sum, COPIED_BYTE)

const elementBytes = ({ bytes, element }: Sized): Extent => ({
  sum: bytes.sum,
  max: least(element, bytes.max),
})

const oneElement = (call: Call): Sized => ofType(call.type, elementBytes(firstArray(call)), call.rows)

/** One of the values that a lambda gives for the elements of a row. */
const bodyOnce = ({ args, rows, type }: Call): Sized => ofType(type, args[0]!.bytes, rows)
