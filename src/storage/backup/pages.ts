// Reads a table in pages of a bounded size.
import { encodeRow, keyOf, pageSql } from './rows'
import type { Queryable } from './schema'
import type { Table } from './tables'

/** Maximum bytes of the values of a page. Bytes are read as hexadecimal digits, so that a response has at most twice as many. */
const MAX_PAGE_BYTES = 1_000_000
/** Rows of the first page. Each page reads twice the rows of the previous one, which may have ended early. */
const FIRST_PAGE_ROWS = 64
const MAX_PAGE_ROWS = 2_000

interface Page {
  lines: string[]
  /** The key of the last row. */
  key: readonly string[]
}

/** The rows of a table as lines, page by page. @param after the key of the row to continue behind. */
export async function* readPages(
  { query }: Queryable,
  table: Table,
  after: readonly string[] = [],
): AsyncGenerator<Page> {
  let key = after
  let maxRows = FIRST_PAGE_ROWS
  for (;;) {
    const page = { isFirst: key.length === 0, maxRows, maxBytes: MAX_PAGE_BYTES }
    const rows = await query(pageSql(table, page), key)
    if (rows.length === 0) return
    key = keyOf(table, rows.at(-1)!)
    yield { lines: rows.map((row) => encodeRow(table, row)), key }
    maxRows = Math.min(2 * rows.length, MAX_PAGE_ROWS)
  }
}
