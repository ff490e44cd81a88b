// `npm run backup` and `npm run restore` as an operator runs them: the real commands, on this machine and on an account of the test.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateHOTP } from '@oslojs/otp'
import { afterEach, expect, it } from 'vitest'
import { newSecret, stepAt } from '../../../src/account/two-factor/codes'
import type { Credentials } from '../../../src/cli/local/credentials'
import { createKeyring } from '../../../src/storage/cipher'
import { type Cloudflare, prepare, serveCloudflare, TOKEN } from '../cloudflare/server'
import { createProject, type Project } from '../project'
import { contentsOf, fillDatabases } from './contents'
import { hostileRows } from './hostile-rows'

/** Each command starts a runtime or wrangler. */
const PATIENT = { timeout: 300_000 }

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

function projectWith(env: Record<string, string> = {}): Project {
  const project = createProject(env)
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
      if (tries > 400) throw new Error('npm start does not answer')
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

it('a local service is restored into another folder, under other keys', PATIENT, async () => {
  const from = projectWith()
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
  })
  const factor = newSecret()
  const keys = secretsOf(from)
  const sealed = await createKeyring(keys.ACCOUNT_KEYS).encrypt(
    Buffer.from(factor).toString('base64'),
    'secondFactor',
  )
  withDatabases(from, (main, shard) => {
    hostileRows(main, shard)
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

  const to = projectWith()
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
  // The daily trigger, which `npm start` fires, takes it again.
  withDatabases(from, (main) => main.exec('DELETE FROM reserve'))
  expect(contents(to)).toEqual(contents(from))

  const mark = (sql: string) => withDatabases(to, (main) => main.exec(sql))
  mark('CREATE TABLE restore_progress (file TEXT PRIMARY KEY, backup TEXT)')
  expect(await to.run('setup')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DB holds an unfinished restore.'),
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

it('a deployed service is restored into new databases, which are deployed onto', PATIENT, async () => {
  const cloudflare: Cloudflare = await serveCloudflare()
  cleanups.push(() => cloudflare.stop())
  prepare(cloudflare)
  const [main, shard] = [...cloudflare.databases.values()].map(({ sql }) => sql)
  fillDatabases(main!, shard!)
  const project = projectWith({ CLOUDFLARE_API_BASE_URL: cloudflare.url, CLOUDFLARE_API_TOKEN: TOKEN })
  const backup = join(project.folder, 'backup')
  expect(await project.run('backup', [backup, '--remote'])).toMatchObject({ code: 0, stderr: '' })
  expect(cloudflare.changes).toEqual([])

  const before = [main!, shard!]
  for (const table of [
    'sessions',
    'login_challenges',
    'password_resets',
    'key_rotations',
    'webhook_deliveries',
    'reserve',
    'write_guards',
  ])
    main!.exec(`DELETE FROM ${table}`)
  for (const table of ['endpoint_results', 'materialized_tables', 'write_guards'])
    shard!.exec(`DELETE FROM ${table}`)
  cloudflare.databases.clear()
  // The main database is migrated and marked, and nothing else is done. One call comes too early.
  let isRefused = false
  cloudflare.interfere = (call) => {
    if (!isRefused && call === 'POST /d1/database') {
      isRefused = true
      return { status: 429, code: 971 }
    }
    const isMigrated = cloudflare.changes.some((change) => change.startsWith('migrate'))
    return isMigrated ? { status: 403, code: 10_000 } : null
  }
  expect(await project.run('restore', [backup, '--remote'])).toMatchObject({ code: 1 })
  expect(isRefused).toBe(true)
  cloudflare.interfere = null
  expect(await project.run('deploy', ['--plan', '--email', 'ada@example.com'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'halyard holds an unfinished restore. Run the same `npm run restore` again: it continues where it stopped.\n',
    ),
  })
  expect(await project.run('restore', [backup, '--remote'])).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('Restored. Deploy onto the databases: npm run deploy,'),
  })
  expect([...cloudflare.databases.values()].map(({ name }) => name)).toEqual(['halyard', 'halyard-events'])
  expect([...cloudflare.databases.values()].map(({ sql }) => contentsOf(sql))).toEqual(before.map(contentsOf))

  const keys = { PAYLOAD_KEYS: '', ACCOUNT_KEYS: '' }
  for (const name of ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'] as const) {
    keys[name] = `old:${Buffer.alloc(32, 6).toString('base64')}`
  }
  expect(await project.run('deploy', ['--plan'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the Worker has no PAYLOAD_KEYS and no ACCOUNT_KEYS'),
  })
  expect(await project.run('deploy', ['--plan'], keys)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('with PAYLOAD_KEYS, ACCOUNT_KEYS from the environment'),
  })
  expect(cloudflare.unknown).toEqual([])
})
