// `npm run setup` on this machine: the real command, in a folder of its own.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { type Credentials, findStale } from '../../src/cli/local/credentials'
import { readMigrations } from '../../src/cli/migrations'
import type { SqlDatabase } from '../../src/cli/sql-database'
import type { Row } from '../../src/storage/backup/schema'
import { createProject, type Project } from './project'

/** Each run starts a runtime. */
const PATIENT = { timeout: 120_000 }

let project: Project
afterEach(() => project.remove())

const STATE = '.wrangler/state/v3/d1/miniflare-D1DatabaseObject'

/** The local databases, by the folder of the migrations that made them. */
function openDatabases(): { main: DatabaseSync[]; events: DatabaseSync[] } {
  const folder = join(project.folder, STATE)
  const all = readdirSync(folder)
    .filter((file) => /^[0-9a-f]+\.sqlite$/.test(file))
    .map((file) => new DatabaseSync(join(folder, file)))
  const isMain = (database: DatabaseSync) =>
    database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'users'`).get() !== undefined
  return { main: all.filter(isMain), events: all.filter((database) => !isMain(database)) }
}

const queryOf =
  (database: DatabaseSync): SqlDatabase['query'] =>
  async (sql, params = []) =>
    database.prepare(sql).all(...params) as Row[]

const appliedTo = (database: DatabaseSync) =>
  database
    .prepare('SELECT name FROM d1_migrations ORDER BY id')
    .all()
    .map(({ name }) => name)

describe('npm run setup', PATIENT, () => {
  it('migrates every database, seeds planner statistics and creates the first user, once', async () => {
    project = createProject(
      {},
      (config) =>
        `${config}\n[[d1_databases]]\nbinding = "EVENTS_2"\ndatabase_name = "halyard-events-2"\nmigrations_dir = "migrations/events"\n`,
    )
    // It is of other programs.
    writeFileSync(join(project.folder, '.env'), 'OTHER=1\n')
    expect(await project.run('setup', ['--email', 'ada@example.com'])).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Set up\. Keep these; they are also in \.dev\/credentials\.json:\n\{/),
    })
    expect(project.left().sort()).toEqual(['.dev', '.dev.vars', '.env'])
    const { main, events } = openDatabases()
    expect(main.map(appliedTo)).toEqual([readMigrations('main').map(({ file }) => file)])
    const shardFiles = readMigrations('events').map(({ file }) => file)
    expect(events.map(appliedTo)).toEqual([shardFiles, shardFiles])
    for (const shard of events) {
      expect(shard.prepare(`SELECT count(*) AS n FROM sqlite_stat1 WHERE tbl = 'events'`).get()).toEqual({
        n: 6,
      })
    }
    expect(main[0]!.prepare('SELECT email FROM users').all()).toEqual([{ email: 'ada@example.com' }])
    expect(main[0]!.prepare('SELECT shard, query_engine FROM projects').all()).toEqual([
      { shard: 'EVENTS', query_engine: 'd1' },
    ])

    const credentials = project.read('.dev/credentials.json')
    expect(await project.run('setup')).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'Migrations are applied; there was nothing else to set up. Credentials: .dev/credentials.json\n',
    })
    expect(project.read('.dev/credentials.json')).toBe(credentials)

    // As another layout left it, whose migrations have the same names.
    main[0]!.exec('DROP TABLE outbox')
    expect(await project.run('setup')).toEqual({
      code: 1,
      stdout: '',
      stderr: `An earlier version made the local database, and it cannot be upgraded: it has no table outbox.
Delete it, with the flags, accounts and events in it, and run the command again:

  rm -r .wrangler/state

`,
    })

    const file = join(
      STATE,
      readdirSync(join(project.folder, STATE)).find((name) => name.endsWith('.sqlite'))!,
    )
    for (const database of [...main, ...events]) database.close()
    writeFileSync(join(project.folder, file), 'no database'.repeat(100))
    expect(await project.run('setup')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^The local database \w+ is damaged: file is not a database \(\.wrangler\/state\/.*\.sqlite\)\.\nDelete the local databases, .*:\n\n {2}rm -r \.wrangler\/state\n\n$/,
      ),
    })
  })

  it('names the problems of wrangler.toml before it makes anything', async () => {
    project = createProject({}, (config) => config.replace('binding = "EVENTS"', 'binding = "OTHER"'))
    expect(await project.run('setup')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'wrangler.toml has no EVENTS under `d1_databases`.\n' +
        'The Worker does not read OTHER under `d1_databases` in wrangler.toml: remove it.\n',
    })
    // The lock, which is released.
    expect(project.left()).toEqual(['.dev'])
    expect(readdirSync(join(project.folder, '.dev'))).toEqual(['server.lock'])
  })

  it('makes a new password and key when asked to, which are those that work', async () => {
    project = createProject({})
    await project.run('setup')
    const first = JSON.parse(project.read('.dev/credentials.json')) as Credentials
    expect(first.base_url).toBe('http://localhost:8787')
    expect(await project.run('setup', ['--renew'])).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Set up\. Keep these; they are also in \.dev\/credentials\.json:\n\{/),
    })
    const renewed = JSON.parse(project.read('.dev/credentials.json')) as Credentials
    const { password, personal_api_key, ...same } = renewed
    expect(first).toMatchObject(same)
    expect([password === first.password, personal_api_key === first.personal_api_key]).toEqual([false, false])
    const query = queryOf(openDatabases().main[0]!)
    expect(await findStale(query, renewed)).toEqual([])
    expect(await findStale(query, first)).toEqual(['password'])
    openDatabases().main[0]!.exec('UPDATE users SET is_active = 0')
    expect(await project.run('setup', ['--renew'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no active user with a project, whose credentials could be made.\n',
    })
  })

  it('keeps the accounts of a restored database, and the credentials of those before', async () => {
    project = createProject({})
    await project.run('setup')
    const known = project.read('.dev/credentials.json')
    rmSync(join(project.folder, '.wrangler'), { recursive: true })
    const seeded = await project.run('setup')
    expect(seeded).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Set up\. Keep these/) })
    expect(project.read('.dev/credentials.previous.json')).toBe(known)
    const later = project.read('.dev/credentials.json')
    const [main] = openDatabases().main
    main!.exec(`UPDATE users SET uuid = '${crypto.randomUUID()}', email = 'grace@example.com'`)
    expect(await project.run('setup')).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'Migrations are applied; there was nothing else to set up. .dev/credentials.json has no credentials for the accounts: add --renew\n',
    })
    expect(project.read('.dev/credentials.previous.json')).toBe(later)
    expect(main!.prepare('SELECT email FROM users').all()).toEqual([{ email: 'grace@example.com' }])
    await project.run('setup', ['--renew'])
    const renewed = JSON.parse(project.read('.dev/credentials.json')) as Credentials
    expect(renewed.email).toBe('grace@example.com')
    expect(await findStale(queryOf(main!), renewed)).toEqual([])
  })
})
