// Implements D1's interface by SQLite in this process, with the round trip of a database that is near.
import { globSync, readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

const NO_META = { rows_read: 0, rows_written: 0 }

interface Statement {
  text: string
  values: SQLInputValue[]
}

/** Returns a database with the tables of the main one. @param wait for a round trip */
export function sqliteD1(wait: () => Promise<void>): { d1: D1Database; sqlite: DatabaseSync } {
  const sqlite = new DatabaseSync(':memory:')
  for (const file of globSync('migrations/main/*.sql').sort()) sqlite.exec(readFileSync(file, 'utf8'))
  const run = ({ text, values }: Statement) => ({
    results: sqlite.prepare(text).all(...values),
    meta: NO_META,
    success: true,
  })
  const prepare = (text: string, values: SQLInputValue[] = []) => ({
    text,
    values,
    bind: (...bound: SQLInputValue[]) => prepare(text, bound),
    async all() {
      await wait()
      return run({ text, values })
    },
  })
  async function batch(statements: readonly Statement[]) {
    await wait()
    sqlite.exec('BEGIN')
    const results = statements.map(run)
    sqlite.exec('COMMIT')
    return results
  }
  return { d1: { prepare, batch } as unknown as D1Database, sqlite }
}
