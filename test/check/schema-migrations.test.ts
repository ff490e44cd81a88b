// The check of `npm run check` that finds changes of the schema without a migration.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkSchemaMigrations } from './schema-migrations'
import { MIGRATIONS_FOLDERS } from '../../src/cli/migrations'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halyard-schema-'))
  cpSync('migrations/main', folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const snapshotsIn = (migrations: string): string[] =>
  readdirSync(join(migrations, 'meta')).filter((file) => file !== '_journal.json')

const latestSnapshot = (): string => join(folder, 'meta', snapshotsIn(folder).sort().at(-1)!)

it('accepts the migrations of the repository', () => checkSchemaMigrations('main', folder))

it('rejects a schema with a table that no migration has', async () => {
  const path = latestSnapshot()
  const snapshot = JSON.parse(readFileSync(path, 'utf8'))
  delete snapshot.tables.webhooks
  writeFileSync(path, JSON.stringify(snapshot))
  await expect(checkSchemaMigrations('main', folder)).rejects.toThrow(
    'drizzle/ has changes without a migration in migrations/main',
  )
})

it('rejects migrations that drizzle-kit cannot read', async () => {
  writeFileSync(latestSnapshot(), '{')
  await expect(checkSchemaMigrations('main', folder)).rejects.toThrow('drizzle-kit cannot compare drizzle/')
})

it.each(MIGRATIONS_FOLDERS)(
  'finds only the snapshot of the latest migration in migrations/%s',
  (database) => {
    const migrations = join('migrations', database)
    const latest = JSON.parse(readFileSync(join(migrations, 'meta/_journal.json'), 'utf8')).entries.at(-1)
    expect(snapshotsIn(migrations)).toEqual([`${String(latest.idx).padStart(4, '0')}_snapshot.json`])
  },
)
