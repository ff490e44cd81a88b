// Reads the schema of a database from SQLite.

export type Row = Record<string, unknown>

/** A database that runs one statement at a time. */
export interface Queryable {
  query(sql: string, params?: readonly (string | number)[]): Promise<Row[]>
}

/** A table that exists while `npm run restore` fills the database. */
export const RESTORE_TABLE = 'restore_progress'

export interface Schema {
  /** Files of migrations that were applied. */
  applied: string[]
  /** All tables, including those of D1 and SQLite. */
  tables: string[]
}

/** Reads the schema of a database, also of an empty one. @param query runs a statement; returns its rows. */
export async function readSchema(
  query: (sql: string) => Promise<Record<string, unknown>[]>,
): Promise<Schema> {
  const namesOf = async (sql: string) => (await query(sql)).map(({ name }) => String(name))
  const tables = await namesOf(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
  const isMigrated = tables.includes('d1_migrations')
  return { tables, applied: isMigrated ? await namesOf('SELECT name FROM d1_migrations ORDER BY id') : [] }
}
