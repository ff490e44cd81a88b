// Reads every table of every database into the files of a backup.
//
// The service continues to write, and D1 has no transaction across requests. Therefore each row is as it was at some moment of the backup,
// and the order of reading makes the rows fit together: tables after those that they refer to, the outbox last, the shards after the main
// database.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PreflightError } from '../command'
import { describePart, writeParts } from './files'
import { writeManifest } from './manifest'
import type { BackedUpDatabase, BackedUpTable } from '../../storage/backup/format'
import { readPages } from '../../storage/backup/pages'
import type { SqlDatabase } from '../sql-database'
import { readTables, type Table } from '../../storage/backup/tables'

/**
 * Writes a backup.
 * @param databases the main database, then the shards
 * @throws PreflightError when the folder is not empty, or a shard of a project is not among the databases
 */
export async function writeBackup(
  databases: readonly SqlDatabase[],
  folder: string,
  { now, say }: { now(): Date; say(text: string): void },
): Promise<void> {
  await requireShards(databases)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0) {
    throw new PreflightError(`${folder} is not empty. Name a new folder for the backup.`)
  }
  const startedAt = now().toISOString()
  const written: BackedUpDatabase[] = []
  for (const database of databases) written.push(await backUp(database, folder, say))
  writeManifest(folder, { id: randomUUID(), startedAt, finishedAt: now().toISOString(), databases: written })
}

/** Checks that the backup has the shards of all projects: one that wrangler.toml no longer binds would be missing without an error. */
async function requireShards(databases: readonly SqlDatabase[]): Promise<void> {
  const shards = (await databases[0]!.query('SELECT DISTINCT shard FROM projects ORDER BY shard')).map(
    ({ shard }) => String(shard),
  )
  const missing = shards.filter((shard) => !databases.some(({ binding }) => binding === shard))
  if (missing.length === 0) return
  throw new PreflightError(
    missing
      .map(
        (shard) =>
          `Projects have their events on ${shard}, which wrangler.toml does not bind. Bind it in wrangler.toml.`,
      )
      .join('\n'),
  )
}

async function backUp(
  database: SqlDatabase,
  folder: string,
  say: (text: string) => void,
): Promise<BackedUpDatabase> {
  const { binding } = database
  mkdirSync(join(folder, binding), { mode: 0o700 })
  const migrations = await database.query('SELECT name FROM d1_migrations ORDER BY id')
  const tables: BackedUpTable[] = []
  for (const table of await readTables(database)) {
    const { name, columns } = table
    const parts = await writeParts(folder, join(binding, name), linesOf(database, table), (part) =>
      say(describePart(part)),
    )
    const rows = parts.reduce((sum, part) => sum + part.rows, 0)
    tables.push({ name, columns, rows, parts })
  }
  const sequences = await database.query(
    `SELECT name, seq FROM sqlite_sequence WHERE name IN (SELECT value FROM json_each(?1))`,
    [JSON.stringify(tables.map(({ name }) => name))],
  )
  return {
    binding,
    migrations: migrations.map(({ name }) => String(name)),
    tables,
    sequences: Object.fromEntries(sequences.map(({ name, seq }) => [String(name), Number(seq)])),
  }
}

async function* linesOf(database: SqlDatabase, table: Table): AsyncGenerator<string[]> {
  for await (const { lines } of readPages(database, table)) yield lines
}
