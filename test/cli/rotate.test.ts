// `npm run rotate`: on this machine as an operator runs it, and on an account whose Worker encrypts with its own keys.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it } from 'vitest'
import { readDesiredState } from '../../src/cli/deploy/desired-state'
import { createCloudflare } from '../../src/cli/deploy/cloudflare'
import { rotateRemote } from '../../src/cli/rotate/rotate-remote'
import { continueRotation, type Query } from '../../src/storage/reencrypt'
import { createKeyring } from '../../src/storage/cipher'
import { type Cloudflare, prepare, serveCloudflare, TOKEN } from './cloudflare/server'
import { createProject } from './project'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`

async function fill(database: DatabaseSync, rings: Record<'PAYLOAD_KEYS' | 'ACCOUNT_KEYS', string>) {
  const payload = await createKeyring(rings.PAYLOAD_KEYS).encrypt('"hidden"', 'flagPayloads')
  const secret = await createKeyring(rings.ACCOUNT_KEYS).encrypt('factor', 'secondFactor')
  database
    .prepare(
      `INSERT INTO feature_flags (project_id, key, filters, has_encrypted_payloads, search_text, created_at, updated_at)
      VALUES (1, 'secret', ?, 1, '', '', '')`,
    )
    .run(JSON.stringify({ payloads: { true: payload } }))
  database.exec('PRAGMA foreign_keys = OFF')
  database.prepare(`INSERT INTO totp_devices VALUES (1, ?, 0, '')`).run(secret)
  database.exec(`INSERT INTO backup_codes VALUES (1, 'digest')`)
}

const stored = (database: DatabaseSync) => ({
  payload: (
    JSON.parse(String(database.prepare('SELECT filters FROM feature_flags').get()!.filters)) as {
      payloads: { true: string }
    }
  ).payloads.true,
  factor: String(database.prepare('SELECT secret FROM totp_devices').get()!.secret),
})

it('replaces the keys of the local service, and keeps backup codes until they may end', async () => {
  const project = createProject({})
  cleanups.push(() => project.remove())
  expect(await project.run('rotate')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'DB is empty: run npm start first.\nEVENTS is empty: run npm start first.\n',
  })
  expect(await project.run('setup')).toMatchObject({ code: 0 })
  const state = join(project.folder, '.wrangler/state/v3/d1/miniflare-D1DatabaseObject')
  const main = readdirSync(state)
    .filter((file) => /^[0-9a-f]{64}\.sqlite$/.test(file))
    .map((file) => new DatabaseSync(join(state, file)))
    .find((one) => one.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'users'`).get())!
  cleanups.push(() => main.close())
  const secrets = () =>
    Object.fromEntries(
      [...project.read('.dev.vars').matchAll(/^(\w+)="(.*)"$/gm)].map(([, name, value]) => [name!, value!]),
    ) as Record<'PAYLOAD_KEYS' | 'ACCOUNT_KEYS', string>
  const before = secrets()
  await fill(main, before)

  expect(await project.run('rotate')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Backup codes of 1 user work only with the current ACCOUNT_KEYS/),
  })
  expect(await project.run('rotate', ['CHAT_CLIENT_SECRET'])).toMatchObject({ code: 2 })
  expect(secrets()).toEqual(before)

  const rotated = await project.run('rotate', ['--end-backup-codes'])
  const after = secrets()
  expect(rotated).toEqual({
    code: 0,
    stdout: (['PAYLOAD_KEYS', 'ACCOUNT_KEYS'] as const)
      .map(
        (name) =>
          `${name}: every value is encrypted with the new key ${after[name].split(':')[0]}, and the old keys are retired. The key is in .dev.vars.\n`,
      )
      .join(''),
    stderr: '',
  })
  expect(after.PAYLOAD_KEYS).not.toContain(before.PAYLOAD_KEYS)
  expect(await createKeyring(after.PAYLOAD_KEYS).decrypt(stored(main).payload)).toBe('"hidden"')
  expect(await createKeyring(after.ACCOUNT_KEYS).decrypt(stored(main).factor)).toBe('factor')
  expect(main.prepare('SELECT count(*) AS n FROM backup_codes').get()).toEqual({ n: 0 })
}, 120_000)

it('replaces unknown keys of a Worker, and continues after an interruption', async () => {
  const cloudflare: Cloudflare = await serveCloudflare()
  const folder = mkdtempSync(join(tmpdir(), 'halyard-rotate-'))
  const desired = readDesiredState(null)
  cleanups.push(async () => {
    rmSync(folder, { recursive: true })
    await cloudflare.stop()
  })
  prepare(cloudflare)
  const old = { PAYLOAD_KEYS: key('a'), ACCOUNT_KEYS: key('b') }
  const bindings = [
    { type: 'd1', name: 'DB', id: 'd1-prepared' },
    { type: 'd1', name: 'EVENTS', id: 'd1-events' },
  ]
  const worker = { bindings, secrets: { ...old } as Record<string, string>, migrationTag: 'v1', crons: [] }
  cloudflare.workers.set('halyard', worker)
  const main = cloudflare.databases.get('d1-prepared')!.sql
  await fill(main, old)
  const query: Query = async (sql, params) => main.prepare(sql).all(...params)
  const account = {
    id: 'account-1',
    cloudflare: createCloudflare(cloudflare.url, { Authorization: `Bearer ${TOKEN}` }),
  }
  let said = ''
  let isRunning = true
  let env = {}
  let secrets: ('PAYLOAD_KEYS' | 'ACCOUNT_KEYS')[] = ['PAYLOAD_KEYS']
  let endsBackupCodes = false
  const rotate = () =>
    rotateRemote(account, desired, {
      secrets,
      endsBackupCodes,
      folder,
      env,
      say: (text) => void (said += text),
      // The trigger of a minute, with the secrets that the Worker has then.
      sleep: async () => {
        const bound = worker.secrets as unknown as Env
        if (isRunning) await continueRotation(bound, query, 'PAYLOAD_KEYS')
        const ring = createKeyring(`${bound.PAYLOAD_KEYS_NEXT ?? ''},${bound.PAYLOAD_KEYS}`)
        expect(await ring.decrypt(stored(main).payload)).toBe('"hidden"')
      },
    })
  isRunning = false
  await expect(rotate()).rejects.toThrow('The Worker has not gone on for 5 minutes. Everything can be read')
  expect(Object.keys(worker.secrets)).toEqual(['PAYLOAD_KEYS', 'ACCOUNT_KEYS', 'PAYLOAD_KEYS_NEXT'])
  isRunning = true
  await rotate()

  const file = join(folder, '.dev/keys.remote.json')
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  expect(worker.secrets).toEqual({ PAYLOAD_KEYS: kept.PAYLOAD_KEYS, ACCOUNT_KEYS: old.ACCOUNT_KEYS })
  expect(Object.keys(kept)).toEqual(['PAYLOAD_KEYS'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await createKeyring(kept.PAYLOAD_KEYS).decrypt(stored(main).payload)).toBe('"hidden"')
  expect(said).not.toContain(kept.PAYLOAD_KEYS!.split(':')[1])
  expect(said).toContain(`The new keys are in ${file}`)

  rmSync(join(folder, '.dev'), { recursive: true })
  worker.secrets.PAYLOAD_KEYS_NEXT = key('c')
  await expect(rotate()).rejects.toThrow('A rotation of PAYLOAD_KEYS was begun elsewhere')
  env = { PAYLOAD_KEYS_NEXT: `${key('c')},${key('d')}` }
  await expect(rotate()).rejects.toThrow('PAYLOAD_KEYS_NEXT must be one key.')

  // It was interrupted after the other secret was finished.
  env = { PAYLOAD_KEYS_NEXT: key('c') }
  secrets = ['ACCOUNT_KEYS', 'PAYLOAD_KEYS']
  endsBackupCodes = true
  await rotate()
  expect(worker.secrets).toEqual({ PAYLOAD_KEYS: key('c'), ACCOUNT_KEYS: old.ACCOUNT_KEYS })
  expect(said).toContain('This run continued an earlier one. It left ACCOUNT_KEYS as it is.\n')
})
