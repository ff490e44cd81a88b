// `npm run backup` and `npm run restore` on this machine, from a folder and from the bucket of scheduled backups, between two runs of `npm start`.
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateHOTP } from '@oslojs/otp'
import { afterEach, expect, it } from 'vitest'
import { newSecret, stepAt } from '../../../src/account/two-factor/codes'
import type { Credentials } from '../../../src/cli/local/credentials'
import { DAILY, EVERY_MINUTE } from '../../../src/jobs/crons'
import { createKeyring } from '../../../src/storage/cipher'
import { createProject, type Project } from '../project'
import { contentsOf } from './contents'
import { hostileRows } from './hostile-rows'

const BUCKET = '\n[[r2_buckets]]\nbinding = "BACKUPS"\nbucket_name = "halyard-backups"\n'
const R2 = '.wrangler/state/v3/r2'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

function newProject(): Project {
  const project = createProject({}, (config) => config + BUCKET)
  cleanups.push(() => project.remove())
  return project
}

const STATE = '.wrangler/state/v3/d1/miniflare-D1DatabaseObject'

/** Opens the local databases while nothing serves them. */
function withDatabases<T>({ folder }: Project, use: (main: DatabaseSync, shard: DatabaseSync) => T): T {
  const files = readdirSync(join(folder, STATE)).filter((file) => /^[0-9a-f]{64}\.sqlite$/.test(file))
  const open = files.map((file) => new DatabaseSync(join(folder, STATE, file)))
  const isMain = (database: DatabaseSync) =>
    database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'users'`).get() !== undefined
  try {
    return use(
      open.find(isMain)!,
      open.find((database) => !isMain(database))!,
    )
  } finally {
    for (const database of open) database.close()
  }
}

/** Tables that the daily trigger and a restore leave alone. */
const KEPT = ['activity_log', 'endpoints', 'feature_flags', 'persons', 'users']

const keptContents = (project: Project) => {
  const { main, shard } = contents(project)
  return { events: shard.events, ...Object.fromEntries(KEPT.map((table) => [table, main[table]])) }
}

const contents = (project: Project) =>
  withDatabases(project, (main, shard) => ({ main: contentsOf(main), shard: contentsOf(shard) }))

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>

/** Serves the project while `use` runs. */
async function serving(
  project: Project,
  use: (call: Call, credentials: Credentials) => Promise<void>,
): Promise<void> {
  const url = `http://localhost:${await freePort()}`
  const running = project.start('start', ['--port', new URL(url).port])
  try {
    const isResponding = () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    for (let tries = 0; !(await isResponding()); tries += 1) {
      if (tries > 1_000) throw new Error('npm start does not answer')
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    const credentials = JSON.parse(project.read('.dev/credentials.json')) as Credentials
    await use(
      (method, path, body, headers = { Authorization: `Bearer ${credentials.personal_api_key}` }) =>
        fetch(url + path, {
          method,
          headers: { 'Content-Type': 'application/json', ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      credentials,
    )
  } finally {
    running.kill('SIGTERM')
    await running.ended
  }
}

const EVERYBODY = [{ properties: [], rollout_percentage: 100 }]
const FLAGS = '/api/projects/1/feature_flags/'

const secretsOf = (project: Project): Record<string, string> =>
  Object.fromEntries(
    [...project.read('.dev.vars').matchAll(/^(\w+)="(.*)"$/gm)].map(([, name, value]) => [name!, value!]),
  )

it('a local service is restored into other folders, under other keys', { timeout: 400_000 }, async () => {
  const from = newProject()
  await serving(from, async (call, { project_api_token: token }) => {
    const plain = { key: 'checkout', name: 'Checkout', active: true, filters: { groups: EVERYBODY } }
    expect((await call('POST', FLAGS, plain)).status).toBe(201)
    const secret = {
      key: 'secret',
      name: '',
      active: true,
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: EVERYBODY, payloads: { true: '"hidden"' } },
    }
    expect((await call('POST', FLAGS, secret)).status).toBe(201)
    const event = {
      api_key: token,
      event: 'opened',
      distinct_id: 'ada',
      properties: { $set: { plan: 'pro' } },
    }
    expect((await call('POST', '/i/v0/e/', event, { Prefer: 'wait=10' })).status).toBe(200)
    const query = { kind: 'HogQLQuery', query: 'SELECT event, distinct_id FROM events ORDER BY timestamp' }
    expect((await call('POST', '/api/projects/1/endpoints/', { name: 'opened', query })).status).toBe(201)
    // The daily trigger begins a backup, and that of each minute makes it.
    for (const cron of [DAILY, EVERY_MINUTE]) {
      const fired = await call('GET', `/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`)
      expect(fired.status).toBe(200)
    }
  })
  const scheduled = keptContents(from)
  const factor = newSecret()
  const keys = secretsOf(from)
  const sealed = await createKeyring(keys.ACCOUNT_KEYS).encrypt(
    Buffer.from(factor).toString('base64'),
    'secondFactor',
  )
  withDatabases(from, (main, shard) => {
    hostileRows(main, shard, 'large')
    // As if their copies were still on the queue.
    shard.exec('DELETE FROM persons; DELETE FROM person_distinct_ids; DELETE FROM people_volumes')
    main.prepare(`INSERT INTO totp_devices VALUES (1, ?, 0, '2026-01-01T00:00:00.000000Z')`).run(sealed)
  })
  const backup = join(from.folder, 'backup')
  expect(await from.run('backup', [backup])).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(join(backup, 'manifest.json')).mode & 0o777).toBe(0o600)
  expect(await from.run('backup', [backup])).toMatchObject({
    code: 1,
    stderr: `${backup} is not empty. Name a new folder for the backup.\n`,
  })

  const to = newProject()
  const own = `own:${Buffer.alloc(32, 5).toString('base64')}`
  writeFileSync(join(to.folder, '.dev.vars'), `PAYLOAD_KEYS="${own}"\nACCOUNT_KEYS="${own}"`)
  const [payloadKey, accountKey] = [keys.PAYLOAD_KEYS!, keys.ACCOUNT_KEYS!].map((ring) => ring.split(':')[0])
  expect(await to.run('restore', [backup])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `PAYLOAD_KEYS has no key ${payloadKey}, which encrypted rows of feature_flags.\n` +
        `ACCOUNT_KEYS has no key ${accountKey}, which encrypted rows of totp_devices.\n`,
    ),
  })
  expect(secretsOf(to)).toEqual({ PAYLOAD_KEYS: own, ACCOUNT_KEYS: own })
  expect(await to.run('restore', [backup], keys)).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(join(to.folder, '.dev.vars')).mode & 0o777).toBe(0o600)
  expect(secretsOf(to)).toEqual({
    PAYLOAD_KEYS: `${own},${keys.PAYLOAD_KEYS}`,
    ACCOUNT_KEYS: `${own},${keys.ACCOUNT_KEYS}`,
  })
  const unknown = newProject()
  expect(await unknown.run('restore', ['--from-bucket', 'latest'])).toMatchObject({
    code: 1,
    stderr: 'The bucket has no finished backup. The daily trigger writes one.\n',
  })
  cpSync(join(from.folder, R2), join(unknown.folder, R2), { recursive: true })
  expect(await unknown.run('restore', ['--from-bucket', '2020'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The bucket has no backup 2020\. It has: 20\d\d-/),
  })
  expect(await unknown.run('restore', ['--from-bucket', 'latest'], keys)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Restored. npm start serves it.\n'),
    stderr: '',
  })
  expect(keptContents(unknown)).toEqual(scheduled)

  // Files are copied when the databases can take them.
  const backups = join(unknown.folder, 'backups')
  rmSync(backups, { recursive: true })
  expect(await unknown.run('restore', ['--from-bucket', 'latest'], keys)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('DB is not empty: '),
  })
  expect(readdirSync(backups, { recursive: true }).filter((name) => String(name).endsWith('.gz'))).toEqual([])

  // The daily trigger, which `npm start` fires, takes it again.
  withDatabases(from, (main) => main.exec('DELETE FROM reserve'))
  expect(contents(to)).toEqual(contents(from))

  const mark = (sql: string) => withDatabases(to, (main) => main.exec(sql))
  mark('CREATE TABLE restore_progress (file TEXT PRIMARY KEY, backup TEXT)')
  for (const [command, args] of [
    ['setup', []],
    ['backup', [join(to.folder, 'partial')]],
    ['rotate', []],
    ['reset-password', ['--email', 'admin@localhost.localdomain', '--url', 'http://localhost:8787']],
  ] as const)
    expect(await to.run(command, args), command).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('DB holds an unfinished restore.'),
    })
  expect(secretsOf(to)).toMatchObject({
    PAYLOAD_KEYS: `${own},${keys.PAYLOAD_KEYS}`,
    ACCOUNT_KEYS: `${own},${keys.ACCOUNT_KEYS}`,
  })
  mark('DROP TABLE restore_progress')
  mkdirSync(join(to.folder, '.dev'), { recursive: true })
  writeFileSync(join(to.folder, '.dev/credentials.json'), from.read('.dev/credentials.json'))
  await serving(to, async (call, { project_api_token: token, email, password }) => {
    const flags = await call('POST', '/flags?v=2', { token, distinct_id: 'ada' }, {})
    expect(await flags.json()).toMatchObject({
      errorsWhileComputingFlags: false,
      flags: { checkout: { enabled: true } },
    })
    const payload = await call('GET', `${FLAGS}secret/remote_config?token=${token}`)
    expect(await payload.json()).toBe('"hidden"')
    const rows = await call('GET', '/api/projects/1/endpoints/opened/run')
    expect(await rows.json()).toMatchObject({ results: expect.arrayContaining([['opened', 'ada']]) })

    const first = await call('POST', '/api/login/', { email, password }, {})
    expect([first.status, await first.json()]).toEqual([
      401,
      expect.objectContaining({ code: '2fa_required' }),
    ])
    const cookies = first.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const code = generateHOTP(factor, BigInt(stepAt(new Date())), 6)
    const second = await call('POST', '/api/login/token/', { token: code }, { Cookie: cookies.join('; ') })
    expect([second.status, await second.text()]).toEqual([200, expect.stringContaining('success')])

    const copied = () =>
      withDatabases(to, (_, shard) =>
        shard
          .prepare(
            `SELECT json(p.properties) AS properties FROM person_distinct_ids d
              JOIN persons p ON p.project_id = d.project_id AND p.uuid = d.person_uuid WHERE d.distinct_id = 'ada'`,
          )
          .get(),
      )
    for (let tries = 0; !copied() && tries < 400; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(copied()).toEqual({ properties: expect.stringContaining('"plan":"pro"') })
  })
})
