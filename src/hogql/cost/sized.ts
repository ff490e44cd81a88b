// How large the values of an expression are, in the rows in which it is evaluated. Upper bounds.
import type { Type } from '../types'
import { type Amount, greatest, least } from './amount'
import { among, either, type Extent, inEach, NOTHING, plus, spread, times, within } from './extent'
import { MAX_VALUE_BYTES, NUMBER_BYTES } from './rates'

export interface Sized {
  /** Of the value as text. */
  bytes: Extent
  /** Elements of an array. */
  items: Extent
  /** The largest element of an array. */
  element: Amount
  /** A value that is part of a stored document: the values of different paths share its bytes. */
  stored: { document: string; path: string; bytes: Extent } | null
}

/** A value of at most so many bytes. */
export const sized = (bytes: Extent, rest: Partial<Sized> = {}): Sized => ({
  bytes,
  items: NOTHING,
  element: 0,
  stored: null,
  ...rest,
})

/** A number, a moment, or whatever else has no more bytes. */
export const small = (rows: Amount): Sized => sized(inEach(rows, NUMBER_BYTES))

export const constant = (rows: Amount, bytes: Amount): Sized => sized(inEach(rows, bytes))

/** A text that a function makes; no value is larger than the database takes. */
export const text = (bytes: Extent, rows: Amount): Sized => sized(within(bytes, rows, MAX_VALUE_BYTES))

/** An array that a function makes. */
export const array = (bytes: Extent, items: Extent, element: Amount, rows: Amount): Sized => ({
  bytes: within(bytes, rows, MAX_VALUE_BYTES),
  items: within(items, rows, MAX_VALUE_BYTES / 2),
  element: least(element, MAX_VALUE_BYTES),
  stored: null,
})

/** A JSON array of which nothing but its bytes is known: an element takes two bytes at least. */
export const arrayOfBytes = (bytes: Extent, rows: Amount): Sized => array(bytes, bytes, bytes.max, rows)

/** A value of the type, given its bytes. */
export const ofType = (type: Type, bytes: Extent, rows: Amount): Sized =>
  type.kind === 'array' ? arrayOfBytes(bytes, rows) : sized(bytes)

/** One of several values. */
export const oneOf = (values: readonly Sized[]): Sized =>
  sized(either(...values.map(({ bytes }) => bytes)), {
    items: either(...values.map(({ items }) => items)),
    element: greatest(...values.map(({ element }) => element)),
  })

/** All of several values. */
export const allOf = (values: readonly Sized[]): Extent => plus(...values.map(({ bytes }) => bytes))

/** The same value in some of its rows, of which there are `rows` at most. */
export const inSome = (value: Sized, rows: Amount): Sized => ({
  ...value,
  bytes: among(value.bytes, rows),
  items: among(value.items, rows),
})

/** The value in other rows, any number of which may have the same one. */
export const inAny = (value: Sized, rows: Amount): Sized => ({
  ...value,
  bytes: spread(value.bytes, rows),
  items: spread(value.items, rows),
})

/** The value in rows of which there are `each` for one of its own. */
export const repeated = (value: Sized, each: Extent): Sized => ({
  ...value,
  bytes: { sum: times(value.bytes, each).sum, max: value.bytes.max },
  items: { sum: times(value.items, each).sum, max: value.items.max },
})

/**
 * Bytes of rows with these values. Values of different paths of a document have no more bytes than the document, as many times as the path
 * that is read most often.
 */
export function rowBytes(values: readonly Sized[]): Extent {
  const made = values.filter(({ stored }) => stored === null)
  const documents = Map.groupBy(
    values.flatMap(({ stored }) => stored ?? []),
    ({ document }) => document,
  )
  const read = [...documents.values()].map((parts): Extent => {
    const most = Math.max(...[...Map.groupBy(parts, ({ path }) => path).values()].map((same) => same.length))
    return plus(...Array.from({ length: most }, () => parts[0]!.bytes))
  })
  return plus(allOf(made), ...read)
}
