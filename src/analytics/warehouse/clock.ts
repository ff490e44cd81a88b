// The clock that versions of rows in ClickHouse go by: the database's own, so that what is written later has the later version.

/** SQL for epoch milliseconds of the database. */
export const DATABASE_CLOCK = `CAST(round(unixepoch('subsec') * 1000) AS INTEGER)`
