// Backups by the triggers: in bounded runs, on real R2 and D1.
import { env } from 'cloudflare:workers'
import { gunzipSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { onTrigger } from '../../src/jobs/scheduled'
import { DAILY, EVERY_MINUTE } from '../../src/jobs/crons'
import type { Manifest } from '../../src/storage/backup/format'
import { BACKUP_STATE, readBackupState, runScheduledBackup } from '../../src/storage/backup/scheduled-backup'
import { createTenant } from '../support/tenant'

const bucket = env.TEST_BACKUPS
const source = (binding: 'DB' | 'EVENTS') => ({
  binding,
  query: async (sql: string, params: readonly (string | number)[] = []) =>
    (
      await env[binding]
        .prepare(sql)
        .bind(...params)
        .all()
    ).results,
})
const databases = [source('DB'), source('EVENTS')]
const run = (day: number, { begins = false, maxLength = 1, from = bucket, of = databases } = {}) =>
  runScheduledBackup({
    bucket: from,
    databases: of,
    keep: '2',
    now: new Date(Date.UTC(2026, 10, day, 3, 17)),
    begins,
    maxLength,
  })

async function finish(day: number): Promise<number> {
  let runs = 0
  for (await run(day, { begins: true }); (await readBackupState(bucket)).state.running; runs += 1)
    await run(day)
  return runs
}

it('writes every row in many short runs, continues after failures, and keeps the newest backups', async () => {
  const tenant = await createTenant()
  for (const key of ['first', 'second', 'third']) await tenant.flag({ key })

  await run(1, { begins: true })
  await expect(run(1, { from: failingBucket(), maxLength: 1e9 })).rejects.toThrow('R2 is away')
  expect((await readBackupState(bucket)).state).toMatchObject({
    finished: [],
    running: { name: 'halyard/2026-11-01T03-17-00' },
    failure: { at: '2026-11-01T03:17:00.000Z', error: 'Error: R2 is away' },
    leaseUntil: null,
  })
  // One page a run.
  expect(await finish(1)).toBeGreaterThan(5)
  const { state } = await readBackupState(bucket)
  const [generation] = state.finished
  expect(state).toMatchObject({ running: null, failure: null, expired: [] })

  const manifest = await (await bucket.get(`${generation!.name}/manifest.json`))!.json<Manifest>()
  expect(manifest.databases.map(({ binding }) => binding)).toEqual(['DB', 'EVENTS'])
  let rows = 0
  for (const { binding, tables } of manifest.databases) {
    for (const { name, parts } of tables) {
      const lines: string[] = []
      for (const { file, bytes, sha256 } of parts) {
        const body = Buffer.from(await (await bucket.get(`${generation!.name}/${file}`))!.arrayBuffer())
        expect([body.length, createHash('sha256').update(body).digest('hex')]).toEqual([bytes, sha256])
        lines.push(...gunzipSync(body).toString().trimEnd().split('\n'))
      }
      const [count] = await source(binding as 'DB').query(`SELECT count(*) AS n FROM "${name}"`)
      expect([name, new Set(lines).size]).toEqual([name, count!.n])
      rows += lines.length
    }
  }
  expect(generation).toMatchObject({ rows, startedAt: '2026-11-01T03:17:00.000Z' })

  for (const day of [2, 3]) await finish(day)
  const folders = (await bucket.list({ prefix: 'halyard/', delimiter: '/' })).delimitedPrefixes
  expect(folders).toEqual(['halyard/2026-11-02T03-17-00/', 'halyard/2026-11-03T03-17-00/'])
})

it('restarts when a deployment has changed the tables', async () => {
  await bucket.delete(BACKUP_STATE)
  await run(4, { begins: true })
  await run(4)
  await env.DB.exec(`INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')`)
  await run(5)
  expect((await readBackupState(bucket)).state.running!.name).toBe('halyard/2026-11-05T03-17-00')
  expect(await finish(5)).toBeGreaterThan(5)
  await env.DB.exec(`DELETE FROM d1_migrations WHERE name = '9999_later.sql'`)
  expect((await bucket.list({ prefix: 'halyard/2026-11-04' })).objects).toEqual([])
})

it('restarts when that happens during its last run', async () => {
  await bucket.delete(BACKUP_STATE)
  const main = source('DB')
  const query: typeof main.query = async (sql, params) => {
    if (sql.includes('FROM "projects"'))
      await env.DB.exec(
        `INSERT INTO d1_migrations (name) SELECT '9999_later.sql' WHERE NOT EXISTS (SELECT 1 FROM d1_migrations WHERE name = '9999_later.sql')`,
      )
    return main.query(sql, params)
  }
  const during = [{ ...main, query }, source('EVENTS')]
  await run(6, { begins: true })
  await expect(run(6, { maxLength: 1e9, of: during })).rejects.toThrow('DB was migrated while it was read.')
  await run(7)
  expect((await readBackupState(bucket)).state).toMatchObject({
    running: { name: 'halyard/2026-11-07T03-17-00' },
    finished: [],
  })
  await finish(7)
  await env.DB.exec(`DELETE FROM d1_migrations WHERE name = '9999_later.sql'`)
})

it('keeps out a run that overlaps, and the triggers do nothing without the binding', async () => {
  await bucket.delete(BACKUP_STATE)
  await run(6, { begins: true })
  await Promise.all([run(6, { maxLength: 1e9 }), run(6, { maxLength: 1e9 })])
  expect((await readBackupState(bucket)).state.finished).toHaveLength(1)

  const lines: unknown[] = []
  await onTrigger(DAILY, env, (line) => lines.push(line))
  await onTrigger(EVERY_MINUTE, env, (line) => lines.push(line))
  expect(lines).toEqual([])
  for (const cron of [DAILY, EVERY_MINUTE])
    await onTrigger(cron, { ...env, BACKUPS: bucket } as Env, (line) => lines.push(line))
  expect(lines).toEqual([])
  expect((await readBackupState(bucket)).state.finished).toHaveLength(2)
})

it('begins without a read, because the daily trigger has used its statements', async () => {
  await bucket.delete(BACKUP_STATE)
  const query = () => Promise.reject(new Error('too many statements'))
  await run(8, { begins: true, of: databases.map((each) => ({ ...each, query })) })
  expect((await readBackupState(bucket)).state).toMatchObject({
    running: { name: 'halyard/2026-11-08T03-17-00' },
    failure: null,
    leaseUntil: null,
  })
})

it('ends a run that has lost its lease, without a change of what the next one writes', async () => {
  await bucket.delete(BACKUP_STATE)
  await run(9, { begins: true })
  let isOvertaken = false
  const main = source('DB')
  const query: typeof main.query = async (sql, params) => {
    if (!isOvertaken) {
      isOvertaken = true
      // A day later, the lease is over.
      await run(10, { maxLength: 1e9 })
    }
    return main.query(sql, params)
  }
  const slow = run(9, { maxLength: 1e9, of: [{ ...main, query }, source('EVENTS')] })
  await expect(slow).rejects.toThrow('Another run has continued the backup')
  const { state } = await readBackupState(bucket)
  expect(state).toMatchObject({ running: null, failure: null, leaseUntil: null })
  const { name } = state.finished[0]!
  const manifest = await (await bucket.get(`${name}/manifest.json`))!.json<Manifest>()
  for (const { file, sha256 } of manifest.databases.flatMap(({ tables }) => tables.flatMap((t) => t.parts))) {
    const body = Buffer.from(await (await bucket.get(`${name}/${file}`))!.arrayBuffer())
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256)
  }
})

/** Its second part is not written. */
function failingBucket(): R2Bucket {
  let parts = 0
  const put = (...args: Parameters<R2Bucket['put']>) => {
    if (args[0].endsWith('.gz') && (parts += 1) === 2) return Promise.reject(new Error('R2 is away'))
    return bucket.put(...args)
  }
  return {
    get: (key: string) => bucket.get(key),
    list: (options: R2ListOptions) => bucket.list(options),
    put,
  } as unknown as R2Bucket
}
