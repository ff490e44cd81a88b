// Widths of values in some rows, as upper bounds.
import { type Formula, greatest, least, product, sum } from './formula'
import type { Type } from '../types'
import { MAX_VALUE_BYTES, NUMBER_BYTES } from './rates'

export interface Totals {
  /** In all rows together. */
  sum: Formula
  /** In one row. */
  max: Formula
}

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

/** The product of two totals of the same rows. */
export const times = (one: Totals, other: Totals): Totals => ({
  sum: least(product(one.sum, other.max), product(one.max, other.sum)),
  max: product(one.max, other.max),
})

/** At most `limit` in a row. */
const capped = (extent: Totals, rows: Formula, limit: Formula): Totals => ({
  sum: least(extent.sum, product(rows, limit)),
  max: least(extent.max, limit),
})

/** The larger one in each row. */
const larger = (...extents: readonly Totals[]): Totals => ({
  sum: sum(...extents.map((extent) => extent.sum)),
  max: greatest(...extents.map((extent) => extent.max)),
})

/** In other rows, each with the value of some row. */
const spread = (extent: Totals, rows: Formula): Totals => perRow(rows, extent.max)

/** In at most `rows` of the rows. */
const among = (extent: Totals, rows: Formula): Totals => ({
  sum: least(extent.sum, product(rows, extent.max)),
  max: extent.max,
})

export interface Width {
  /** As text. */
  bytes: Totals
  items: Totals
  /** The largest element of an array. */
  element: Formula
  /** A value of a stored document: values of different paths share its bytes. */
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
export const numberWidth = (rows: Formula): Width => width(perRow(rows, NUMBER_BYTES))

export const constantWidth = (rows: Formula, bytes: Formula): Width => width(perRow(rows, bytes))

/** A computed text, at most as large as D1 allows. */
export const textWidth = (bytes: Totals, rows: Formula): Width => width(capped(bytes, rows, MAX_VALUE_BYTES))

/** A computed array. */
export const arrayWidth = (bytes: Totals, items: Totals, element: Formula, rows: Formula): Width => ({
  bytes: capped(bytes, rows, MAX_VALUE_BYTES),
  items: capped(items, rows, MAX_VALUE_BYTES / 2),
  element: least(element, MAX_VALUE_BYTES),
  stored: null,
})

/** A JSON array of which only its bytes are known: an element takes at least two. */
export const jsonArrayWidth = (bytes: Totals, rows: Formula): Width =>
  arrayWidth(bytes, bytes, bytes.max, rows)

export const typedWidth = (type: Type, bytes: Totals, rows: Formula): Width =>
  type.kind === 'array' ? jsonArrayWidth(bytes, rows) : width(bytes)

/** One of several values. */
export const eitherOf = (values: readonly Width[]): Width =>
  width(larger(...values.map(({ bytes }) => bytes)), {
    items: larger(...values.map(({ items }) => items)),
    element: greatest(...values.map(({ element }) => element)),
  })

export const totalBytes = (values: readonly Width[]): Totals => plus(...values.map(({ bytes }) => bytes))

/** The value in at most `rows` of its rows. */
export const filtered = (value: Width, rows: Formula): Width => ({
  ...value,
  bytes: among(value.bytes, rows),
  items: among(value.items, rows),
})

/** The value in other rows, any number of which may share it. */
export const duplicated = (value: Width, rows: Formula): Width => ({
  ...value,
  bytes: spread(value.bytes, rows),
  items: spread(value.items, rows),
})

/** The value in `each` rows for one of its own. */
export const expanded = (value: Width, each: Totals): Width => ({
  ...value,
  bytes: { sum: times(value.bytes, each).sum, max: value.bytes.max },
  items: { sum: times(value.items, each).sum, max: value.items.max },
})

/**
 * Bytes of rows with these values. Values of different paths share their document's bytes, which count as often as the most frequent
 * path.
 */
export function rowBytes(values: readonly Width[]): Totals {
  const made = values.filter(({ stored }) => stored === null)
  const documents = Map.groupBy(
    values.flatMap(({ stored }) => stored ?? []),
    ({ document }) => document,
  )
  const read = [...documents.values()].map((parts): Totals => {
    const most = Math.max(...[...Map.groupBy(parts, ({ path }) => path).values()].map((same) => same.length))
    return plus(...Array.from({ length: most }, () => parts[0]!.bytes))
  })
  return plus(totalBytes(made), ...read)
}
