// Reads everything in a database, and makes databases with only the rows that a test gives.
import type { Row, Rows } from '../../storage/upgrade-rows/row'

const HERE = 'test/storage/upgrade-rows/'

export const all = async (database: D1Database, sql: string): Promise<Row[]> =>
  (await database.prepare(sql).all<Row>()).results

/** The tables, indexes and triggers that migrations make. */
export const schemaOf = (database: D1Database) =>
  all(
    database,
    `SELECT type, name, tbl_name, sql FROM sqlite_master
    WHERE name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND tbl_name <> 'd1_migrations' ORDER BY type, name`,
  )

export const tablesOf = async (database: D1Database) =>
  (await schemaOf(database)).flatMap(({ type, name }) => (type === 'table' ? [String(name)] : []))

/** Inserts rows in the current schema: some for every table, with a value for every column. */
export async function fill(database: D1Database, rows: Rows): Promise<void> {
  const statements: D1PreparedStatement[] = []
  const tables = await tablesOf(database)
  const infos = await database.batch<Row>(
    tables.map((table) => database.prepare(`PRAGMA table_info("${table}")`)),
  )
  for (const [index, table] of tables.entries()) {
    const columns = infos[index]!.results
    const found = rows[table] ?? []
    if (found.length === 0)
      throw new Error(
        `The table ${table} has no row in ${HERE}: add one, so that upgrades are tried with it.`,
      )
    for (const row of found) {
      const lacking = columns.filter(({ name }) => !(String(name) in row))
      if (lacking.length > 0) {
        const names = lacking.map(({ name }) => name).join(', ')
        throw new Error(`A row of ${table} in ${HERE} has no ${names}: say what stands there.`)
      }
      const names = columns.map(({ name }) => `"${name}"`).join()
      // Documents in binary form.
      const values = columns.map(({ type }) => (type === 'BLOB' ? 'jsonb(?)' : '?')).join()
      statements.push(
        database
          .prepare(`INSERT INTO "${table}" (${names}) VALUES (${values})`)
          .bind(...columns.map(({ name }) => row[String(name)]!)),
      )
    }
  }
  await database.batch([database.prepare('PRAGMA defer_foreign_keys = on'), ...statements])
}

/** The rows by table. */
export async function contentsOf(database: D1Database): Promise<Record<string, Row[]>> {
  const tables = await tablesOf(database)
  const found = await database.batch<Row>(tables.map((table) => database.prepare(`SELECT * FROM "${table}"`)))
  return Object.fromEntries(tables.map((table, index) => [table, found[index]!.results]))
}
