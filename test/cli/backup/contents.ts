// What databases contain, for comparing one that was restored with the one that was backed up.
import { RECOUNT } from '../../../src/cli/deploy/after-restore'
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { hostileRows, type Size } from './hostile-rows'
import { type Hashes, rowsOf, shardRows } from '../../storage/upgrade-rows'
import type { Rows } from '../../storage/upgrade-rows/row'

const namesOf = (database: DatabaseSync): string[] =>
  database
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY name`,
    )
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== 'd1_migrations' && !name.startsWith('mat_'))

/** Columns that a restore changes on purpose. */
const CHANGED = new Set([
  'projects.flags_generation',
  'projects.people_version',
  'people_volumes.largest',
  ...[
    'generations',
    'generation',
    'plan',
    'row_count',
    'next_build_at',
    'building',
    'build_plan',
    'build_token',
    'build_until',
  ].map((column) => `endpoint_materializations.${column}`),
])

/** Tasks that a restore adds: their ids begin with that of the backup. */
const ADDED = `WHERE id NOT GLOB '*/*/*'`

/** By table: how many rows it has, and a hash of their values with their types. */
export function contentsOf(database: DatabaseSync): Record<string, string> {
  return Object.fromEntries(
    namesOf(database).map((table) => {
      const columns = database
        .prepare(`SELECT name FROM pragma_table_info(?)`)
        .all(table)
        .map(({ name }) => String(name))
        .filter((column) => !CHANGED.has(`${table}.${column}`))
      const values = columns.map((column) => `typeof("${column}") || hex("${column}")`).join(` || ',' || `)
      const rows = database
        .prepare(`SELECT ${values} AS line FROM "${table}" ${table === 'outbox' ? ADDED : ''}`)
        .all()
        .map(({ line }) => String(line))
      return [table, `${rows.length} ${createHash('sha256').update(rows.sort().join('\n')).digest('hex')}`]
    }),
  )
}

const HASHES: Hashes = {
  password: 'hash of a password',
  apiKey: 'hash of a key',
  session: 'hash of a session',
}

/** Writes rows into every table of a main database and its shard. */
export function fillDatabases(main: DatabaseSync, shard: DatabaseSync, size: Size): void {
  insertAll(main, rowsOf(1, HASHES))
  insertAll(shard, shardRows(1))
  hostileRows(main, shard, size)
  for (const statement of RECOUNT) main.exec(statement)
}

function insertAll(database: DatabaseSync, rows: Rows): void {
  database.exec('PRAGMA foreign_keys = OFF')
  for (const [table, found] of Object.entries(rows)) {
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table)
    for (const row of found) {
      const names = columns.map(({ name }) => `"${String(name)}"`).join()
      const values = columns.map(({ type }) => (type === 'BLOB' ? 'jsonb(?)' : '?')).join()
      database
        .prepare(`INSERT OR REPLACE INTO "${table}" (${names}) VALUES (${values})`)
        .run(...columns.map(({ name }) => row[String(name)] as string | number | null))
    }
  }
  database.exec('PRAGMA foreign_keys = ON')
}
