// Checks that migrations/ has every change of the schema in drizzle/.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { MIGRATIONS_FOLDERS, type MigrationsFolder } from '../../src/cli/migrations'
import { run } from './run-tool'

/** The output of drizzle-kit when it finds no change. It also exits with 0 after most of its errors. */
const UNCHANGED = 'No schema changes, nothing to migrate'

/**
 * Generates migrations into a copy of the folder, which get no file when the schema has no changes.
 * @param migrations the folder of the migrations of the database
 * @throws Error when the schema has changes without a migration, or drizzle-kit cannot compare them
 */
export async function checkSchemaMigrations(
  database: MigrationsFolder,
  migrations = join('migrations', database),
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-migrations-'))
  try {
    cpSync(migrations, folder, { recursive: true })
    const before = readdirSync(folder).length
    // drizzle-kit adds "./" before the path.
    const out = relative(process.cwd(), folder)
    const output = await run(`DATABASE=${database} MIGRATIONS_OUT=${out} drizzle-kit generate`)
    if (readdirSync(folder).length > before) {
      throw new Error(`drizzle/ has changes without a migration in migrations/${database}`)
    }
    if (!output.includes(UNCHANGED)) {
      throw new Error(`drizzle-kit cannot compare drizzle/ with migrations/${database}:\n${output}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function checkMigrations(): Promise<void> {
  for (const database of MIGRATIONS_FOLDERS) await checkSchemaMigrations(database)
}
