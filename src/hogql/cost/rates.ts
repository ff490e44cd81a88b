// What work takes on D1, in nanoseconds. Chosen so that estimates are above what `npm run bench -- cost` measures, on any query of its list.

/** Reading one row of a table, or finding it by its key. */
export const ROW = 400
/** A row of `numbers`, of an array's elements, or of a subquery. */
export const MADE_ROW = 200
/** One row of a join looked at. */
export const JOINED_ROW = 150
/** Any operator or function, before its bytes. */
export const OPERATION = 80
/** A value looked up in a document, before the bytes of the document. */
export const LOOKUP = 350
/** Finding a row of another table for a row: the person of an event. */
export const LOOKUP_ROW = 900
/** A row put in order, or into its group. */
export const SORTED_ROW = 900
/** An aggregate or a window function over one row. */
export const AGGREGATE = 200

/** A byte of a document that a value is looked up in. */
export const DOCUMENT_BYTE = 0.35
/** A byte of a value read, written or compared. */
export const BYTE = 1
/** A byte of JSON parsed or written. */
export const JSON_BYTE = 3
/** A text taken apart by characters, and each of them. */
export const CHARACTERS = 2_000
export const CHARACTER = 500
/** A byte compared with another, or copied, in a tight loop. */
export const COPIED_BYTE = 0.15

/** Bytes of a value that one value can have at most: D1's limit, and some more. */
export const MAX_VALUE_BYTES = 2_200_000
/** Bytes of a number or a moment as text. */
export const NUMBER_BYTES = 40
/** Bytes that a row takes besides its values while it is put in order. */
export const ROW_OVERHEAD = 40
