// Migrations as D1's API takes them: it splits a file into statements by rules of its own, which SQLite does not have. A file that breaks them
// works on every machine, and fails where it is deployed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAccount } from '../../src/cli/deploy/account'
import { hashesOf, missingTables, MIGRATIONS_FOLDERS, readMigrations } from '../../src/cli/migrations'
import { remoteDatabase } from '../../src/cli/sql-database'
import { type Cloudflare, serveCloudflare, TOKEN } from './cloudflare/server'

const FILES = MIGRATIONS_FOLDERS.flatMap((folder) =>
  readMigrations(folder).map((migration) => ({ folder, ...migration })),
)

/** SHA-256 of each migration, as `npm run migration` writes it. */
const HASHES = JSON.parse(readFileSync('migrations/hashes.json', 'utf8')) as Record<string, string>

let cloudflare: Cloudflare
beforeEach(async () => {
  cloudflare = await serveCloudflare()
})
afterEach(() => cloudflare.stop())

async function run(statements: string[]) {
  const account = await openAccount(null, {
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
    CLOUDFLARE_API_TOKEN: TOKEN,
  })
  const { uuid } = await account.cloudflare.post<{ uuid: string }>(`/accounts/${account.id}/d1/database`, {
    name: 'test',
  })
  return remoteDatabase('DB', uuid, account).execute(statements)
}

describe('the API of D1', () => {
  it.each(MIGRATIONS_FOLDERS)('splits every migration of %s into its statements', async (folder) => {
    const migrations = readMigrations(folder)
    const made = await run([
      ...migrations.map(({ sql }) => sql.trim().replace(/;$/, '')),
      "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'trigger')",
    ])
    const namesOf = (type: string) => made.flatMap((row) => (row.type === type ? [String(row.name)] : []))
    const countOf = (start: RegExp) => migrations.flatMap(({ sql }) => sql.match(start) ?? []).length
    expect(namesOf('trigger')).toHaveLength(countOf(/CREATE TRIGGER/g) - countOf(/DROP TRIGGER/g))
    const applied = migrations.map(({ file }) => file)
    expect(missingTables(migrations, { applied, tables: namesOf('table') })).toEqual([])
    expect(missingTables(migrations, { applied, tables: [] })).toEqual(
      expect.arrayContaining(namesOf('table').filter((name) => !name.startsWith('sqlite_'))),
    )
  })

  it.each([
    ['in small letters', 'CREATE TRIGGER t AFTER INSERT ON a begin DELETE FROM a; end'],
    ['after a carriage return', 'CREATE TRIGGER t AFTER INSERT ON a\r\nBEGIN\r\n DELETE FROM a;\r\nEND'],
    ['with a CASE in it', 'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; END'],
  ])('does not take a trigger %s', async (_, trigger) => {
    await expect(run(['CREATE TABLE a (id integer)', trigger])).rejects.toThrow(/incomplete input/)
  })
})

describe('migrations/hashes.json', () => {
  it('lists every migration, and no other', () => {
    expect(Object.keys(HASHES).sort()).toEqual(FILES.map(({ folder, file }) => `${folder}/${file}`).sort())
  })

  it('gets the hashes that it lacks, and keeps those of migrations that databases may have', () => {
    const [first, last] = [Object.keys(HASHES)[0]!, Object.keys(HASHES).at(-1)!]
    const { [last]: _, ...known } = { ...HASHES, [first]: 'as databases have it' }
    expect(hashesOf({ ...known, 'main/9999_withdrawn.sql': 'x' })).toEqual({
      ...HASHES,
      [first]: 'as databases have it',
    })
    expect(Object.keys(hashesOf(known))).toEqual(Object.keys(HASHES))
  })
})

describe.each(FILES)('$folder/$file', ({ folder, file, sql }) => {
  it('is unchanged since it was added: databases that have it do not run it again', () => {
    expect(createHash('sha256').update(sql).digest('hex')).toBe(HASHES[`${folder}/${file}`])
  })

  it('has no comment that the API could take for the end of a statement', () => {
    const comments = sql.match(/--(?!> statement-breakpoint).*/g) ?? []
    expect(comments.filter((comment) => /[;'"`]/.test(comment))).toEqual([])
  })
})
