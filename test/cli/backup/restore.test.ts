// A backup that is restored: every row as it was, within the limits of D1's API.
import {
  renameSync,
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type EventRow, noRows } from '../../../src/outbox/ingestion-rows'
import { createShardSink } from '../../../src/analytics/ingestion/shard-sink'
import type { OutboxTask } from '../../../src/outbox/task'
import type { Keys } from '../../../src/cli/backup/check-keys'
import type { Target } from '../../../src/cli/backup/check-target'
import { addCopyTasks } from '../../../src/cli/backup/copy-people'
import { countEvents } from '../../../src/cli/backup/count-events'
import { readManifest } from '../../../src/cli/backup/manifest'
import type { Manifest } from '../../../src/storage/backup/format'
import { restoreBackup } from '../../../src/cli/backup/restore-backup'
import { remoteDatabase, type SqlDatabase } from '../../../src/cli/sql-database'
import { writeBackup } from '../../../src/cli/backup/write-backup'
import { createCloudflare } from '../../../src/cli/deploy/cloudflare'
import { migrationsFolderOf } from '../../../src/cli/deploy/bindings'
import { type Migration, readMigrations } from '../../../src/cli/migrations'
import { createKeyring } from '../../../src/storage/cipher'
import { FILL_RESERVE } from '../../../src/storage/reserve'
import { type Cloudflare, prepare, serveCloudflare, TOKEN } from '../cloudflare/server'
import { contentsOf, fillDatabases } from './contents'
import type { Size } from './hostile-rows'

const BINDINGS = ['DB', 'EVENTS']
const AT = '2026-03-01T08:00:00.000000Z'

let cloudflare: Cloudflare
let folder: string
beforeEach(async () => {
  cloudflare = await serveCloudflare()
  prepare(cloudflare)
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

const fill = (size: Size) => fillDatabases(sqlOf('d1-prepared'), sqlOf('d1-events'), size)

const original = () => [open('DB', 'd1-prepared'), open('EVENTS', 'd1-events')]

const backUp = (databases = original()) =>
  writeBackup(databases, folder, { now: () => new Date(AT), say: () => {} })

/** An empty database; what it contains is in `sqlOf`. */
function createEmpty(binding: string): SqlDatabase {
  cloudflare.databases.set(`new-${binding}`, { name: `new-${binding}`, sql: new DatabaseSync(':memory:') })
  return open(binding, `new-${binding}`)
}

interface RestoreInput {
  /** By binding; those that are missing do not exist yet. */
  databases?: Record<string, SqlDatabase>
  keys?: Keys | null
  migrations?: (binding: string) => Migration[]
  create?: (binding: string) => SqlDatabase
}

function restore({
  databases = {},
  keys = null,
  migrations,
  create = createEmpty,
}: RestoreInput = {}): Promise<string[]> {
  const ofCode = (binding: string) => readMigrations(migrationsFolderOf(binding))
  const targets = BINDINGS.map((binding): Target => ({
    binding,
    database: databases[binding] ?? null,
    migrations: (migrations ?? ofCode)(binding),
  }))
  return restoreBackup(targets, {
    folder,
    keys,
    create: async (binding) => create(binding),
    onChecked: () => {},
    say: () => {},
  })
}

const reopened = () => ({ DB: open('DB', 'new-DB'), EVENTS: open('EVENTS', 'new-EVENTS') })

const EMPTIED = {
  main: [
    'sessions',
    'login_challenges',
    'password_resets',
    'key_rotations',
    'webhook_deliveries',
    'visitor_salts',
    'reserve',
    'write_guards',
  ],
  shard: ['endpoint_results', 'materialized_tables', 'write_guards'],
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

function changeManifest(change: (manifest: Manifest) => void): void {
  const manifest = readManifest(folder)
  change(manifest)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
}

type CopyTask = Extract<OutboxTask, { kind: 'copy_people' }>

/** As much of D1 as ingestion uses, on SQLite. */
function asD1(database: DatabaseSync): D1Database {
  return {
    prepare: (sql: string) => ({
      bind: (...params: (string | number)[]) => ({ run: () => database.prepare(sql).run(...params) }),
    }),
    batch: async (statements: { run(): unknown }[]) => statements.map((statement) => statement.run()),
  } as unknown as D1Database
}

/** Of ten days and three names, with texts that JSON escapes. */
const eventOf = (count: number): EventRow => ({
  uuid: `counted-${count}`,
  event: ['opened', 'closed "again"', '$set'][count % 3]!,
  distinctId: 'ada',
  timestamp: `2026-04-${10 + (count % 10)}T08:00:00.00000${count % 7}Z`,
  createdAt: AT,
  setsProperties: false,
  flagKey: null,
  flagResponse: null,
  properties: { text: 'é\n"'.repeat(count % 50), number: count / 7, 'a/b': [1e21, 0.1, null, true] },
})

const value = (id: string, sql: string) => Object.values(sqlOf(id).prepare(sql).get() ?? {})[0]

it('restores every row of every table, of any size and type', { timeout: 240_000 }, async () => {
  fill('large')
  await backUp()
  expect(await restore()).toEqual([])
  expectRestored()
  expect(value('new-DB', `SELECT count(*) FROM persons`)).toBeGreaterThan(2_500)
  expect(value('new-DB', `SELECT max(octet_length(detail)) FROM activity_log`)).toBeGreaterThan(1_890_000)
  expect(value('new-EVENTS', `SELECT json(properties) ->> 'count' FROM events WHERE uuid = 'large-4'`)).toBe(
    4,
  )
  // An id that was given is not given again.
  expect(value('new-DB', `SELECT seq FROM sqlite_sequence WHERE name = 'cohorts'`)).toBe(7000)
  expect(value('new-DB', `SELECT count(*) FROM sqlite_master WHERE name = 'restore_progress'`)).toBe(0)
})

describe('npm run restore, of many rows', { timeout: 240_000 }, () => {
  beforeEach(() => fill('many'))

  it('continues behind an interruption, at any point', async () => {
    await backUp()
    const calls = { count: 0, until: 0 }
    cloudflare.interfere = () => {
      calls.count += 1
      return calls.count > calls.until ? { status: 403, code: 10_000 } : null
    }
    let databases: Record<string, SqlDatabase> = {}
    let interruptions = 0
    while (interruptions < 100) {
      calls.count = 0
      calls.until = 9 * (interruptions + 1)
      const result = await restore({ databases }).catch((error: Error) => error)
      if (!(result instanceof Error)) break
      expect(result.message).toMatch(/^Cloudflare's response to POST .*: No \(10000\)$/)
      interruptions += 1
      databases = cloudflare.databases.has('new-EVENTS') ? reopened() : {}
    }
    expect(interruptions).toBeGreaterThan(5)
    expectRestored()
  })

  it('has every person and group copied to the shards', async () => {
    const main = sqlOf('d1-prepared')
    main.exec(
      `UPDATE persons SET properties = json_object('text', hex(zeroblob(100000))) WHERE uuid GLOB 'many-100*'`,
    )
    const person = main.prepare(
      `INSERT INTO persons (project_id, uuid, properties, created_at) VALUES (2, ?, '{}', '${AT}')`,
    )
    const group = main.prepare(
      `INSERT INTO groups (project_id, type_index, group_key, properties, created_at) VALUES (1, ?, ?, '{}', '${AT}')`,
    )
    for (let count = 0; count < 500; count += 1) {
      if (count < 3) person.run(`other-${count}`)
      group.run(count % 2, `key "${count}`)
    }
    await backUp()
    await restore()
    const restored = sqlOf('new-DB')
    const tasksOf = (backupId: string) =>
      restored
        .prepare('SELECT project_id, task FROM outbox WHERE instr(id, ?) = 1 AND due_at <= ?')
        .all(`${backupId}/`, new Date().toISOString())
        .map(({ project_id: projectId, task }) => ({
          projectId,
          ...(JSON.parse(String(task)) as CopyTask),
        }))
    const namesOf = (sql: string) =>
      restored
        .prepare(sql)
        .all()
        .map((row) => Object.values(row).join(' '))
        .toSorted()
    const expectAll = (added: ReturnType<typeof tasksOf>) => {
      expect(
        added.flatMap(({ projectId, persons }) => persons.map((uuid) => `${projectId} ${uuid}`)).toSorted(),
      ).toEqual(namesOf('SELECT project_id, uuid FROM persons'))
      expect(
        added
          .flatMap(({ projectId, groups }) =>
            groups.map(({ typeIndex, key }) => `${projectId} ${typeIndex} ${key}`),
          )
          .toSorted(),
      ).toEqual(namesOf('SELECT project_id, type_index, group_key FROM groups'))
    }
    const tasks = tasksOf(readManifest(folder).id)
    expectAll(tasks)
    expect(Math.max(...tasks.map(({ persons, groups }) => persons.length + groups.length))).toBeLessThan(201)
    const isLarge = (uuid: string) => uuid.startsWith('many-100')
    expect(Math.max(...tasks.map(({ persons }) => persons.filter(isLarge).length))).toBe(1)
    expect(tasks.length).toBeLessThan(60)

    for (let times = 0; times < 2; times += 1) {
      await addCopyTasks(open('DB', 'new-DB'), 'in small pages', 64)
      expectAll(tasksOf('in small pages'))
    }
  })

  it('rejects a database that is not empty, and names its content', async () => {
    await backUp()
    await expect(restore({ databases: { DB: open('DB', 'd1-prepared') } })).rejects.toThrow(
      /^DB is not empty: .*activity_log \(\d+\), .*persons \(1000 or more\).*\. Restore into a new database: for the local ones, delete \.wrangler\/state\/v3\/d1 first\.$/,
    )
    expect([...cloudflare.databases.keys()]).toEqual(['d1-prepared', 'd1-events'])
  })
})

describe('npm run restore', { timeout: 240_000 }, () => {
  beforeEach(() => fill('small'))

  it('retries a call that Cloudflare rejects temporarily', async () => {
    await backUp()
    let count = 0
    // A second passes before each retry. The first calls create and migrate DB, the last one inserts rows.
    const isRefused = () => [1, 3, 40].includes((count += 1))
    cloudflare.interfere = () => (isRefused() ? { status: 429, code: 971 } : null)
    await restore()
    expect(count).toBeGreaterThan(40)
    expectRestored()
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

  it('rejects databases that another backup is being restored into', async () => {
    await backUp()
    cloudflare.interfere = (call) =>
      cloudflare.databases.has('new-EVENTS') && call.includes('new-EVENTS') ? { status: 403, code: 1 } : null
    await expect(restore()).rejects.toThrow('No (1)')
    cloudflare.interfere = null
    const earlier = join(dirname(folder), 'earlier')
    renameSync(folder, earlier)
    await backUp()
    await expect(restore({ databases: reopened() })).rejects.toThrow(
      `DB holds an unfinished restore of another backup. Continue it with its folder, ${earlier}, or restore into a new database.`,
    )
    rmSync(earlier, { recursive: true })
    await expect(restore({ databases: reopened() })).rejects.toThrow(
      /^DB holds an unfinished restore of another backup\. Restore into a new database: /,
    )
  })

  /** Writes a backup with a distinct id whose person is not in it. */
  async function backUpWhileWriting(): Promise<void> {
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
    main.exec('DELETE FROM persons WHERE id = 90000')
  }

  it('leaves out rows that refer to rows added after the backup', async () => {
    await backUpWhileWriting()
    expect(await restore()).toEqual([
      '1 rows of DB/person_distinct_ids are missing: rows that changed during the backup can cause this.',
    ])
    expectRestored()
  })

  it('reports missing rows also after an interruption', async () => {
    await backUpWhileWriting()
    let isInterrupted = false
    const create = (binding: string): SqlDatabase => {
      const database = createEmpty(binding)
      const query: SqlDatabase['query'] = (sql, params) => {
        isInterrupted ||= sql.startsWith('DROP TABLE')
        return isInterrupted ? Promise.reject(new Error('interrupted')) : database.query(sql, params)
      }
      return { ...database, query }
    }
    await expect(restore({ create })).rejects.toThrow('interrupted')
    expect(await restore({ databases: reopened() })).toEqual([
      '1 rows of DB/person_distinct_ids are missing: rows that changed during the backup can cause this.',
    ])
    expectRestored()
  })

  it('names a shard that has projects and is not bound', async () => {
    sqlOf('d1-prepared').exec(`UPDATE projects SET shard = 'EVENTS_2'`)
    await expect(backUp()).rejects.toThrow(
      /^Projects have their events on EVENTS_2, which wrangler\.toml does not bind\. Bind it in wrangler\.toml\.$/,
    )
    expect(existsSync(folder)).toBe(false)
  })

  it('rejects a backup without a shard that has projects', async () => {
    await backUp()
    changeManifest((manifest) => manifest.databases.pop())
    await expect(restore()).rejects.toThrow(
      'The backup is incomplete: projects have their events on EVENTS, which is not in it.',
    )
    expect(cloudflare.databases.has('new-DB')).toBe(false)
  })

  it('ignores counts that a backup of an earlier version has', async () => {
    await backUp()
    changeManifest(({ databases: [main, shard] }) => {
      main!.tables.push({ name: 'property_definition_counts', columns: [], rows: 0, parts: [] })
      shard!.tables.push({ name: 'event_volumes', columns: [], rows: 9, parts: [] })
    })
    expect(await restore()).toEqual([])
    expectRestored()
  })

  it('counts events as ingestion counts them', async () => {
    const shard = sqlOf('d1-events')
    const sink = createShardSink(asD1(shard))
    const events = Array.from({ length: 3_000 }, (_, count) => eventOf(count))
    for (const projectId of [1, 2]) {
      for (let from = 0; from < events.length; from += 500) {
        await sink.write(projectId, { ...noRows(), events: events.slice(from, from + 500) })
      }
    }
    const volumes = () => shard.prepare('SELECT * FROM event_volumes ORDER BY project_id, event, day').all()
    const ingested = volumes()
    expect(ingested.length).toBeGreaterThan(60)
    for (const window of [97, 10_000]) {
      shard.exec('DELETE FROM event_volumes')
      await countEvents(open('EVENTS', 'd1-events'), window)
      expect(volumes()).toEqual(ingested)
    }
  })

  it('fills an unused database that a Worker runs on', async () => {
    await backUp()
    const empty = createEmpty('DB')
    await empty.migrate(readMigrations('main'))
    await empty.query(FILL_RESERVE)
    await restore({ databases: { DB: empty } })
    sqlOf('new-DB').exec('DELETE FROM reserve')
    expectRestored()
  })

  it('refuses a backup with a file that is damaged, cut, longer or missing, before anything is written', async () => {
    await backUp()
    const { file } = readManifest(folder).databases[1]!.tables.find(({ name }) => name === 'events')!
      .parts[0]!
    const path = join(folder, file)
    const whole = readFileSync(path)
    for (const [damage, message] of [
      [() => flipByte(path), 'is not what was written: its SHA-256 differs.'],
      [() => truncateSync(path, 20), 'has 20 bytes, the manifest has'],
      [() => appendFileSync(path, 'x'), 'bytes, the manifest has'],
      [() => rmSync(path), 'is missing.'],
    ] as const) {
      writeFileSync(path, whole)
      damage()
      const refused = await restore().catch((error: Error) => error.message)
      expect(refused).toContain(`${file} `)
      expect(refused).toContain(message)
    }
    expect(cloudflare.databases.has('new-DB')).toBe(false)
  })

  it('rejects a folder without a manifest', async () => {
    await expect(restore()).rejects.toThrow(`${folder} holds no backup, or one that was not finished`)
  })

  it('rejects a backup of newer code', async () => {
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
      'DB has newer migrations than the backup (9999_example.sql)',
    )
  })
})

describe('keys of encrypted values', { timeout: 60_000 }, () => {
  const ring = (name: string, byte: number) => `${name}:${Buffer.alloc(32, byte).toString('base64')}`

  beforeEach(async () => {
    fill('small')
    const payload = await createKeyring(ring('old', 1)).encrypt('"payload"', 'flagPayloads')
    const secret = await createKeyring(ring('factor', 2)).encrypt('secret', 'secondFactor')
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
