// Widths of values in some rows, as upper bounds.
import { type Formula, greatest, least, product, sum } from './formula'
import { isText, type Type } from '../types'
import { MAX_VALUE_BYTES, NUMBER_BYTES } from './rates'

export interface Totals {
  /** The total of all rows. */
  sum: Formula
  /** The maximum of one row. */
  max: Formula
}

/** The most bytes of a character in JSON. */
export const ESCAPED = 6

const NO_TOTALS: Totals = { sum: 0, max: 0 }

export const perRow = (rows: Formula, amount: Formula): Totals => ({
  sum: product(rows, amount),
  max: amount,
})

export const plus = (...extents: readonly Totals[]): Totals => ({
  sum: sum(...extents.map((extent) => extent.sum)),
  max: sum(...extents.map((extent) => extent.max)),
})

export const scaled = (extent: Totals, factor: Formula): Totals => ({
  sum: product(extent.sum, factor),
  max: product(extent.max, factor),
})

/** Returns the bytes of a value as an element of JSON, in which only characters of texts may be escaped. */
export const asElement = (bytes: Totals, type: Type): Totals => scaled(bytes, isText(type) ? ESCAPED : 1)

/** Returns the product of two totals of the same rows. */
export const times = (one: Totals, other: Totals): Totals => ({
  sum: least(product(one.sum, other.max), product(one.max, other.sum)),
  max: product(one.max, other.max),
})

/** Returns the total of the smaller one in each row. */
export const smaller = (...extents: readonly Totals[]): Totals => ({
  sum: least(...extents.map((extent) => extent.sum)),
  max: least(...extents.map((extent) => extent.max)),
})

/** Returns a total of which each row has at most `limit`. */
const capped = (extent: Totals, rows: Formula, limit: Formula): Totals => ({
  sum: least(extent.sum, product(rows, limit)),
  max: least(extent.max, limit),
})

/** Returns the total of the larger one in each row. The sum is that of all, which is an upper bound. */
const larger = (...extents: readonly Totals[]): Totals => ({
  sum: sum(...extents.map((extent) => extent.sum)),
  max: greatest(...extents.map((extent) => extent.max)),
})

export interface Width {
  /** The bytes of the value as text. */
  bytes: Totals
  items: Totals
  /** The value of a number, counted from 0; undefined when it may be any. */
  count?: Totals | undefined
  /** The bytes of the largest element of an array. */
  element: Formula
  /** The place of a value in a stored document: values of different paths share its bytes. */
  stored: { document: string; path: string; bytes: Totals } | null
}

export const width = (bytes: Totals, rest: Partial<Width> = {}): Width => ({
  bytes,
  items: NO_TOTALS,
  element: 0,
  stored: null,
  ...rest,
})

/** A number, a date, or another value of at most `NUMBER_BYTES`. */
export const numberWidth = (rows: Formula, count?: Totals): Width => ({
  ...width(perRow(rows, NUMBER_BYTES)),
  count,
})

export const constantWidth = (rows: Formula, bytes: Formula): Width => width(perRow(rows, bytes))

/** Returns the width of a computed text, at most as large as D1 allows. */
export const textWidth = (bytes: Totals, rows: Formula): Width => width(capped(bytes, rows, MAX_VALUE_BYTES))

/** Returns the width of a computed array. */
export const arrayWidth = (bytes: Totals, items: Totals, element: Formula, rows: Formula): Width => ({
  bytes: capped(bytes, rows, MAX_VALUE_BYTES),
  items: capped(items, rows, MAX_VALUE_BYTES / 2),
  element: least(element, MAX_VALUE_BYTES),
  stored: null,
})

/** Returns the width of a JSON array of which only the bytes are known: an element takes at least two. */
export const jsonArrayWidth = (bytes: Totals, rows: Formula): Width =>
  arrayWidth(bytes, bytes, bytes.max, rows)

export const typedWidth = (type: Type, bytes: Totals, rows: Formula): Width =>
  type.kind === 'array' ? jsonArrayWidth(bytes, rows) : width(bytes)

/** Returns the width of one of several values. */
export const eitherOf = (values: readonly Width[]): Width =>
  width(larger(...values.map(({ bytes }) => bytes)), {
    items: larger(...values.map(({ items }) => items)),
    element: greatest(...values.map(({ element }) => element)),
  })

export const totalBytes = (values: readonly Width[]): Totals => plus(...values.map(({ bytes }) => bytes))

const changed = (value: Width, change: (extent: Totals) => Totals): Width => ({
  ...value,
  bytes: change(value.bytes),
  items: change(value.items),
  count: value.count && change(value.count),
})

/** Returns the width of the value in at most `rows` of its rows. */
export const filtered = (value: Width, rows: Formula): Width =>
  changed(value, (extent) => capped(extent, rows, extent.max))

/** Returns the width of the value in other rows, any number of which may share it. */
export const duplicated = (value: Width, rows: Formula): Width =>
  changed(value, ({ max }) => perRow(rows, max))

/** Returns the width of the value when each of its rows becomes `each` rows. */
export const expanded = (value: Width, each: Totals): Width =>
  changed(value, (extent) => ({ sum: times(extent, each).sum, max: extent.max }))

/**
 * Returns the bytes of rows with these values. Values of different paths share their document's bytes, which count as often as the most
 * frequent path.
 */
export function rowBytes(values: readonly Width[]): Totals {
  const made = values.filter(({ stored }) => stored === null)
  const documents = Map.groupBy(
    values.flatMap(({ stored }) => stored ?? []),
    ({ document }) => document,
  )
  const read = [...documents.values()].map((parts): Totals => {
    const most = Math.max(...[...Map.groupBy(parts, ({ path }) => path).values()].map((same) => same.length))
    return scaled(parts[0]!.bytes, most)
  })
  return plus(totalBytes(made), ...read)
}
