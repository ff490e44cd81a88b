// Materializations that nobody uses sleep, and wake when somebody does (docs/reference/endpoints.md#life-cycle-of-materialized-rows).
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { activityLog, endpointMaterializations, endpointVersions } from '../../../drizzle'
import { createIds } from '../../../src/clock'
import { hibernateUnused } from '../../../src/endpoints/materialization/hibernate'
import { toStoredTimestamp } from '../../../src/timestamps'
import { hogql } from '../../support/endpoints/endpoints'
import {
  createMaterializingTenant,
  materializationRow,
  materializedTables,
  type MaterializingTenant,
} from '../../support/endpoints/materialization'
import { signIn } from '../../support/session'
import { database } from '../../support/tenant'

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

const faults: string[] = []

/** What the daily trigger does. Returns how many versions were hibernated. */
const theDay = () =>
  hibernateUnused(
    {
      db: database(),
      ids: createIds(),
      log: ({ message, ...line }) => faults.push(`${message}: ${'error' in line ? String(line.error) : ''}`),
    },
    tenant.clock.now(),
  )

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
    expect(await logged()).toEqual([
      ['materialization_enabled', 'user'],
      ['materialization_disabled', 'system'],
    ])
    // It hibernates once.
    expect(await theDay()).toBe(0)
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

  it('hibernates soon when a newer version exists and it never ran, and not before it is thirty days old', async () => {
    const made = await anEndpoint()
    await database()
      .update(endpointVersions)
      .set({ createdAt: '2026-04-01T00:00:00.000000Z' })
      .where(eq(endpointVersions.id, made.versionId))
    // As young as this version is, it stays as long as it is the current one.
    expect(await afterDays(30, made.versionId)).toBe(false)
    await tenant.patch(made.path, { query: hogql('SELECT 2 AS two'), is_materialized: false })
    expect(await afterDays(1, made.versionId)).toBe(true)
  })

  it('stays as it is when it is not built: nothing is saved', async () => {
    const made = await anEndpoint()
    tenant.clock.advance({ days: 40 })
    expect(await theDay()).toBe(0)
    expect(await made.status()).toMatchObject({ enabled: true, ready: true, hibernated: false })
  })
})

describe('a materialization that cannot be hibernated', () => {
  it('does not stop the others, and is logged', async () => {
    const made = [await anEndpoint(), await anEndpoint(), await anEndpoint()]
    const broken = made[1]!
    // An id that no table can have been named by.
    await database()
      .update(endpointMaterializations)
      .set({ id: 'broken' })
      .where(eq(endpointMaterializations.versionId, broken.versionId))
    tenant.clock.advance({ days: 30 })
    for (const { versionId } of [made[0]!, made[2]!]) {
      await tenant.consume({ messages: [{ projectId: tenant.projectId, versionId }] })
    }
    await database()
      .update(endpointMaterializations)
      .set({ lastRunAt: toStoredTimestamp(tenant.clock.now()) })
      .where(eq(endpointMaterializations.versionId, broken.versionId))
    expect(await theDay()).toBe(2)
    expect(await Promise.all(made.map(async ({ row }) => (await row())!.hibernatedAt !== null))).toEqual([
      true,
      false,
      true,
    ])
    expect(faults.splice(0)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^materialization of version ${broken.versionId} was not hibernated: .*no name for a table: broken 1`,
        ),
      ),
    ])
    await database()
      .delete(endpointMaterializations)
      .where(eq(endpointMaterializations.versionId, broken.versionId))
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
    expect(await logged()).toEqual([
      ['materialization_enabled', 'user'],
      ['materialization_disabled', 'system'],
      ['materialization_enabled', 'system'],
    ])
  })

  it('stays hibernated when a session runs it', async () => {
    const made = await anEndpoint()
    await afterDays(30, made.versionId)
    const { status } = await (await signIn(tenant)).post(`${made.path}run/`)
    expect(status).toBe(200)
    expect(await made.status()).toMatchObject({ hibernated: true })
    expect(tenant.waiting).toEqual([])
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
