// Space for sign-ins in a full database, so that users can sign in and delete data: rows of filler. A batch that needs pages deletes one of them;
// SQLite gives pages that a transaction freed to the same transaction.

/** The number of rows in the reserve. A sign-in takes one. */
const ROWS = 64

/** Bytes of a row: four pages, because a session takes at most one of its table and one of each index. */
const ROW_BYTES = 16_384

/** Whether a statement is one of a sign-in, by Drizzle's text. */
export const isEssential = (text: string): boolean =>
  /^insert into "(?:sessions|login_challenges|throttle_windows)"/.test(text)

export const RELEASE_RESERVE = 'DELETE FROM reserve WHERE id = (SELECT max(id) FROM reserve)'

/** Rows that the reserve lacks. */
export const FILL_RESERVE = `INSERT OR IGNORE INTO reserve (id, filler)
  WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${ROWS})
  SELECT id, zeroblob(${ROW_BYTES}) FROM ids`
