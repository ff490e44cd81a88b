// The local databases of wrangler.toml, opened as a Worker sees them. One runtime serves all of them; each run of `wrangler d1` would start
// another, for some seconds each.
import { withTemporaryFile } from './exit-cleanup'
import { CONFIG_FILE, isDatabase, migrationsFolderOf } from './deploy/bindings'
import { type Migration, missingTables, readMigrations, RESTORE_TABLE, unfinishedRestore } from './migrations'
import { WRANGLER_ENVIRONMENT } from './wrangler'

/** In the project's folder, because wrangler keeps its state beside the configuration. Git ignores it. */
const FILE = `.wrangler.${process.pid}.json`

export interface LocalDatabases {
  /** By binding. */
  databases: Readonly<Record<string, D1Database>>
  /** `[vars]` and `.dev.vars`. */
  vars: Readonly<Record<string, unknown>>
}

/** Opens the databases while `use` runs. */
export async function withLocalDatabases<T>(use: (local: LocalDatabases) => Promise<T>): Promise<T> {
  Object.assign(process.env, WRANGLER_ENVIRONMENT, { WRANGLER_LOG: 'error' })
  const { experimental_readRawConfig: readRawConfig, getPlatformProxy } = await import('wrangler')
  const { name, compatibility_date, vars, d1_databases } = readRawConfig({ config: CONFIG_FILE }).rawConfig
  // Without the other bindings, whose classes and queues are in the Worker's code.
  const config = JSON.stringify({ name, compatibility_date, vars, d1_databases })
  return withTemporaryFile(FILE, config, async (configPath) => {
    const { env, dispose } = await getPlatformProxy<Record<string, unknown>>({ configPath, persist: true })
    try {
      const databases = Object.entries(env).filter(([binding]) => isDatabase(binding))
      return await use({ databases: Object.fromEntries(databases) as Record<string, D1Database>, vars: env })
    } finally {
      await dispose()
    }
  })
}

/** As wrangler creates it. */
export const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`

/**
 * Applies the migrations that a database lacks, each in one transaction.
 * @throws when an older layout made the database, or a restore of it is not finished.
 */
export async function migrate(database: D1Database, binding: string): Promise<void> {
  const namesIn = async (sql: string) =>
    (await database.prepare(sql).all<{ name: string }>()).results.map(({ name }) => name)
  await database.prepare(CREATE_MIGRATIONS_TABLE).run()
  const applied = await namesIn('SELECT name FROM d1_migrations')
  const tables = await namesIn(`SELECT name FROM sqlite_master WHERE type = 'table'`)
  const migrations = readMigrations(migrationsFolderOf(binding))
  if (tables.includes(RESTORE_TABLE)) throw new Error(unfinishedRestore(binding))
  const missing = missingTables(migrations, { applied, tables })
  if (missing.length > 0) {
    throw new Error(
      `An earlier version made the local database, and it cannot be upgraded: it has no table ${missing.join(', ')}.\n` +
        'Delete it, with the flags, accounts and events in it, and run the command again:\n\n  rm -r .wrangler/state\n',
    )
  }
  for (const migration of migrations) {
    if (!applied.includes(migration.file)) await applyMigration(database, migration)
  }
}

/** Applies a migration, and records it, in one transaction. */
export async function applyMigration(database: D1Database, { file, sql }: Migration): Promise<void> {
  const { unstable_splitSqlQuery: splitSqlQuery } = await import('wrangler')
  await database.batch([
    ...splitSqlQuery(sql).map((statement) => database.prepare(statement)),
    database.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').bind(file),
  ])
}
