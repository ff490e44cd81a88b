// What goes with a deleted flag or saved query when it is deleted for good, what keeps it and old versions, and what the API answers then.
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { MAIN_POLICIES } from '../../src/retention/policies'
import { prune } from '../../src/retention/prune'
import { seen } from '../support/responses'
import { dashboard, earlyAccessFeature, experiment, storedFlag, survey } from '../support/database/rows'
import { createTenant, type Tenant } from '../support/tenant'

const NOT_FOUND = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
}

let tenant: Tenant
beforeEach(async () => {
  tenant = await createTenant()
})

async function pruneAfter(days: number, newest = '100'): Promise<void> {
  tenant.clock.advance({ days })
  await prune(env.DB, MAIN_POLICIES, {
    settings: { ACTIVITY_RETENTION_DAYS: '', DELETED_RETENTION_DAYS: '90', VERSION_RETENTION_COUNT: newest },
    now: tenant.clock.now(),
    maxStatements: 100,
    onFailure: (table, error) => {
      throw new Error(table, { cause: error })
    },
  })
}

const pathOf = (id: number) => `${tenant.flags()}${id}/`
const remove = async (...ids: number[]) => {
  for (const id of ids) expect((await tenant.patch(pathOf(id), { deleted: true })).status).toBe(200)
}
const countOf = (table: string, column: string, value: unknown) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(value).first<number>('n')

describe('a deleted flag', () => {
  it('can be restored for 90 days, and is then gone with all that belongs to it', async () => {
    const flag = await tenant.flag({
      key: 'checkout',
      tags: ['shop'],
      evaluation_contexts: ['web'],
      _should_create_usage_dashboard: true,
    })
    const live = await tenant.flag({ tags: ['shop'], _should_create_usage_dashboard: true })
    const stays = await tenant.flag({ tags: ['shop'] })
    await remove(flag.id)
    await pruneAfter(89)
    expect((await tenant.patch(pathOf(flag.id), { deleted: false })).status).toBe(200)
    await remove(flag.id)
    const { usageDashboardId } = (await storedFlag(flag.id))!
    expect(await countOf('dashboard_tiles', 'dashboard_id', usageDashboardId)).toBe(2)
    await pruneAfter(91)

    expect(seen(await tenant.patch(pathOf(flag.id), { deleted: false }))).toEqual(NOT_FOUND)
    expect(seen(await tenant.get(pathOf(flag.id)))).toEqual(NOT_FOUND)
    expect(seen(await tenant.get(`${pathOf(flag.id)}activity/`))).toEqual({ status: 404, body: null })
    for (const table of ['flag_tags', 'flag_evaluation_contexts']) {
      expect(await countOf(table, 'flag_id', flag.id)).toBe(0)
    }
    expect(await countOf('dashboards', 'id', usageDashboardId)).toBe(0)
    expect(await countOf('dashboard_tiles', 'dashboard_id', usageDashboardId)).toBe(0)
    const kept = (await storedFlag(live.id))!
    expect(await countOf('dashboards', 'id', kept.usageDashboardId)).toBe(1)
    expect((await tenant.get(pathOf(stays.id))).body.tags).toEqual(['shop'])
    expect(await countOf('projects', 'live_flag_count', 2)).toBeGreaterThan(0)
  })

  it('leaves its entries in the log of all flags, and its key free', async () => {
    const flag = await tenant.flag({ key: 'checkout' })
    await remove(flag.id)
    await pruneAfter(91)
    const { body } = await tenant.get(`${tenant.flags()}activity/`)
    expect(body.results.map(({ activity, item_id }: Record<string, string>) => [activity, item_id])).toEqual([
      ['deleted', String(flag.id)],
      ['created', String(flag.id)],
    ])
    const again = await tenant.flag({ key: 'checkout' })
    expect(again.id).toBeGreaterThan(flag.id)
  })

  it('stays while anything refers to it', async () => {
    const made = []
    for (let number = 0; number < 5; number += 1) made.push(await tenant.flag())
    const [tried, early, asked, recording, free] = made.map(({ id }) => id as number)
    await remove(...made.map(({ id }) => id as number))
    await experiment(tenant, tried!, { deleted: true })
    await earlyAccessFeature(tenant, early!)
    await survey(tenant, asked!)
    await env.DB.prepare('UPDATE projects SET session_recording_linked_flag_id = ? WHERE id = ?')
      .bind(recording!, tenant.projectId)
      .run()
    await pruneAfter(91)
    const left = await Promise.all(made.map(({ id }) => storedFlag(id)))
    expect(left.flatMap((flag) => flag?.id ?? [])).toEqual([tried, early, asked, recording])
    expect(await storedFlag(free!)).toBeUndefined()
  })

  it('goes after the flags that depend on it', async () => {
    const base = await tenant.flag()
    const dependent = await tenant.flag({
      filters: {
        groups: [
          {
            properties: [{ key: String(base.id), type: 'flag', operator: 'flag_evaluates_to', value: true }],
            rollout_percentage: 100,
          },
        ],
      },
    })
    await remove(dependent.id, base.id)
    await pruneAfter(91)
    expect([await storedFlag(base.id), await storedFlag(dependent.id)]).toEqual([
      expect.objectContaining({ id: base.id }),
      undefined,
    ])
    await pruneAfter(1)
    expect(await storedFlag(base.id)).toBeUndefined()
  })

  it('leaves a usage dashboard that another flag or a scene shows, and the newest', async () => {
    const flags = []
    for (let number = 0; number < 4; number += 1) {
      flags.push(await tenant.flag({ _should_create_usage_dashboard: true }))
    }
    const ids = await Promise.all(flags.map(async ({ id }) => (await storedFlag(id))!.usageDashboardId))
    const [shown, scene, alone, newest] = ids
    await tenant.flag({ analytics_dashboards: [shown] })
    await env.DB.prepare(
      `INSERT INTO scene_personalisations (user_id, project_id, scene, dashboard_id) VALUES (?, ?, 'Dashboard', ?)`,
    )
      .bind(tenant.user.id, tenant.projectId, scene)
      .run()
    await remove(...flags.map(({ id }) => id as number))
    await pruneAfter(91)
    const left = await Promise.all(ids.map((id) => countOf('dashboards', 'id', id)))
    expect([shown, scene, alone, newest].filter((_, index) => left[index] === 1)).toEqual([
      shown,
      scene,
      newest,
    ])
    expect(await dashboard(tenant)).toBeGreaterThan(newest!)
  })
})

describe('a deleted saved query', () => {
  it('is gone after 90 days with its versions and tags; those of others stay', async () => {
    const gone = await tenant.endpoint({ name: 'sales', tags: ['shop'] })
    await tenant.patch(`${tenant.endpoints()}sales/`, {
      query: { kind: 'HogQLQuery', query: 'SELECT 1 AS one' },
    })
    const live = await tenant.endpoint({ name: 'visits' })
    await tenant.delete(`${tenant.endpoints()}sales/`)
    await pruneAfter(89)
    expect(await countOf('endpoint_versions', 'endpoint_id', gone.id)).toBe(2)
    await pruneAfter(2)
    for (const table of ['endpoint_versions', 'endpoint_tags']) {
      expect(await countOf(table, 'endpoint_id', gone.id)).toBe(0)
    }
    expect(await countOf('endpoints', 'id', gone.id)).toBe(0)
    expect(await countOf('endpoint_versions', 'endpoint_id', live.id)).toBe(1)
    expect((await tenant.get(`${tenant.endpoints()}visits/`)).status).toBe(200)
  })
})

describe('versions of a saved query', () => {
  const path = () => tenant.endpoints('sales')
  const versionIds = async (): Promise<string[]> => {
    const { results } = await env.DB.prepare(
      'SELECT v.id FROM endpoint_versions v JOIN endpoints e ON e.id = v.endpoint_id WHERE e.project_id = ? ORDER BY v.version',
    )
      .bind(tenant.projectId)
      .all<{ id: string }>()
    return results.map(({ id }) => id)
  }
  const listed = async (search = '') => {
    const { body } = await tenant.get(`${path()}versions/${search}`)
    return {
      count: body.count,
      versions: body.results.map(({ version }: { version: number }) => version),
      hasNext: body.next !== null,
    }
  }

  beforeEach(async () => {
    await tenant.endpoint({ name: 'sales', query: { kind: 'HogQLQuery', query: 'SELECT 1 AS one' } })
    for (let number = 2; number <= 8; number += 1) {
      const query = { kind: 'HogQLQuery', query: `SELECT ${number} AS one` }
      expect((await tenant.patch(path(), { query })).status).toBe(200)
    }
  })

  it('past the newest go, but those that a key ran within 30 days and those that are materialized', async () => {
    const ids = await versionIds()
    expect((await tenant.patch(path(), { version: 1, is_materialized: true })).status).toBe(200)
    expect((await tenant.patch(path(), { version: 2, is_materialized: true })).status).toBe(200)
    await env.DB.prepare('UPDATE endpoint_materializations SET hibernated_at = ? WHERE version_id = ?')
      .bind('2026-01-01T00:00:00.000000Z', ids[1])
      .run()
    const ranOn = (version: number, at: string) =>
      env.DB.prepare('UPDATE endpoint_versions SET last_executed_at = ? WHERE id = ?')
        .bind(at, ids[version - 1])
        .run()
    const now = tenant.clock.now().getTime()
    const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString().replace('Z', '000Z')
    await ranOn(3, daysAgo(29))
    await ranOn(4, daysAgo(31))
    await pruneAfter(0, '2')
    expect(await listed()).toEqual({ count: 4, versions: [8, 7, 3, 1], hasNext: false })
    expect(await countOf('endpoint_materializations', 'version_id', ids[1])).toBe(0)
    expect((await tenant.get(path())).body).toMatchObject({ current_version: 8, versions_count: 8 })
    await pruneAfter(2, '2')
    expect(await listed()).toEqual({ count: 3, versions: [8, 7, 1], hasNext: false })
  })

  it('are listed in pages where numbers are missing', async () => {
    expect((await tenant.patch(path(), { version: 2, is_materialized: true })).status).toBe(200)
    await pruneAfter(0, '3')
    expect(await listed('?limit=2')).toEqual({ count: 4, versions: [8, 7], hasNext: true })
    expect(await listed('?limit=2&offset=1')).toEqual({ count: 4, versions: [7, 6], hasNext: true })
    expect(await listed('?limit=2&offset=3')).toEqual({ count: 4, versions: [2], hasNext: false })
    expect(await listed('?offset=4')).toEqual({ count: 4, versions: [], hasNext: false })
  })

  it('are not found when they are gone, and their numbers are not used again', async () => {
    await pruneAfter(0, '1')
    const absent = { status: 404, body: { error: 'Version 7 not found' } }
    expect(seen(await tenant.get(`${path()}?version=7`))).toEqual(absent)
    expect(seen(await tenant.get(`${path()}openapi.json?version=7`))).toEqual(absent)
    expect(seen(await tenant.get(`${path()}materialization_status/?version=7`))).toEqual(absent)
    expect(seen(await tenant.post(`${path()}materialization_preview/`, { version: 7 }))).toEqual(absent)
    const text = "Version 7 not found for endpoint 'sales'"
    const ran = await tenant.post(`${path()}run/`, { version: 7 })
    expect(ran).toMatchObject({ status: 404, body: { error: text, current_version: 8 } })
    const changed = await tenant.patch(path(), { version: 7, description: 'Old.' })
    expect(changed).toMatchObject({ status: 400, body: { attr: 'version' } })
    expect((await tenant.post(`${path()}run/`, {})).body).toMatchObject({ results: [[8]] })
    const query = { kind: 'HogQLQuery', query: 'SELECT 9 AS one' }
    expect((await tenant.patch(path(), { query })).body).toMatchObject({ current_version: 9 })
    expect(await listed()).toEqual({ count: 2, versions: [9, 8], hasNext: false })
  })

  it('are 100, and all where the setting is empty', async () => {
    await env.DB.prepare('UPDATE endpoints SET current_version = 103 WHERE project_id = ?')
      .bind(tenant.projectId)
      .run()
    await pruneAfter(0, '')
    expect(await versionIds()).toHaveLength(8)
    await pruneAfter(0)
    expect(await versionIds()).toHaveLength(5)
  })
})

describe('activity that has gone', () => {
  it('makes versions before it unknown, and nothing else', async () => {
    const flag = await tenant.flag({ name: 'one' })
    await tenant.patch(pathOf(flag.id), { name: 'two' })
    tenant.clock.advance({ days: 20 })
    await tenant.patch(pathOf(flag.id), { name: 'three' })
    tenant.clock.advance({ days: 1 })
    const version = async (number: number) => {
      const { status, body } = await tenant.get(`${pathOf(flag.id)}versions/${number}/`)
      return [status, body?.name]
    }
    expect([await version(1), await version(2), await version(3)]).toEqual([
      [200, 'one'],
      [200, 'two'],
      [200, 'three'],
    ])
    await prune(env.DB, MAIN_POLICIES, {
      settings: { ACTIVITY_RETENTION_DAYS: '10', DELETED_RETENTION_DAYS: '' },
      now: tenant.clock.now(),
      maxStatements: 100,
      onFailure: (table) => expect.unreachable(table),
    })
    expect([await version(1), await version(2), await version(3)]).toEqual([
      [422, undefined],
      [422, undefined],
      [200, 'three'],
    ])
    expect((await tenant.get(pathOf(flag.id))).body).toMatchObject({ name: 'three', version: 3 })
    expect((await tenant.get(`${pathOf(flag.id)}activity/`)).body).toMatchObject({
      total_count: 1,
      next: null,
      results: [{ activity: 'updated' }],
    })
  })
})
