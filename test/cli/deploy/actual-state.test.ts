// The account that a deployment acts on, and what exists there.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAccount } from '../../../src/cli/deploy/account'
import { readActualState } from '../../../src/cli/deploy/actual-state'
import { readDesiredState } from '../../../src/cli/deploy/desired-state'
import { type MigrationsFolder, readMigrations } from '../../../src/cli/migrations'
import { type Cloudflare, prepare, QUEUES, serveCloudflare, TOKEN } from '../cloudflare/server'

let cloudflare: Cloudflare
beforeEach(async () => {
  cloudflare = await serveCloudflare()
})
afterEach(() => cloudflare.stop())

const open = (env: Record<string, string> = {}, configured: string | null = null) =>
  openAccount(configured, { CLOUDFLARE_API_BASE_URL: cloudflare.url, CLOUDFLARE_API_TOKEN: TOKEN, ...env })

const read = async () => readActualState(await open(), readDesiredState(null))

describe('the account', () => {
  it('is the only one that the login has', async () => {
    expect((await open()).id).toBe('account-1')
  })

  it('has to be named where there are several', async () => {
    cloudflare.accounts.push({ id: 'account-2', name: 'Example Ltd' })
    await expect(open()).rejects.toThrow(
      'This login has several accounts. Set CLOUDFLARE_ACCOUNT_ID to one of them:\n' +
        '  account-1  Example\n  account-2  Example Ltd',
    )
    expect((await open({ CLOUDFLARE_ACCOUNT_ID: 'account-2' })).id).toBe('account-2')
    expect((await open({ CLOUDFLARE_ACCOUNT_ID: 'account-2' }, 'account-1')).id).toBe('account-1')
  })

  it('has to be named where the login shows none', async () => {
    cloudflare.accounts = []
    await expect(open()).rejects.toThrow(
      'This login shows no account. Set CLOUDFLARE_ACCOUNT_ID to the id of the account to deploy to.',
    )
  })

  it('is not opened by a token that is wrong, nor found where Cloudflare is not', async () => {
    await expect(open({ CLOUDFLARE_API_TOKEN: 'another' })).rejects.toThrow(
      "Cloudflare does not let this login see what it has to (Cloudflare's response to GET /accounts?page=1&per_page=50: Authentication error " +
        '(10000)). The token needs the permission "Account Settings:Read"; with `wrangler login`, log in again.',
    )
    await cloudflare.stop()
    await expect(open()).rejects.toThrow(
      /^Cloudflare cannot be reached at 127\.0\.0\.1:\d+: connect ECONNREFUSED/,
    )
  })
})

describe('existing resources', () => {
  it('is nothing on an empty account', async () => {
    cloudflare.subdomain = null
    expect(await read()).toEqual({
      subdomain: null,
      databases: [],
      namespaces: [],
      queues: [],
      worker: null,
      schemas: {},
      usedShards: [],
    })
    expect(cloudflare).toMatchObject({ changes: [], unknown: [] })
  })

  it('is read from the Worker, the account and the databases, page after page', async () => {
    prepare(cloudflare)
    const { databases, namespaces, workers } = cloudflare
    databases.set('d1-similar', { ...databases.get('d1-prepared')!, name: 'halyard-other' })
    for (let count = 0; count < 120; count += 1) namespaces.set(`kv-${count}`, `of others ${count}`)
    workers.set('halyard', {
      bindings: [
        { type: 'd1', name: 'ANOTHER', id: 'd1-elsewhere' },
        { type: 'd1', name: 'DB', id: 'd1-gone' },
        { type: 'd1', name: 'EVENTS', id: 'd1-events' },
        { type: 'kv_namespace', name: 'SNAPSHOTS', namespace_id: 'kv-prepared' },
        { type: 'plain_text', name: 'CLICKHOUSE_URL', text: 'https://clickhouse.example.com' },
      ],
      secrets: { PAYLOAD_KEYS: 'k1:secret' },
      migrationTag: 'v1',
      crons: [],
    })
    const actual = await read()
    const state = (folder: MigrationsFolder) => ({
      applied: readMigrations(folder).map(({ file }) => file),
      missingTables: [],
      isRestoring: false,
      isInUse: false,
    })
    expect({ ...actual, namespaces: actual.namespaces.length }).toEqual({
      subdomain: 'example',
      databases: [
        { id: 'd1-prepared', name: 'halyard' },
        { id: 'd1-events', name: 'halyard-events' },
        { id: 'd1-similar', name: 'halyard-other' },
      ],
      namespaces: 121,
      queues: QUEUES,
      worker: {
        databaseIds: { DB: 'd1-gone', EVENTS: 'd1-events' },
        namespaceId: 'kv-prepared',
        secrets: ['PAYLOAD_KEYS'],
        vars: { CLICKHOUSE_URL: 'https://clickhouse.example.com' },
      },
      schemas: { DB: state('main'), EVENTS: state('events') },
      usedShards: [],
    })
  })

  it('lists databases in use and the shards of projects', async () => {
    prepare(cloudflare)
    const [main, shard] = [...cloudflare.databases.values()].map(({ sql }) => sql)
    main!.exec(`PRAGMA foreign_keys = OFF;
      INSERT INTO users (uuid, distinct_id, email, date_joined) VALUES ('u', 'd', 'ada@example.com', '2026-01-01');
      INSERT INTO projects (uuid, organization_id, name, api_token, created_at, shard) VALUES
        ('1', 'o', 'a', 'phc_1', '2026-01-01', 'EVENTS_2'), ('2', 'o', 'b', 'phc_2', '2026-01-01', 'EVENTS'),
        ('3', 'o', 'c', 'phc_3', '2026-01-01', 'EVENTS')`)
    expect(await read()).toMatchObject({
      schemas: { DB: { isInUse: true }, EVENTS: { isInUse: false } },
      usedShards: ['EVENTS', 'EVENTS_2'],
    })
    shard!.exec(`INSERT INTO event_volumes VALUES (1, 'opened', '2026-01-01', 1, 2, 2)`)
    expect(await read()).toMatchObject({ schemas: { EVENTS: { isInUse: true } } })
  })

  it('names the tables that an older layout lacks', async () => {
    prepare(cloudflare)
    cloudflare.databases.get('d1-prepared')!.sql.exec(
      `PRAGMA foreign_keys = OFF; DROP TABLE outbox; ALTER TABLE projects DROP COLUMN shard;
        INSERT INTO users (uuid, distinct_id, email, date_joined) VALUES ('u', 'd', 'ada@example.com', '2026-01-01')`,
    )
    expect(await read()).toMatchObject({
      schemas: { DB: { missingTables: ['outbox'], isRestoring: false, isInUse: true } },
      usedShards: [],
    })
  })

  it('cannot be seen without permission, which is named', async () => {
    cloudflare.interfere = (call) => (call === 'GET /queues' ? { status: 403, code: 10_000 } : null)
    await expect(read()).rejects.toThrow(
      "Cloudflare does not let this login see what it has to (Cloudflare's response to GET /accounts/account-1/queues?page=1&per_page=50: No " +
        '(10000)). The token needs the permission "Queues:Edit"; with `wrangler login`, log in again.',
    )
  })
})
