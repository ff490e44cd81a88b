// The migrations of each database, and checks of whether they made a database.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Schema } from '../storage/backup/schema'

/** A folder of migrations/. The main database has one, and all analytics shards share the other. */
export type MigrationsFolder = 'main' | 'events'

export const MIGRATIONS_FOLDERS: readonly MigrationsFolder[] = ['main', 'events']

export interface Migration {
  /** The name of the file, such as `0000_initial.sql`. */
  file: string
  sql: string
}

export const readMigrations = (folder: MigrationsFolder): Migration[] =>
  readdirSync(join('migrations', folder))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ file, sql: readFileSync(join('migrations', folder, file), 'utf8') }))

/** Returns the SHA-256 of every migration by its path: that which is known, because databases may have applied it, else that of its text. */
export const hashesOf = (known: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    MIGRATIONS_FOLDERS.toSorted().flatMap((folder) =>
      readMigrations(folder).map(({ file, sql }) => {
        const path = `${folder}/${file}`
        return [path, known[path] ?? createHash('sha256').update(sql).digest('hex')]
      }),
    ),
  )

/** SQL of the table as wrangler creates it. */
export const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "d1_migrations" (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`

/**
 * Returns why a database cannot be used yet.
 * @param name of the database, or of its binding
 */
export const unfinishedRestore = (name: string): string =>
  `${name} holds an unfinished restore. Run the same \`npm run restore\` again: it continues where it stopped.`

/**
 * Returns tables of applied migrations that the database lacks. A release with other migrations of the same names created it, and it cannot
 * be upgraded.
 */
export function missingTables(migrations: readonly Migration[], { applied, tables }: Schema): string[] {
  const created = migrations
    .filter(({ file }) => applied.includes(file))
    .flatMap(({ sql }) => [...sql.matchAll(/^CREATE TABLE `(\w+)`/gm)].map(([, name]) => name!))
  return created.filter((name) => !tables.includes(name))
}
