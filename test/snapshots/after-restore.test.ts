// A database that went back to an earlier state, as D1's time travel takes it there: what lies outside of it does not go along.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { AFTER_RESTORE } from '../../src/cli/deploy/after-restore'
import { generationOf } from '../project/support'
import { signIn } from '../support/session'
import { createTenant, type Tenant } from '../support/tenant'
import { reader } from './support'

const all = async (sql: string) => (await env.DB.prepare(sql).all()).results

/** Notes every row of the database; the returned function brings exactly those back. */
async function rememberDatabase(): Promise<() => Promise<void>> {
  const tables = (
    await all(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`,
    )
  ).map(({ name }) => String(name))
  tables.push('sqlite_sequence')
  const rows = await Promise.all(
    tables.map(async (table) => [table, await all(`SELECT * FROM "${table}"`)] as const),
  )
  const counts = await all('SELECT id, live_flag_count FROM projects')
  const insert = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row)
    return env.DB.prepare(
      `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join()}) VALUES (${names.map(() => '?').join()})`,
    ).bind(...Object.values(row))
  }
  return async () => {
    await env.DB.batch([
      env.DB.prepare('PRAGMA defer_foreign_keys = on'),
      ...tables.map((table) => env.DB.prepare(`DELETE FROM "${table}"`)),
      ...rows.flatMap(([table, found]) =>
        table === 'sqlite_sequence' ? [] : found.map((row) => insert(table, row)),
      ),
      // Inserting counts flags once more, and sets sequences.
      ...counts.map(({ id, live_flag_count: count }) =>
        env.DB.prepare('UPDATE projects SET live_flag_count = ? WHERE id = ?').bind(count, id),
      ),
      ...rows
        .at(-1)![1]
        .map(({ name, seq }) =>
          env.DB.prepare('UPDATE sqlite_sequence SET seq = ? WHERE name = ?').bind(seq, name),
        ),
    ])
  }
}

const makeUp = () => env.DB.batch(AFTER_RESTORE.map((statement) => env.DB.prepare(statement)))

/** What somebody gets who asks now, wherever they are: names of flags. */
async function servedTo(tenant: Tenant): Promise<string[] | undefined> {
  tenant.clock.advance({ minutes: 2 })
  for (let tries = 0; ; tries += 1) {
    const { load, staleAges } = reader(tenant)
    const loaded = await load(tenant.projectId)
    // On a busy machine the object may miss its deadline: KV's last document is served then, as stale.
    if (staleAges.length === 0 || tries === 10) return loaded?.snapshot.flags.map(({ name }) => name ?? '')
  }
}

describe('after a restore', () => {
  it('the state before the restore is served until the command has run', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'checkout', name: 'before' })
    const path = tenant.flags(id)
    expect(await servedTo(tenant)).toEqual(['before'])
    const restore = await rememberDatabase()
    await tenant.patch(path, { name: 'a mistake' })
    await tenant.patch(path, { name: 'a worse mistake' })
    expect(await servedTo(tenant)).toEqual(['a worse mistake'])

    await restore()
    expect((await tenant.get(path)).body).toMatchObject({ name: 'before', version: 1 })
    expect(await generationOf(tenant)).toBe(1)
    // The object takes what it reads for older than what it has published, and readers follow it.
    expect(await servedTo(tenant)).toEqual(['a worse mistake'])
    await tenant.patch(path, { name: 'after' })
    expect(await servedTo(tenant)).toEqual(['a worse mistake'])

    await makeUp()
    expect(await servedTo(tenant)).toEqual(['after'])
    await tenant.patch(path, { name: 'and on' })
    expect(await servedTo(tenant)).toEqual(['and on'])
  })

  it('also a second one, and a command that was given twice', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'checkout', name: 'before' })
    const restore = await rememberDatabase()
    for (let count = 0; count < 3; count += 1) {
      await tenant.patch(tenant.flags(id), { name: `mistake ${count}` })
      expect(await servedTo(tenant)).toEqual([`mistake ${count}`])
      await restore()
      await makeUp()
      const first = await generationOf(tenant)
      await makeUp()
      expect(await generationOf(tenant)).toBeGreaterThan(first)
      expect(await servedTo(tenant)).toEqual(['before'])
    }
  })

  it('a new project never gets the number of one that was lost, whose flags may still lie at the edge', async () => {
    const restore = await rememberDatabase()
    const lost = await createTenant()
    await lost.flag({ key: 'theirs', name: 'theirs' })
    await restore()
    const without = await createTenant({ harness: lost })
    expect(without.projectId).toBe(lost.projectId)
    await without.flag({ key: 'ours', name: 'ours' })
    // Both are at generation 1: nobody could tell them apart.
    expect(await generationOf(without)).toBe(1)

    await restore()
    await makeUp()
    const tenant = await createTenant({ harness: lost })
    expect(tenant.projectId).toBeGreaterThan(lost.projectId + 500)
    await tenant.flag({ key: 'ours', name: 'ours' })
    expect(await servedTo(tenant)).toEqual(['ours'])
  })

  it('flags are counted as they are, also when rows came in from a file', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'checkout' })
    const counts = () =>
      all(`SELECT live_flag_count, definition_bytes FROM projects WHERE id = ${tenant.projectId}`)
    const [before] = await counts()
    expect(before).toMatchObject({ live_flag_count: 1 })
    await env.DB.exec(
      'UPDATE projects SET live_flag_count = 2 * live_flag_count, definition_bytes = 2 * definition_bytes',
    )
    await makeUp()
    expect(await counts()).toEqual([before])
  })

  it('no session that ended since is valid', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const restore = await rememberDatabase()
    await browser.post('/api/logout/')
    await restore()
    expect((await browser.get('/api/users/@me/')).status).toBe(200)
    await makeUp()
    expect((await browser.get('/api/users/@me/')).status).toBe(401)
    expect((await tenant.get('/api/users/@me/')).status).toBe(200)
  })
})
