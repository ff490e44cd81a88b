// The scalar functions of the catalogue, one by one: how large what each gives may be, and what it does besides one pass over its arguments.
// A function that is not in here cannot be used on D1.
import { CEILING } from '../functions/ceiling'
import type { Literal } from '../ir'
import { databaseTypeOf, type Type } from '../types'
import { type Amount, least, product, sum } from './amount'
import { type Extent, inEach, plus, scaled, times } from './extent'
import { BYTE, CHARACTER, CHARACTERS, COPIED_BYTE, JSON_BYTE, MADE_ROW, OPERATION, SORTED_ROW } from './rates'
import {
  allOf,
  array,
  arrayOfBytes,
  constant,
  inSome,
  ofType,
  oneOf,
  rowBytes,
  type Sized,
  small,
  text,
} from './sized'

/** A call whose arguments have been looked at. */
export interface Call {
  rows: Amount
  /** For a lambda: what its body gives, in the rows of all elements. */
  args: readonly Sized[]
  /** Whether the first argument is one. */
  hasLambda: boolean
  types: readonly Type[]
  type: Type
  constants: readonly (Literal | undefined)[]
  /** The sum over all rows of the bytes of one argument times those of another. */
  pairs(one: number, other: number): Amount
  /** The value of a number, between 0 and `CEILING`. */
  count(index: number): Extent
}

export interface Bound {
  gives(call: Call): Sized
  /** Nanoseconds in all rows, besides those for the operation itself and for the bytes that it reads and gives. */
  work?(call: Call): Amount
}

const arg = ({ args }: Call, index: number): Sized => args[index]!

/** Numbers, moments, and texts of fixed length. */
const NUMBER: Bound = { gives: ({ rows }) => small(rows) }

/** Part of the first argument, or all of it. */
const FIRST: Bound = { gives: (call) => text(arg(call, 0).bytes, call.rows) }

/** Part of a URL: found by some cuts, each of which copies what is left. */
const URL_PART: Bound = {
  ...FIRST,
  work: (call) => sum(product(call.rows, OPERATION * 40), product(arg(call, 0).bytes.sum, BYTE * 8)),
}

/** One of the arguments, as it is. */
const ANY: Bound = { gives: ({ args }) => oneOf(args) }

/** At most as many bytes as all of the arguments have, and some more. */
const TOTAL: Bound = {
  gives: ({ args, rows }) => text(plus(rowBytes(args), inEach(rows, 32 * args.length + 32)), rows),
}

/** A needle is compared at each place of the text. */
const searching = (bound: Bound, haystack: number, needle: number): Bound => ({
  ...bound,
  work: (call) => sum(product(call.pairs(haystack, needle), COPIED_BYTE), bound.work?.(call) ?? 0),
})

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

/** Characters written as JSON take up to six bytes. */
const ESCAPED = 6

const escaped = (bytes: Extent): Extent => scaled(bytes, ESCAPED)

/** JSON of a document: its numbers may be written in more digits. */
const JSON_DIGITS = 4

const jsonPart: Bound['gives'] = (call) => {
  const { bytes } = arg(call, 0)
  return ofType(
    call.type,
    call.type.kind === 'array' ? scaled(bytes, JSON_DIGITS) : plus(bytes, inEach(call.rows, 32)),
    call.rows,
  )
}

/** What is read of JSON that comes as text. */
const json = (gives: Bound['gives']): Bound => ({
  gives,
  work: (call) => product(arg(call, 0).bytes.sum, JSON_BYTE),
})

/** JSON written into JSON. */
const jsonEntries = json(({ args, rows }) => arrayOfBytes(scaled(args[0]!.bytes, ESCAPED), rows))

const padding: Bound = {
  gives: (call) => {
    const length = call.count(1)
    return text(plus(arg(call, 0).bytes, scaled(length, 4)), call.rows)
  },
  work: (call) => {
    const length = call.count(1)
    const filling = call.args[2] ? times(length, call.args[2].bytes).sum : 0
    return sum(product(length.sum, 20), product(filling, COPIED_BYTE))
  },
}

/** The elements of `range`: known where its arguments are constants. */
function rangeItems(call: Call): Extent {
  const { constants, rows, args } = call
  if (args.length === 1) return call.count(0)
  const [start, end, step = 1] = constants.map((each) => (each === undefined ? NaN : Number(each)))
  const count = Math.max(0, Math.ceil((end! - start!) / (args.length === 3 ? step : 1)))
  return inEach(rows, Number.isNaN(count) ? CEILING : Math.min(count, CEILING))
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

const BOUNDS: readonly [names: string, bound: Bound][] = [
  // Choosing between values.
  ['coalesce ifNull nullIf assumeNotNull toNullable identity greatest least', ANY],
  ['xor isZeroOrNull', NUMBER],

  // Conversions.
  ['toInt toInt64 toIntOrZero toFloat toFloatOrZero toBool toUUID', NUMBER],
  ['toString', TOTAL],
  ['toTypeName', { gives: ({ rows, types }) => constant(rows, databaseTypeOf(types[0]!).length) }],

  // Dates and moments.
  ['toDateTime toDate fromUnixTimestamp fromUnixTimestamp64Milli', NUMBER],
  ['toYear toQuarter toMonth toDayOfMonth toDayOfYear toDayOfWeek toHour toMinute toSecond', NUMBER],
  ['toISOWeek toISOYear toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss monthName toWeek', NUMBER],
  ['toUnixTimestamp toUnixTimestamp64Milli toUnixTimestamp64Micro', NUMBER],
  ['toStartOfSecond toStartOfMinute toStartOfFiveMinutes toStartOfTenMinutes', NUMBER],
  ['toStartOfFifteenMinutes toStartOfHour toStartOfDay toMonday toStartOfMonth', NUMBER],
  ['toStartOfQuarter toStartOfYear toStartOfWeek toStartOfInterval toLastDayOfMonth', NUMBER],
  ['dateTrunc dateDiff age timeDiff', NUMBER],
  // No token of two characters gives more than ten.
  ['formatDateTime', { gives: ({ args, rows }) => text(scaled(args[1]!.bytes, 10), rows) }],

  // Texts.
  ['lower upper lowerUTF8 upperUTF8 trim trimLeft trimRight substring left right', FIRST],
  [
    'reverse',
    {
      ...FIRST,
      work: (call) =>
        sum(
          product(call.rows, CHARACTERS),
          product(arg(call, 0).bytes.sum, CHARACTER),
          product(call.pairs(0, 0), COPIED_BYTE * 4),
        ),
    },
  ],
  ['hex', { gives: (call) => text(scaled(arg(call, 0).bytes, 2), call.rows) }],
  ['concat', TOTAL],
  [
    'concatWithSeparator',
    {
      gives: ({ args, rows }) => text(plus(allOf(args), scaled(args[0]!.bytes, args.length)), rows),
    },
  ],
  [
    'repeat',
    {
      gives: (call) => text(times(arg(call, 0).bytes, call.count(1)), call.rows),
      work: (call) => product(call.count(1).sum, 20),
    },
  ],
  ['leftPad rightPad', padding],
  [
    'replaceAll',
    searching(
      {
        gives: ({ args, constants, rows }) => {
          const [value, , other] = [args[0]!, args[1]!, args[2]!]
          const part = constants[1]
          const size = typeof part === 'string' ? Math.max(1, part.length) : 1
          return text(plus(value.bytes, scaled(times(value.bytes, other.bytes), 1 / size)), rows)
        },
      },
      0,
      1,
    ),
  ],
  ['replaceOne', searching(TOTAL, 0, 1)],
  ['ascii length lengthUTF8 empty notEmpty startsWith endsWith', NUMBER],
  ['splitByChar splitByString', splitting],
  ['position positionCaseInsensitive countSubstrings', searching(NUMBER, 0, 1)],
  // Regular expressions need ClickHouse: the compiler refuses them for D1 before it comes here.
  ['match extract extractAll extractAllGroups replaceRegexpAll replaceRegexpOne', NUMBER],
  ['countMatches splitByRegexp multiMatchAny', NUMBER],

  // URLs.
  ['protocol domain domainWithoutWWW path pathFull queryString fragment', URL_PART],
  ['cutQueryString cutFragment cutQueryStringAndFragment', URL_PART],
  // Trims the host by the set of its own characters.
  ['topLevelDomain', searching(URL_PART, 0, 0)],
  ['extractURLParameter', searching(URL_PART, 0, 1)],

  // JSON.
  ['JSONExtractInt JSONExtractFloat JSONExtractBool JSONHas JSONLength JSONType', json(NUMBER.gives)],
  ['JSONExtractString JSONExtractRaw JSONExtract', json(jsonPart)],
  ['JSONExtractKeys JSONExtractArrayRaw JSONExtractKeysAndValuesRaw', jsonEntries],
  ['isValidJSON', json(NUMBER.gives)],
  [
    'toJSONString',
    { gives: ({ args, rows }) => text(plus(escaped(args[0]!.bytes), inEach(rows, 34)), rows) },
  ],

  // Numbers.
  ['round floor ceil trunc abs sign pow sqrt cbrt exp exp2 exp10 log log2 log10', NUMBER],
  ['sin cos tan asin acos atan degrees radians pi e intDiv intDivOrZero mod max2 min2', NUMBER],
  ['bitAnd bitOr bitShiftLeft bitShiftRight bitXor isNaN isFinite isInfinite ifNotFinite', NUMBER],

  // Arrays.
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

const BY_NAME: ReadonlyMap<string, Bound> = new Map(
  BOUNDS.flatMap(([names, bound]) => names.split(' ').map((name) => [name, bound] as const)),
)

/** @throws for a function without a bound. */
export function boundOf(fn: string): Bound {
  const bound = BY_NAME.get(fn)
  if (!bound) throw new Error(`no bound for the function ${fn}`)
  return bound
}
