// Pages that end early when their rows are large. The database adds up the sizes, so the Worker never reads more than a page.
import { type Column, type SQL, sql } from 'drizzle-orm'

/** Maximum bytes of the large columns of a page. A page has at least one row, whatever its size. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024

/**
 * A page, each row with its place, counting from 1, and with the bytes of all rows up to it: a subselect of the columns `id`, `place` and
 * `total`, to be joined under the name `picked` with `isWithinBytes` among the conditions.
 * @param page a SELECT with its ORDER BY and LIMIT, of the columns `id` and `bytes`.
 */
export const withRunningTotal = (page: SQL): SQL => runningTotal(page, sql``)

/** The same with the column `found`: the number of rows of the page, whatever their size. */
export const withRunningTotalAndCount = (page: SQL): SQL =>
  runningTotal(page, sql`, count(*) OVER () AS found`)

const runningTotal = (page: SQL, more: SQL): SQL =>
  sql`(SELECT id, count(*) OVER so_far AS place, sum(bytes) OVER so_far AS total${more} FROM (${page})
    WINDOW so_far AS (ROWS UNBOUNDED PRECEDING)) picked`

/** Whether a row of `withRunningTotal` is within the limit of a page. */
export const isWithinBytes = (maxBytes = MAX_PAGE_BYTES): SQL =>
  sql`(picked.place = 1 OR picked.total <= ${maxBytes})`

/**
 * SQL condition on the rows of a page: the whole page is within the limit. When the rows are too large together, none of them meets it.
 * It is cheaper than `withRunningTotal`.
 */
export const fitsInPage = (page: SQL, maxBytes = MAX_PAGE_BYTES): SQL =>
  sql`(SELECT total(bytes) FROM (${page})) <= ${maxBytes}`

/** Sorts the rows of a page by their place: the order of a join is not guaranteed. */
export const sortByPlace = <Row extends { place: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => a.place - b.place)

/** The bytes of columns together, as SQL. SQLite takes the length of a column from the record header, without reading its content. */
export const bytesOf = (...columns: readonly (SQL | Column)[]): SQL =>
  sql`(${sql.join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  )})`
