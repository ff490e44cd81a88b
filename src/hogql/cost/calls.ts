// The size of what a scalar function returns, and its work besides reading its arguments once. By default, a result is as large as all
// arguments together, and an array has as many elements as its bytes allow. A function has an entry here when its result may be larger,
// when more is known, or when it reads its arguments more than once.
import { Buffer } from 'node:buffer'
import type { Literal } from '../ir'
import { databaseTypeOf, hasBytes, type Type, typeSize } from '../types'
import { MAX_LENGTH } from '../functions/limits'
import { type Formula, least, product, sum } from './formula'
import {
  CHARACTER,
  CHARACTERS,
  COMPARED_CHARACTER,
  COPIED_BYTE,
  BYTE,
  JSON_BYTE,
  MADE_ROW,
  SORTED_ROW,
} from './rates'
import {
  arrayWidth,
  asElement,
  ESCAPED,
  jsonArrayWidth,
  numberWidth,
  perRow,
  plus,
  rowBytes,
  scaled,
  smaller,
  textWidth,
  times,
  type Totals,
  type Width,
} from './width'

/** A call with its arguments' widths. */
export interface Call {
  fn: string
  rows: Formula
  /** The widths of the arguments; that of a lambda is the width of its body, in the rows of all elements. */
  args: readonly Width[]
  /** Whether the first argument is a lambda. */
  hasLambda: boolean
  types: readonly Type[]
  type: Type
  constants: readonly (Literal | undefined)[]
  /** Returns whether an argument is the same in every row: the database parses it once. */
  isConstant(index: number): boolean
  /** Returns the argument as a count, from 0 to `MAX_LENGTH`. */
  count(index: number): Totals
}

/** Returns entries by name from keys of several names, which spaces separate. */
const table = <Entry>(entries: Record<string, Entry>): ReadonlyMap<string, Entry> =>
  new Map(
    Object.entries(entries).flatMap(([names, entry]) =>
      names.split(' ').map((name) => [name, entry] as const),
    ),
  )

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** The most bytes of an integer or a sum as an element of JSON. */
const INTEGER_BYTES = 26

const bytesOf = ({ args }: Call, index: number): Totals => args[index]!.bytes

/**
 * Returns the bytes of all arguments, and 32 more per row when none is a text, an array or a tuple: the result is then a number as text, or
 * a constant. The results of a lambda count only when the function returns them.
 */
function given({ args, hasLambda, type, types, rows }: Call): Totals {
  const bytes = rowBytes(hasLambda && type.kind === 'array' ? args.slice(1) : args)
  return types.some(hasBytes) ? bytes : plus(bytes, perRow(rows, 32))
}

const firstArray = ({ args, hasLambda }: Call): Width => args[hasLambda ? 1 : 0]!

/** Returns the bytes of a constant separator, at least one. */
const separatorBytes = ({ constants }: Call, index: number): number => {
  const separator = constants[index]
  return typeof separator === 'string' ? Math.max(1, separator.length) : 1
}

/** The bytes of results that may be larger than all arguments together, by function. */
const GROWTH = table<(call: Call) => Totals>({
  repeat: (call) => times(bytesOf(call, 0), call.count(1)),
  'leftPad rightPad': (call) => plus(bytesOf(call, 0), scaled(call.count(1), 4)),
  replaceAll: (call) =>
    plus(bytesOf(call, 0), scaled(times(bytesOf(call, 0), bytesOf(call, 2)), 1 / separatorBytes(call, 1))),
  concatWithSeparator: (call) => plus(given(call), scaled(bytesOf(call, 0), call.args.length)),
  arrayStringConcat: (call) =>
    plus(
      bytesOf(call, 0),
      call.args[1] ? times(call.args[0]!.items, call.args[1].bytes) : perRow(call.rows, 0),
    ),
  hex: (call) => scaled(bytesOf(call, 0), 2),
  JSONType: ({ rows }) => perRow(rows, 16),
  toTypeName: ({ rows, types }) => perRow(rows, databaseTypeOf(types[0]!).length),
  // A token has two characters and gives at most ten.
  formatDateTime: (call) => scaled(bytesOf(call, 1), 10),
  toJSONString: (call) => plus(scaled(bytesOf(call, 0), ESCAPED), perRow(call.rows, 34)),
  // Numbers may be written with more digits, and JSON may be escaped as a text in JSON.
  'JSONExtract JSONExtractKeysAndValues JSONExtractString JSONExtractRaw': (call) =>
    call.type.kind === 'array' || call.type.kind === 'tuple'
      ? plus(
          scaled(bytesOf(call, 0), 4 * (typeSize(call.type) - 1)),
          perRow(call.rows, 4 * typeSize(call.type)),
        )
      : plus(given(call), perRow(call.rows, 32)),
  'JSONExtractKeys JSONExtractArrayRaw JSONExtractKeysAndValuesRaw': (call) =>
    scaled(bytesOf(call, 0), ESCAPED),
  'splitByChar splitByString': (call) => plus(escaped(call, 1), scaled(splits(call), 4)),
  range: (call) => plus(scaled(steps(call), INTEGER_BYTES), perRow(call.rows, 2)),
  arrayMap: (call) => {
    const { items } = firstArray(call)
    const { sum: all, max } = asElement(bytesOf(call, 0), elementType(call))
    return {
      sum: sum(all, product(items.sum, 4), product(call.rows, 2)),
      max: sum(product(items.max, sum(max, 4)), 2),
    }
  },
  'arrayPushBack arrayPushFront': (call) =>
    plus(bytesOf(call, 0), asElement(bytesOf(call, 1), call.types[1]!), perRow(call.rows, 4)),
  arrayZip: (call) => plus(given(call), scaled(firstArray(call).items, 2 + call.args.length)),
  'arrayCumSum arrayDifference arrayEnumerate groupArrayMovingSum groupArrayMovingAvg': (call) =>
    plus(scaled(firstArray(call).items, INTEGER_BYTES), perRow(call.rows, 2)),
})

const elementType = ({ type }: Call): Type => (type.kind === 'array' ? type.of : type)

/** Returns the bytes of a text in JSON: they are exact for a constant. */
function escaped(call: Call, index: number): Totals {
  const text = call.constants[index]
  if (typeof text !== 'string') return scaled(bytesOf(call, index), ESCAPED)
  return perRow(call.rows, Buffer.byteLength(JSON.stringify(text)))
}

/** Returns the number of parts of a text that is split: it is exact for constants. */
function splits(call: Call): Totals {
  const [separator, text] = call.constants
  if (typeof separator === 'string' && typeof text === 'string')
    return perRow(call.rows, text.split(separator).length)
  return plus(scaled(bytesOf(call, 1), 1 / separatorBytes(call, 0)), perRow(call.rows, 1))
}

/** Returns the number of elements of `range`: it is exact for constant arguments. */
function steps(call: Call): Totals {
  if (call.args.length === 1) return call.count(0)
  const [start, end, step = 1] = call.constants.map((each) => (each === undefined ? NaN : Number(each)))
  const count = Math.max(0, Math.ceil((end! - start!) / (call.args.length === 3 ? step : 1)))
  if (!Number.isNaN(count)) return perRow(call.rows, Math.min(count, MAX_LENGTH))
  return start! >= 0 && step >= 1 ? call.count(1) : perRow(call.rows, MAX_LENGTH)
}

/** Functions whose result has at most one element more than all arrays among their arguments have together. */
const AS_LONG = names(
  'arrayMap arrayFilter arraySort arrayReverseSort arrayReverse arrayDistinct arrayCompact arrayPopFront arrayPopBack arraySlice ' +
    'arrayIntersect arrayZip arrayEnumerate arrayConcat arrayPushBack arrayPushFront arrayCumSum arrayDifference ' +
    'groupArrayMovingSum groupArrayMovingAvg',
)
/** Functions that return one element of an array. */
const PICKS = names('arrayElement arrayElementOrNull arrayFirst arrayLast arrayMin arrayMax')

/**
 * Returns whether an argument is an array whose elements the result consists of. The results of a lambda and an added value are elements
 * themselves.
 */
const isList = ({ fn, types, hasLambda }: Call, index: number): boolean =>
  types[index]?.kind === 'array' &&
  !(index === 0 && hasLambda) &&
  !(index === 1 && (fn === 'arrayPushBack' || fn === 'arrayPushFront'))

/** Returns the bytes of the largest element of a result that consists of elements of the arguments. */
const largestElement = (call: Call): Formula =>
  sum(
    ...call.args.map((arg, index) =>
      isList(call, index) ? arg.element : asElement(arg.bytes, call.types[index]!).max,
    ),
    4,
  )

/** The values of numbers for which a bound follows from the arguments, by function. */
const COUNTS = table<(call: Call) => Totals | undefined>({
  length: ({ args, types }) => (types[0]?.kind === 'array' ? args[0]!.items : args[0]!.bytes),
  least: ({ args }) => {
    const known = args.flatMap(({ count }) => count ?? [])
    return known.length > 0 ? smaller(...known) : undefined
  },
})

export function resultOf(call: Call): Width {
  const { fn, type, rows, args } = call
  if (!hasBytes(type)) return numberWidth(rows, COUNTS.get(fn)?.(call))
  const bytes = GROWTH.get(fn)?.(call) ?? given(call)
  if (type.kind !== 'array') {
    const array = firstArray(call)
    // A lambda of these two is a condition; that of others gives the values.
    const isElement = PICKS.has(fn) && (!call.hasLambda || fn === 'arrayFirst' || fn === 'arrayLast')
    if (!isElement) return textWidth(bytes, rows)
    const max = least(bytes.max, array.element)
    return textWidth({ sum: least(bytes.sum, product(rows, max)), max }, rows)
  }
  if (fn === 'range') return arrayWidth(bytes, steps(call), INTEGER_BYTES, rows)
  if (fn === 'splitByChar' || fn === 'splitByString')
    return arrayWidth(bytes, splits(call), bytesOf(call, 1).max, rows)
  if (!AS_LONG.has(fn)) return jsonArrayWidth(bytes, rows)
  const items = plus(
    ...args.flatMap((arg, index) => (isList(call, index) ? [arg.items] : [])),
    perRow(rows, 1),
  )
  return arrayWidth(bytes, items, largestElement(call), rows)
}

/** Nanoseconds for each element of an array. A function without an entry counts as one that sorts the elements. */
const PER_ELEMENT = table<number>({
  // These functions do not visit the elements.
  'arrayElement arrayElementOrNull length empty notEmpty arrayConcat': 0,
  'has hasAny hasAll indexOf countEqual arrayMap arrayFilter arrayExists arrayAll arrayCount arraySum arrayAvg arrayProduct arrayMin arrayMax':
    MADE_ROW,
  'arrayFirst arrayLast arrayFirstIndex arrayLastIndex arrayZip arrayEnumerate arraySlice arrayPopFront arrayPopBack arrayPushBack arrayPushFront':
    MADE_ROW,
  'arrayStringConcat toString': MADE_ROW,
})

/**
 * Returns the work of reading arrays and tuples, which are JSON and are parsed once. Each argument beside the first array is read again for
 * each of its elements.
 */
function reading({ fn, args, types, hasLambda }: Call): Formula {
  const perElement = PER_ELEMENT.get(fn) ?? SORTED_ROW
  if (perElement === 0) return 0
  const first = types.findIndex(({ kind }, index) => kind === 'array' && !(hasLambda && index === 0))
  return sum(
    ...args.map(({ bytes, items }, index) => {
      const { kind } = types[index]!
      if (hasLambda && index === 0) return 0
      if (first >= 0 && index !== first && hasBytes(types[index]!))
        return product(times(args[first]!.items, bytes).sum, JSON_BYTE)
      if (kind === 'array') return sum(product(bytes.sum, JSON_BYTE), product(items.sum, perElement))
      return kind === 'tuple' ? product(bytes.sum, JSON_BYTE) : 0
    }),
  )
}

/** Returns the work of comparing or copying one text for each byte of another. */
const scans =
  (one: number, other: number, rate = COPIED_BYTE) =>
  (call: Call) =>
    product(times(bytesOf(call, one), bytesOf(call, other)).sum, rate)

/** Returns the work of splitting a text into its characters. */
const byCharacter = (index: number) => (call: Call) =>
  sum(
    product(call.rows, CHARACTERS),
    product(bytesOf(call, index).sum, CHARACTER),
    scans(index, index, COPIED_BYTE * 4)(call),
  )

/** Returns the work of reading an array again for each of its elements. */
const rereading = (call: Call): Formula =>
  product(times(firstArray(call).items, firstArray(call).bytes).sum, COPIED_BYTE)

/** Returns the work of cutting a URL several times: each cut copies the rest. */
const cutting = (call: Call): Formula => product(bytesOf(call, 0).sum, BYTE * 8)

const parsing = (call: Call): Formula => product(bytesOf(call, 0).sum, JSON_BYTE)

/** The work of functions that read an argument more than once, by function. */
const WORK = table<(call: Call) => Formula>({
  repeat: (call) => product(call.count(1).sum, 20),
  'leftPad rightPad': (call) =>
    sum(
      product(call.count(1).sum, 20),
      call.args[2] ? product(times(call.count(1), bytesOf(call, 2)).sum, COPIED_BYTE) : 0,
    ),
  'position positionCaseInsensitive countSubstrings replaceAll replaceOne': scans(0, 1),
  locate: scans(1, 0),
  // SQLite compares each character at an end with the whole set.
  'trim trimLeft trimRight': (call) => (call.args[1] ? scans(0, 1, COMPARED_CHARACTER)(call) : 0),
  reverse: byCharacter(0),
  'splitByChar splitByString': (call) => {
    const separator = call.constants[0]
    const isWhole = typeof separator === 'string' && separator !== ''
    return sum(
      product(bytesOf(call, 1).sum, JSON_BYTE),
      scans(1, 0)(call),
      isWhole ? 0 : byCharacter(1)(call),
    )
  },
  range: (call) => product(steps(call).sum, MADE_ROW),
  'arraySlice arrayPopBack arrayProduct': rereading,
  'arrayElement arrayElementOrNull': (call) => (call.isConstant(0) ? 0 : parsing(call)),
  'protocol domain domainWithoutWWW path pathFull queryString fragment cutQueryString cutFragment cutQueryStringAndFragment':
    cutting,
  // SQLite trims the host by the set of its own characters.
  topLevelDomain: (call) => sum(cutting(call), scans(0, 0)(call)),
  extractURLParameter: (call) => sum(cutting(call), scans(0, 1)(call)),
  'JSONExtract JSONExtractKeysAndValues JSONExtractInt JSONExtractUInt JSONExtractFloat JSONExtractBool JSONExtractString JSONExtractRaw JSONExtractKeys':
    parsing,
  'JSONExtractArrayRaw JSONExtractKeysAndValuesRaw JSONHas JSONLength JSONType isValidJSON': parsing,
  // These functions make two rows for each of up to 64 steps.
  'gcd lcm factorial roundToExp2 bitCount': ({ rows }) => product(rows, MADE_ROW * 128),
})

/** Returns nanoseconds for all rows, besides the operation itself and the bytes that it reads and writes. */
export const workOf = (call: Call): Formula => sum(reading(call), WORK.get(call.fn)?.(call) ?? 0)

/** Returns whether a function reads its argument: SQLite knows the bytes of a text. */
export const readsBytes = (fn: string, { kind }: Type): boolean =>
  kind !== 'string' || (fn !== 'length' && fn !== 'empty' && fn !== 'notEmpty')

/** Returns the label of a call's cost: an error names a function that may take much more than its arguments. */
export const labelOf = (fn: string, types: readonly Type[]): string =>
  WORK.has(fn) || GROWTH.has(fn) || types.some(({ kind }) => kind === 'array')
    ? `function '${fn}'`
    : 'functions'
