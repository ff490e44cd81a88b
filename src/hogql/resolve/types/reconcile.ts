// Converts the two sides of a comparison to comparable types.
import type { Expr } from '../../ir'
import {
  arrayOf,
  BOOLEAN,
  commonType,
  isNumber,
  isTemporal,
  STRING,
  tupleOf,
  type Type,
  zoneOf,
} from '../../types'
import { literal, number, text } from '../../ir-build'
import { keyOf } from '../../ir-walk'
import { convert, midnightIn } from './convert'
import { propertyTextOf } from './properties'
import { unify, withElementsOf } from './unify'

export type Sides = readonly [left: Expr, right: Expr]

/** Returns undefined when they are not comparable. */
export function reconcile(given: Expr, beside: Expr, timezone: string): Sides | undefined {
  const [left, right] = [singleBeside(given, beside), singleBeside(beside, given)]
  const [one, other] = [left.type, right.type]
  if (one.kind === 'null' || other.kind === 'null')
    return isMissingArray(left, other) || isMissingArray(right, one) ? undefined : [left, right]
  if (one.kind === 'tuple' || other.kind === 'tuple') return reconcileTuples(left, right, timezone)
  if (one.kind === 'array' || other.kind === 'array') return reconcileWithin(left, right)
  if (isTemporal(one) || isTemporal(other)) return reconcileTemporals(left, right, timezone)
  if (isNumber(one) && isNumber(other)) return [left, right]
  if (isNumber(one)) return flip(reconcileText(right, left, timezone))
  if (isNumber(other)) return reconcileText(left, right, timezone)
  return [left, right]
}

/** Returns a List variable that is compared with a value as a text. */
const singleBeside = (expr: Expr, { type: { kind } }: Expr): Expr =>
  expr.node === 'variable' && expr.type.kind === 'array' && kind !== 'array' && kind !== 'tuple'
    ? (convert(expr, 'string', 'UTC') ?? expr)
    : expr

/** Returns whether a value that is always NULL is compared with an array or a tuple, for which ClickHouse has no NULL. */
const isMissingArray = (expr: Expr, { kind }: Type): boolean =>
  expr.type.kind === 'null' && expr.node !== 'literal' && (kind === 'array' || kind === 'tuple')

const flip = (sides: Sides | undefined): Sides | undefined => sides && [sides[1], sides[0]]

function reconcileTuples(left: Expr, right: Expr, timezone: string): Sides | undefined {
  if (left.type.kind !== 'tuple' || right.type.kind !== 'tuple') return undefined
  if (left.type.of.length !== right.type.of.length) return undefined
  if (left.node !== 'tuple' || right.node !== 'tuple') return reconcileWithin(left, right)
  const lefts: Expr[] = []
  const rights: Expr[] = []
  for (const [index, item] of left.items.entries()) {
    const other = right.items[index]
    const sides = other && reconcile(item, other, timezone)
    if (sides === undefined) return undefined
    lefts.push(sides[0])
    rights.push(sides[1])
  }
  return [tupleLike(left, lefts), tupleLike(right, rights)]
}

/** Converts the elements of arrays and tuples that are written out, where those of the other side are floats or datetimes. */
function reconcileWithin(left: Expr, right: Expr): Sides | undefined {
  const type = commonType(left.type, right.type)
  return type && both(withElementsOf(left, type), withElementsOf(right, type))
}

const tupleLike = (tuple: Extract<Expr, { node: 'tuple' }>, items: Expr[]): Expr => ({
  ...tuple,
  items,
  type: { ...tupleOf(...items.map(({ type }) => type)), nullable: tuple.type.nullable },
})

/**
 * Converts dates. A date is compared with a date as such, and with a datetime as its local midnight. Compared with a datetime of another
 * zone, dates and texts are of that zone, as in ClickHouse.
 */
function reconcileTemporals(left: Expr, right: Expr, timezone: string): Sides | undefined {
  const own = zoneOf([left.type, right.type])
  const one = convert(left, 'temporal', own ?? timezone)
  const other = convert(right, 'temporal', own ?? timezone)
  if (one === undefined || other === undefined) return reconcileAsTexts(left, right)
  if (one.type.kind === other.type.kind) return [one, other]
  // A text or a variable that is compared with a date is a date.
  if (one.type.kind === 'date' && right.node === 'variable')
    return both(one, convert(right, 'date', timezone))
  if (other.type.kind === 'date' && left.node === 'variable')
    return both(convert(left, 'date', timezone), other)
  if (own !== undefined) return [midnightIn(one, own), midnightIn(other, own)]
  return both(convert(one, 'datetime', timezone), convert(other, 'datetime', timezone))
}

const both = (left: Expr | undefined, right: Expr | undefined): Sides | undefined =>
  left && right && [left, right]

/** Converts a text or a property that is compared with a number or a boolean. */
function reconcileText(textual: Expr, numeric: Expr, timezone: string): Sides | undefined {
  if (textual.node === 'literal' && typeof textual.value === 'string') {
    const constant = constantLike(textual.value, numeric.type)
    return constant === undefined ? reconcileAsTexts(textual, numeric) : [constant, numeric]
  }
  if (textual.node !== 'variable' && numeric.node === 'variable' && propertyTextOf(textual) === undefined) {
    return both(textual, convert(numeric, 'string', timezone))
  }
  return both(convert(textual, numeric.type.kind === 'boolean' ? 'boolean' : 'number', timezone), numeric)
}

/** Converts a quoted number that is compared with a number, and quoted `true` that is compared with a boolean. */
function constantLike(value: string, type: Type): Expr | undefined {
  if (type.kind === 'boolean' && (value === 'true' || value === 'false')) {
    return literal(value === 'true', BOOLEAN)
  }
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value) ? number(Number(value)) : undefined
}

/** Compares a property as text with a constant that its definition excludes, as in `properties.size = 'large'`. */
function reconcileAsTexts(left: Expr, right: Expr): Sides | undefined {
  const [one, other] = [textBehind(left), textBehind(right)]
  return one && other && [one, other]
}

const textBehind = (expr: Expr): Expr | undefined =>
  expr.node === 'literal' && typeof expr.value === 'string' && expr.type.kind === 'string'
    ? text(expr.value)
    : propertyTextOf(expr)

/** Converts the left side, and the array whose elements it is compared with. */
export function reconcileElements(left: Expr, array: Expr, timezone: string): Sides | undefined {
  if (array.type.kind !== 'array') return undefined
  if (array.node === 'array') return reconcileItems(left, array, timezone)
  if (array.node === 'variable') {
    const value = singleBeside(left, elementIn(array))
    const of = elementFor(value.type)
    return [value, { ...array, type: { ...arrayOf(of), nullable: array.type.nullable } }]
  }
  const element = elementIn(array)
  const sides = reconcile(left, element, timezone)
  return sides?.[1] === element ? [sides[0], array] : undefined
}

/**
 * Converts arrays whose elements are compared with each other. Those that are written out, and variables, take the type of the others.
 * Returns undefined when their elements are not comparable.
 */
export function reconcileArrays(arrays: readonly Expr[], timezone: string): Expr[] | undefined {
  const isVariable = ({ node }: Expr) => node === 'variable'
  const written = arrays.filter((array) => array.node === 'array')
  if (written.length === arrays.length) return unifyItems(written, timezone)
  const firm = arrays.find((array) => array.node !== 'array' && !isVariable(array)) ?? written[0]
  if (firm === undefined) return [...arrays]
  const element = elementIn(firm)
  const converted = arrays.map((array) => {
    if (array === firm) return array
    const sides = reconcileElements(element, array, timezone)
    return sides?.[0] === element ? sides[1] : undefined
  })
  return converted.every((array) => array !== undefined) ? converted : undefined
}

/** Returns an expression that stands for any element of an array. */
const elementIn = ({ type }: Expr): Expr => ({
  node: 'element',
  parameter: -1,
  type: type.kind === 'array' ? type.of : type,
})

type WrittenArray = Extract<Expr, { node: 'array' }>

function unifyItems(arrays: readonly WrittenArray[], timezone: string): Expr[] | undefined {
  const unified = unify(
    arrays.flatMap(({ items }) => items),
    timezone,
  )
  if (unified === undefined) return undefined
  const exprs = unified.exprs.values()
  return arrays.map((array) => ({
    ...array,
    items: array.items.map((item) => exprs.next().value ?? item),
    type: arrayOf(unified.type),
  }))
}

/** Converts the items to one type, beside which the left side has one conversion. */
function reconcileItems(left: Expr, array: WrittenArray, timezone: string): Sides | undefined {
  const [found, ...others] = reconcileAll(left, array.items, timezone) ?? []
  const unified = found && others.length === 0 ? unify(found.items, timezone) : undefined
  return found && unified && [found.left, { ...array, items: unified.exprs, type: arrayOf(unified.type) }]
}

/** Returns the type of a list's elements: a list is bound as text, and compared with numbers and dates as numbers and dates. */
const elementFor = (type: Type): Type =>
  isNumber(type) || isTemporal(type) ? { ...type, nullable: false } : STRING

export interface Choices {
  left: Expr
  items: Expr[]
}

/**
 * Converts one side and each of several others as `=` converts the two. The choices beside which the left side has the same conversion
 * stand together: a property is a number beside `1`, and a text beside `'one'`. Returns undefined when one of them is not comparable.
 */
export function reconcileAll(left: Expr, choices: readonly Expr[], timezone: string): Choices[] | undefined {
  const found = new Map<string, Choices>()
  for (const choice of choices) {
    const sides = reconcile(left, choice, timezone)
    if (sides === undefined) return undefined
    const conversion = conversionOf(sides[0], left)
    const known = found.get(conversion)
    if (known === undefined) found.set(conversion, { left: sides[0], items: [sides[1]] })
    else known.items.push(sides[1])
  }
  return found.size === 0 ? [{ left, items: [] }] : [...found.values()]
}

/** Returns a text that conversions of one expression share only if they are alike. It does not read the expression itself. */
function conversionOf(converted: Expr, original: Expr): string {
  if (converted === original) return ''
  if (converted.node === 'call')
    return `${converted.fn}(${converted.args.map((arg) => conversionOf(arg, original)).join(', ')})`
  const isWritten = converted.node === 'tuple' || converted.node === 'array'
  if (!isWritten || original.node !== converted.node) return keyOf(converted)
  return `(${converted.items.map((item, index) => conversionOf(item, original.items[index]!)).join(', ')})`
}
