// How much there is of something in some rows: bytes of a value, elements of an array. Upper bounds.
import { type Amount, greatest, least, product, sum } from './amount'

export interface Extent {
  /** In all rows together. */
  sum: Amount
  /** In one row. */
  max: Amount
}

export const NOTHING: Extent = { sum: 0, max: 0 }

/** The same in each row. */
export const inEach = (rows: Amount, amount: Amount): Extent => ({ sum: product(rows, amount), max: amount })

export const plus = (...extents: readonly Extent[]): Extent => ({
  sum: sum(...extents.map((extent) => extent.sum)),
  max: sum(...extents.map((extent) => extent.max)),
})

export const scaled = (extent: Extent, factor: Amount): Extent => ({
  sum: product(extent.sum, factor),
  max: product(extent.max, factor),
})

/** The product of two amounts of the same row. */
export const times = (one: Extent, other: Extent): Extent => ({
  sum: least(product(one.sum, other.max), product(one.max, other.sum)),
  max: product(one.max, other.max),
})

/** At most so much in a row. */
export const within = (extent: Extent, rows: Amount, limit: Amount): Extent => ({
  sum: least(extent.sum, product(rows, limit)),
  max: least(extent.max, limit),
})

/** The larger in each row. */
export const either = (...extents: readonly Extent[]): Extent => ({
  sum: sum(...extents.map((extent) => extent.sum)),
  max: greatest(...extents.map((extent) => extent.max)),
})

/** In other rows, of which each has the value of some row. */
export const spread = (extent: Extent, rows: Amount): Extent => inEach(rows, extent.max)

/** In some of the rows, `rows` at most. */
export const among = (extent: Extent, rows: Amount): Extent => ({
  sum: least(extent.sum, product(rows, extent.max)),
  max: extent.max,
})
