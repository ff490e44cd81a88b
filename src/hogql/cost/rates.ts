// Nanoseconds of work on D1. They are chosen so that estimates exceed what `npm run bench -- cost` measures, for every query of its list.

/** Reading one row of a table, or finding it by its key. */
export const ROW = 400
/** A row of `numbers`, of an array's elements, or of a subquery. */
export const MADE_ROW = 200
/** One comparison of a join. */
export const JOINED_ROW = 150
/** An operator or function, besides its bytes. */
export const OPERATION = 80
/** A lookup in a document, besides the document's bytes. */
export const LOOKUP = 350
/** A lookup of a result that the Worker has computed. */
export const LOOKUP_RESULT = 1_500
/** A lookup of another table's row, such as an event's person. */
export const LOOKUP_ROW = 900
/** A row that is sorted or grouped. */
export const SORTED_ROW = 900
/** A row of an aggregate or a window function. */
export const AGGREGATE = 200
/** A place at which the SQL of an aggregate reads an argument. */
export const AGGREGATE_USE = 60

/** The channel type of a session, besides the bytes of what it reads. */
export const CHANNEL = 30_000
/** A byte that it reads, of which every other one may end a label of a domain. */
export const CHANNEL_BYTE = 100

// Parts of a function's SQL.
/** A call of SQLite's functions of dates, which parse and write texts. */
export const DATE = 800
/** The rows of a short array or object. */
export const JSON_ROWS = 1_500
/** A path in a value that is JSON. */
export const JSON_PATH = 200
export const SUBSELECT = 250
/** A window function over few rows. */
export const WINDOW = 1_000
/** A number that is written as text. */
export const NUMBER_TEXT = 400
/** A text that is compared with a pattern of a function's own. */
export const PATTERN = 100
/** A pattern of LIKE that is converted to one of SQLite in each row. */
export const CONVERTED_PATTERN = 2_500
/** Any other function. */
export const FUNCTION = 60

/** A byte of a document that is searched for a path. */
export const DOCUMENT_BYTE = 0.35
/** A byte read, written or compared. */
export const BYTE = 1
/** A byte of JSON parsed or written. */
export const JSON_BYTE = 3
/** A text that is split into characters, and each of the characters. */
export const CHARACTERS = 2_000
export const CHARACTER = 500
/** A character compared with one of a set. */
export const COMPARED_CHARACTER = 8
/** A byte compared or copied in a tight loop. */
export const COPIED_BYTE = 0.15

/** The maximum size of a value on D1, and a margin. */
export const MAX_VALUE_BYTES = 2_200_000
/** Bytes of a number or a date as text. */
export const NUMBER_BYTES = 40
/** Bytes of a sorted row, besides its values. */
export const ROW_OVERHEAD = 40
