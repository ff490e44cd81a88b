// The check of `npm run check` that finds changes of the schema without a migration.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkSchemaMigrations } from '../../src/cli/build/schema-migrations'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halyard-schema-'))
  cpSync('migrations/main', folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const JOURNAL = 'meta/_journal.json'

function readJournal(): { entries: { idx: number; tag: string }[] } {
  return JSON.parse(readFileSync(join(folder, JOURNAL), 'utf8'))
}

const snapshotOf = (idx: number) => join(folder, `meta/${String(idx).padStart(4, '0')}_snapshot.json`)

it('accepts the migrations of the repository', () => checkSchemaMigrations('main', folder))

it('rejects a schema whose latest migration is missing', async () => {
  const journal = readJournal()
  const { idx, tag } = journal.entries.pop()!
  rmSync(join(folder, `${tag}.sql`))
  rmSync(snapshotOf(idx))
  writeFileSync(join(folder, JOURNAL), JSON.stringify(journal))
  await expect(checkSchemaMigrations('main', folder)).rejects.toThrow(
    'drizzle/ has changes without a migration in migrations/main',
  )
})

it('rejects migrations that drizzle-kit cannot read', async () => {
  const { idx } = readJournal().entries.at(-1)!
  writeFileSync(snapshotOf(idx), '{')
  await expect(checkSchemaMigrations('main', folder)).rejects.toThrow('drizzle-kit cannot compare drizzle/')
})
