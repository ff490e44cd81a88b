// Materializations that nobody uses sleep, and wake when somebody does (docs/reference/endpoints.md#life-cycle-of-materialized-rows).
import { env } from 'cloudflare:workers'
import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { activityLog, endpointVersions } from '../../../drizzle'
import { hibernateUnused, wakeUsed } from '../../../src/endpoints/materialization/hibernate'
import { hogql } from '../../support/endpoints/endpoints'
import {
  createMaterializingTenant,
  materializationRow,
  materializedTables,
  type MaterializingTenant,
} from '../../support/endpoints/materialization'
import { nextMinute } from '../../support/endpoints/builds'
import { signIn } from '../../support/session'
import { database } from '../../support/tenant'
import { emptyStorage } from '../../support/databases'

beforeAll(emptyStorage)

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await createMaterializingTenant()
})

async function anEndpoint() {
  const made = await tenant.endpoint({ query: hogql('SELECT 1 AS one'), is_materialized: true })
  await tenant.consume()
  const path = tenant.endpoints(made.name)
  return {
    ...made,
    path,
    id: made.materialization.saved_query_id as string,
    versionId: made.current_version_id as string,
    run: (body: Record<string, unknown> = {}) => tenant.post(`${path}run/`, { refresh: 'force', ...body }),
    status: async () => (await tenant.get(`${path}materialization_status/`)).body,
    row: () => materializationRow(made.current_version_id),
  }
}

/** What the daily trigger does. */
const theDay = () => hibernateUnused(database(), tenant.clock.now())

/** What the minute's trigger does. Returns the number of messages. */
async function theMinute(): Promise<number> {
  await wakeUsed(database(), tenant.clock.now())
  return nextMinute(tenant)
}

/** Days go by, with a build each, and the daily trigger at the end. Returns whether the version sleeps. */
async function afterDays(days: number, versionId: string): Promise<boolean> {
  tenant.clock.advance({ days })
  await tenant.consume({ messages: [{ projectId: tenant.projectId, versionId }] })
  await theDay()
  return (await materializationRow(versionId))!.hibernatedAt !== null
}

const logged = async () =>
  (
    await database()
      .select()
      .from(activityLog)
      .where(
        and(eq(activityLog.projectId, tenant.projectId), eq(activityLog.scope, 'DataWarehouseSavedQuery')),
      )
      .orderBy(activityLog.createdAt, activityLog.id)
  ).map(({ activity, userId }) => [activity, userId === null ? 'system' : 'user'])

describe('a materialization', () => {
  it('hibernates after thirty days without a run by a key, and leaves nothing but the mark', async () => {
    const made = await anEndpoint()
    expect(await afterDays(29, made.versionId)).toBe(false)
    expect(await afterDays(1, made.versionId)).toBe(true)
    expect(await made.status()).toEqual({
      name: made.name,
      enabled: false,
      ready: false,
      hibernated: true,
      can_materialize: true,
      reason: null,
    })
    expect((await tenant.get(made.path)).body.is_materialized).toBe(false)
    expect(await made.row()).toMatchObject({ generation: null, plan: null, nextBuildAt: null, status: null })
    await tenant.dropTables()
    expect(await materializedTables(made.id)).toEqual({})
    expect(await logged()).toEqual([['materialization_enabled', 'user']])
    const row = await made.row()
    tenant.clock.advance({ days: 1 })
    await theDay()
    expect(await theMinute()).toBe(0)
    expect(await made.row()).toEqual(row)
    expect(
      await tenant.consume({ messages: [{ projectId: tenant.projectId, versionId: made.versionId }] }),
    ).toEqual({
      retried: 0,
      acked: 1,
    })
    expect(await materializedTables(made.id)).toEqual({})
  })

  it('stays active for thirty days after each run by a key', async () => {
    const made = await anEndpoint()
    tenant.clock.advance({ days: 20 })
    await made.run()
    expect(await afterDays(29, made.versionId)).toBe(false)
    expect(await afterDays(1, made.versionId)).toBe(true)
  })

  it('hibernates whether its builds succeed, fail or are under way', async () => {
    const made = [await anEndpoint(), await anEndpoint(), await anEndpoint()]
    const set = (index: number, columns: string) =>
      env.DB.prepare(`UPDATE endpoint_materializations SET ${columns} WHERE version_id = ?`)
        .bind(made[index]!.versionId)
        .run()
    await set(1, "status = 'Failed', error = 'It failed.', next_build_at = NULL, failures = 3")
    await set(2, "building = 2, generations = 2, build_token = 'another', build_until = '2999'")
    tenant.clock.advance({ days: 30 })
    await theDay()
    for (const { row, status } of made) {
      expect(await status()).toMatchObject({ enabled: false, ready: false, hibernated: true })
      expect(await row()).toMatchObject({ error: '', failures: 0, building: null, buildToken: null })
    }
  })

  it('stays hibernated for the runs before', async () => {
    const made = await anEndpoint()
    await made.run()
    expect(await afterDays(30, made.versionId)).toBe(true)
    expect(await theMinute()).toBe(0)
    expect(await made.status()).toMatchObject({ hibernated: true })
  })
})

describe('a hibernated materialization', () => {
  it('answers a key inline, wakes once, and has its rows again', async () => {
    const made = await anEndpoint()
    await afterDays(30, made.versionId)
    tenant.clock.advance({ minutes: 1 })
    const responses = await Promise.all([made.run(), made.run({ refresh: 'direct' }), made.run()])
    for (const { status, body } of responses) {
      expect(status).toBe(200)
      expect(body.results).toEqual([[1]])
      expect(body.endpoint_materialized).toBeUndefined()
    }
    expect(tenant.waiting).toEqual([])
    expect(await theMinute()).toBe(1)
    expect(tenant.waiting).toEqual([{ projectId: tenant.projectId, versionId: made.versionId }])
    expect(await made.status()).toMatchObject({
      enabled: true,
      ready: false,
      hibernated: false,
      status: 'Running',
      saved_query_id: made.id,
    })
    await tenant.consume()
    expect((await made.run()).body.endpoint_materialized).toBe(true)
    // A table of its own: no response of those before is one of it.
    expect(await made.row()).toMatchObject({ generation: 3, hibernatedAt: null })
    expect(await logged()).toEqual([['materialization_enabled', 'user']])
  })

  it('stays hibernated when a session runs it', async () => {
    const made = await anEndpoint()
    await afterDays(30, made.versionId)
    const { status } = await (await signIn(tenant)).post(`${made.path}run/`)
    expect(status).toBe(200)
    expect(await theMinute()).toBe(0)
    expect(await made.status()).toMatchObject({ hibernated: true })
  })

  it('wakes, or is given up, when that is asked for', async () => {
    const made = await anEndpoint()
    await afterDays(30, made.versionId)
    expect((await tenant.patch(made.path, { is_materialized: true })).body.materialization).toMatchObject({
      enabled: true,
      hibernated: false,
      status: 'Running',
      saved_query_id: made.id,
    })
    await tenant.consume()
    expect(await made.status()).toMatchObject({ ready: true })
    await afterDays(30, made.versionId)
    expect((await tenant.patch(made.path, { is_materialized: false })).body.materialization).toMatchObject({
      enabled: false,
      hibernated: false,
    })
    expect(await made.row()).toBeUndefined()
  })

  it('does not materialize the next version', async () => {
    const made = await anEndpoint()
    await afterDays(30, made.versionId)
    expect(
      (await tenant.patch(made.path, { query: hogql('SELECT 2 AS two') })).body.materialization,
    ).toMatchObject({
      enabled: false,
      hibernated: false,
    })
  })

  it('stays inline when it cannot be built any more', async () => {
    const made = await anEndpoint()
    await afterDays(30, made.versionId)
    await made.run()
    await theMinute()
    await database()
      .update(endpointVersions)
      .set({
        query: { kind: 'HogQLQuery', query: 'SELECT 1 AS a, 1 AS a', variables: null, filters: null },
        compiled: null,
      })
      .where(eq(endpointVersions.id, made.versionId))
    await tenant.consume()
    expect(await made.status()).toMatchObject({ enabled: true, ready: false, status: 'Failed' })
    expect(await made.run()).toMatchObject({ status: 200, body: { results: [[1, 1]] } })
  })
})
