// A backup that is restored: every row as it was, within the limits of D1's API.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Keys } from '../../../src/cli/backup/check-keys'
import type { Target } from '../../../src/cli/backup/check-target'
import { readManifest } from '../../../src/cli/backup/manifest'
import { restoreBackup } from '../../../src/cli/backup/restore-backup'
import { remoteDatabase, type SqlDatabase } from '../../../src/cli/backup/sql-database'
import { writeBackup } from '../../../src/cli/backup/write-backup'
import { createCloudflare } from '../../../src/cli/deploy/cloudflare'
import { migrationsFolderOf } from '../../../src/cli/deploy/bindings'
import { type Migration, readMigrations } from '../../../src/cli/migrations'
import { createKeyring } from '../../../src/storage/cipher'
import { FILL_RESERVE } from '../../../src/storage/reserve'
import { type Cloudflare, prepare, serveCloudflare, TOKEN } from '../cloudflare/server'
import { contentsOf, fillDatabases } from './contents'

const BINDINGS = ['DB', 'EVENTS']
const AT = '2026-03-01T08:00:00.000000Z'

let cloudflare: Cloudflare
let folder: string
beforeEach(async () => {
  cloudflare = await serveCloudflare()
  prepare(cloudflare)
  fillDatabases(sqlOf('d1-prepared'), sqlOf('d1-events'))
  folder = join(mkdtempSync(join(tmpdir(), 'halyard-backup-')), 'backup')
})
afterEach(async () => {
  rmSync(join(folder, '..'), { recursive: true })
  await cloudflare.stop()
})

const sqlOf = (id: string) => cloudflare.databases.get(id)!.sql

const open = (binding: string, id: string): SqlDatabase =>
  remoteDatabase(binding, id, {
    id: 'account-1',
    cloudflare: createCloudflare(cloudflare.url, { Authorization: `Bearer ${TOKEN}` }),
  })

const original = () => [open('DB', 'd1-prepared'), open('EVENTS', 'd1-events')]

const backUp = (databases = original()) =>
  writeBackup(databases, folder, { now: () => new Date(AT), say: () => {} })

/** An empty database; what it contains is in `sqlOf`. */
function createEmpty(binding: string): SqlDatabase {
  cloudflare.databases.set(`new-${binding}`, { name: `new-${binding}`, sql: new DatabaseSync(':memory:') })
  return open(binding, `new-${binding}`)
}

interface Given {
  /** By binding; those that are missing do not exist yet. */
  databases?: Record<string, SqlDatabase>
  keys?: Keys | null
  migrations?: (binding: string) => Migration[]
}

function restore({ databases = {}, keys = null, migrations }: Given = {}): Promise<string[]> {
  const ofCode = (binding: string) => readMigrations(migrationsFolderOf(binding))
  const targets = BINDINGS.map((binding): Target => ({
    binding,
    database: databases[binding] ?? null,
    migrations: (migrations ?? ofCode)(binding),
  }))
  const create = async (binding: string) => createEmpty(binding)
  return restoreBackup(targets, { folder, keys, create, onChecked: () => {}, say: () => {} })
}

const reopened = () => ({ DB: open('DB', 'new-DB'), EVENTS: open('EVENTS', 'new-EVENTS') })

const EMPTIED = {
  main: ['sessions', 'login_challenges', 'reserve'],
  shard: ['endpoint_results', 'materialized_tables'],
}

/** Contents as a restore makes them. */
function expectRestored(): void {
  for (const [from, to, emptied] of [
    ['d1-prepared', 'new-DB', EMPTIED.main],
    ['d1-events', 'new-EVENTS', EMPTIED.shard],
  ] as const) {
    const before = sqlOf(from)
    for (const table of emptied) before.exec(`DELETE FROM ${table}`)
    expect(contentsOf(sqlOf(to))).toEqual(contentsOf(before))
  }
}

const value = (id: string, sql: string) => Object.values(sqlOf(id).prepare(sql).get() ?? {})[0]

describe('npm run restore', { timeout: 120_000 }, () => {
  it('restores every row of every table, whatever its size and type', async () => {
    await backUp()
    expect(await restore()).toEqual([])
    expectRestored()
    expect(value('new-DB', `SELECT count(*) FROM persons`)).toBeGreaterThan(5_000)
    expect(value('new-DB', `SELECT max(octet_length(detail)) FROM activity_log`)).toBeGreaterThan(1_890_000)
    expect(
      value('new-EVENTS', `SELECT json(properties) ->> 'count' FROM events WHERE uuid = 'large-4'`),
    ).toBe(4)
    // An id that was given is not given again.
    expect(value('new-DB', `SELECT seq FROM sqlite_sequence WHERE name = 'cohorts'`)).toBe(7000)
    expect(value('new-DB', `SELECT count(*) FROM sqlite_master WHERE name = 'restore_progress'`)).toBe(0)
  })

  it('has flags published and materializations built again', async () => {
    sqlOf('d1-prepared').exec('UPDATE projects SET flags_generation = 7, people_version = 8')
    await backUp()
    await restore()
    expect(value('new-DB', 'SELECT min(flags_generation, people_version) FROM projects')).toBeGreaterThan(
      1e12,
    )
    expect(
      sqlOf('new-DB').prepare('SELECT generation, plan, next_build_at FROM endpoint_materializations').all(),
    ).toEqual([{ generation: null, plan: null, next_build_at: expect.stringMatching(/^20\d\d-.*\.\d{6}Z$/) }])
  })

  it('continues behind an interruption, at any point', async () => {
    await backUp()
    const calls = { count: 0, until: 0 }
    cloudflare.interfere = () => {
      calls.count += 1
      return calls.count > calls.until ? { status: 403, code: 10_000 } : null
    }
    let databases: Record<string, SqlDatabase> = {}
    let interruptions = 0
    for (;;) {
      calls.count = 0
      calls.until = 9 * (interruptions + 1)
      const result = await restore({ databases }).catch((error: Error) => error)
      if (!(result instanceof Error)) break
      expect(result.message).toMatch(/^Cloudflare says of POST .*: No \(10000\)$/)
      interruptions += 1
      databases = cloudflare.databases.has('new-EVENTS') ? reopened() : {}
    }
    expect(interruptions).toBeGreaterThan(5)
    expectRestored()
  })

  it('refuses databases that another backup is being restored into', async () => {
    await backUp()
    cloudflare.interfere = (call) =>
      cloudflare.databases.has('new-EVENTS') && call.includes('new-EVENTS') ? { status: 403, code: 1 } : null
    await expect(restore()).rejects.toThrow('No (1)')
    cloudflare.interfere = null
    rmSync(folder, { recursive: true })
    await backUp()
    await expect(restore({ databases: reopened() })).rejects.toThrow(
      /^DB holds an unfinished restore of another backup\. Restore into a new database\.$/,
    )
  })

  it('repeats a call that Cloudflare refuses for the moment', async () => {
    await backUp()
    let count = 0
    cloudflare.interfere = () => ((count += 1) === 40 ? { status: 429, code: 971 } : null)
    await restore()
    expectRestored()
  })

  it('leaves out rows that refer to what was added behind the backup', async () => {
    const main = sqlOf('d1-prepared')
    const [database, shard] = original()
    const query: SqlDatabase['query'] = (sql, params) => {
      if (sql.includes('FROM "person_distinct_ids"') && !params?.length) {
        main.exec(`INSERT INTO persons (id, project_id, uuid, properties, created_at) VALUES (90000, 1, 'late', '{}', '${AT}');
          INSERT INTO person_distinct_ids (project_id, distinct_id, person_id) VALUES (1, 'late', 90000)`)
      }
      return database!.query(sql, params)
    }
    await backUp([{ ...database!, query }, shard!])
    expect(await restore()).toEqual([
      '1 rows of person_distinct_ids in DB changed while the backup was read, and are left out: they refer to rows that are not in it, or ' +
        'repeat a unique value.',
    ])
    main.exec('DELETE FROM persons WHERE id = 90000')
    expectRestored()
  })

  it('fills a database that a Worker runs on and nobody uses', async () => {
    await backUp()
    const empty = createEmpty('DB')
    await empty.migrate(readMigrations('main'))
    await empty.query(FILL_RESERVE)
    await restore({ databases: { DB: empty } })
    sqlOf('new-DB').exec('DELETE FROM reserve')
    expectRestored()
  })

  it('refuses a database that is not empty, and names what is there', async () => {
    await backUp()
    await expect(restore({ databases: { DB: open('DB', 'd1-prepared') } })).rejects.toThrow(
      /^DB is not empty: activity_log \(\d+\), .*persons \(1000 or more\).*\. Restore into a new database\.$/,
    )
    expect([...cloudflare.databases.keys()]).toEqual(['d1-prepared', 'd1-events'])
  })

  it.each([
    ['is damaged', (file: string) => flipByte(file), 'is not what was written: its SHA-256 differs.'],
    ['is cut', (file: string) => truncateSync(file, 20), 'has 20 bytes, and the manifest says'],
    ['is longer', (file: string) => appendFileSync(file, 'x'), 'bytes, and the manifest says'],
    ['is missing', (file: string) => rmSync(file), 'is missing.'],
  ])('refuses a backup with a file that %s, before anything is written', async (_, damage, message) => {
    await backUp()
    const { file } = readManifest(folder).databases[1]!.tables.find(({ name }) => name === 'events')!
      .parts[0]!
    damage(join(folder, file))
    await expect(restore()).rejects.toThrow(`${file} `)
    await expect(restore()).rejects.toThrow(message)
    expect(cloudflare.databases.has('new-DB')).toBe(false)
  })

  it('refuses a folder without a manifest', async () => {
    await expect(restore()).rejects.toThrow(`${folder} holds no backup, or one that was not finished`)
  })

  it('refuses a backup of newer code', async () => {
    await backUp()
    await expect(
      restore({ migrations: (binding) => (binding === 'DB' ? [] : readMigrations('events')) }),
    ).rejects.toThrow('The backup of DB is newer than this code, which has no migration 0000_initial.sql')
  })

  it('migrates on what older code backed up', async () => {
    await backUp()
    const newer: Migration = {
      file: '9999_example.sql',
      sql: `ALTER TABLE cohorts ADD COLUMN example TEXT; UPDATE cohorts SET example = name || '!';`,
    }
    const migrations = (binding: string) =>
      binding === 'DB' ? [...readMigrations('main'), newer] : readMigrations('events')
    await restore({ migrations })
    expect(value('new-DB', `SELECT count(*) FROM cohorts WHERE example = 'numbers!'`)).toBe(7)

    createEmpty('DB')
    await open('DB', 'new-DB').migrate(migrations('DB'))
    await expect(restore({ databases: { DB: open('DB', 'new-DB') }, migrations })).rejects.toThrow(
      'DB has migrations that the backup has not (9999_example.sql)',
    )
  })
})

describe('keys of encrypted values', { timeout: 60_000 }, () => {
  const ring = (name: string, byte: number) => `${name}:${Buffer.alloc(32, byte).toString('base64')}`

  beforeEach(async () => {
    const payload = await createKeyring(ring('old', 1)).encrypt('"payload"')
    const secret = await createKeyring(ring('factor', 2)).encrypt('secret')
    const main = sqlOf('d1-prepared')
    main
      .prepare('UPDATE feature_flags SET has_encrypted_payloads = 1, filters = ? WHERE id = 1')
      .run(JSON.stringify({ groups: [], payloads: { true: payload } }))
    main.prepare('UPDATE totp_devices SET secret = ?').run(secret)
    await backUp()
  })

  it('names the keys that are missing, before anything is written', async () => {
    const keys = { PAYLOAD_KEYS: ring('new', 3), ACCOUNT_KEYS: ring('new', 4) }
    await expect(restore({ keys })).rejects.toThrow(
      'PAYLOAD_KEYS has no key old, which encrypted rows of feature_flags.\n' +
        'ACCOUNT_KEYS has no key factor, which encrypted rows of totp_devices.\n' +
        'Give the keys of the service that was backed up',
    )
    expect(cloudflare.databases.has('new-DB')).toBe(false)
  })

  it('names a key that is another one of the same name', async () => {
    const keys = { PAYLOAD_KEYS: ring('old', 9), ACCOUNT_KEYS: ring('factor', 2) }
    await expect(restore({ keys })).rejects.toThrow(
      /^The key old in PAYLOAD_KEYS is not the one of that name which encrypted rows of feature_flags\.\nGive/,
    )
  })

  it('accepts the old keys beside new ones', async () => {
    const keys = {
      PAYLOAD_KEYS: `${ring('new', 3)},${ring('old', 1)}`,
      ACCOUNT_KEYS: `${ring('new', 4)},${ring('factor', 2)}`,
    }
    expect(await restore({ keys })).toEqual([])
    expectRestored()
  })
})

function flipByte(file: string): void {
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(file, bytes)
}
