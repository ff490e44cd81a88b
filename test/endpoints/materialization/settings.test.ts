// What creates and updates do to materializations (docs/reference/endpoints.md#updates-versions-and-deletion), and what
// `materialization_status` answers (docs/reference/endpoints.md#life-cycle-of-materialized-rows).
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { activityLog, endpointVersions } from '../../../drizzle'
import { event, sendEach } from '../../support/capture'
import { hogql } from '../../support/endpoints/endpoints'
import {
  createMaterializingTenant,
  materializationRow,
  type MaterializingTenant,
} from '../../support/endpoints/materialization'
import {
  BEGUN,
  configuredEndpoint,
  ENABLED,
  FIRST,
  NONE,
  SECOND,
} from '../../support/endpoints/materialization-settings'
import { database } from '../../support/tenant'

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await createMaterializingTenant()
  await sendEach(tenant, [event('a')])
})

/** Two columns of one name: no table can tell which is which. */
const INELIGIBLE = 'SELECT 1 AS a, 1 AS a'
const REASON =
  'Cannot materialize endpoint. Reason: Several columns have the same name: give each an alias of its own'

/** What was enabled and disabled, oldest first. */
async function activities(): Promise<string[]> {
  const rows = await database()
    .select()
    .from(activityLog)
    .where(and(eq(activityLog.projectId, tenant.projectId), eq(activityLog.scope, 'DataWarehouseSavedQuery')))
    .orderBy(activityLog.createdAt, activityLog.id)
  return rows.map(({ activity, detail, userId }) => {
    expect(userId).toBe(tenant.user.id)
    return `${activity} ${detail.name.replace(/^.*_v/, 'v')} ${detail.context?.version}`
  })
}

describe('creating', () => {
  it('logs that a materialization was enabled, with the endpoint', async () => {
    const { id, name } = await configuredEndpoint(tenant)
    expect(await activities()).toEqual(['materialization_enabled v1 1'])
    const rows = await database()
      .select()
      .from(activityLog)
      .where(eq(activityLog.projectId, tenant.projectId))
      .orderBy(activityLog.id)
    expect(rows.map(({ scope, itemId }) => [scope, itemId === id])).toEqual([
      ['Endpoint', true],
      ['DataWarehouseSavedQuery', false],
    ])
    expect(rows[1]!.detail.name).toBe(`${name}_v1`)
  })

  it('writes nothing when it fails, and the name can be used', async () => {
    const body = { name: 'mine', query: hogql(INELIGIBLE), is_materialized: true }
    const refused = await tenant.post(tenant.endpoints(), body)
    expect(refused).toMatchObject({ status: 400, body: { detail: REASON, attr: null } })
    expect(await tenant.get(tenant.endpoints('mine'))).toMatchObject({ status: 404 })
    expect(await tenant.post(tenant.endpoints(), { ...body, query: hogql(FIRST) })).toMatchObject({
      status: 201,
    })
  })

  it('reports whether a query could be materialized, without a request for it', async () => {
    const of = async (query: string) => (await tenant.endpoint({ query: hogql(query) })).materialization
    expect(await of(FIRST)).toMatchObject(NONE)
    expect(await of(INELIGIBLE)).toMatchObject({ can_materialize: false, reason: /^Several columns/ })
  })
})

describe('updating', () => {
  it('enables and disables a version', async () => {
    const { update, status } = await configuredEndpoint(tenant, { is_materialized: false })
    expect(tenant.waiting).toEqual([])
    expect(await update({ is_materialized: true })).toMatchObject({
      status: 200,
      is_materialized: false,
      materialization: BEGUN,
    })
    expect(tenant.waiting).toHaveLength(1)
    await tenant.consume()
    expect(await status(1)).toMatchObject(ENABLED)
    // Once more is no change.
    expect(await update({ is_materialized: true })).toMatchObject({ materialization: ENABLED })
    expect(tenant.waiting).toEqual([])
    expect(await update({ is_materialized: false })).toMatchObject({
      is_materialized: false,
      materialization: NONE,
    })
    expect(await update({ is_materialized: false })).toMatchObject({ status: 200, materialization: NONE })
    expect(await activities()).toEqual(['materialization_enabled v1 1', 'materialization_disabled v1 1'])
  })

  it('checks again whether a version can be materialized when its buckets change', async () => {
    await tenant.variable({ name: 'min' })
    const { update, status } = await configuredEndpoint(tenant, {
      query: hogql('SELECT count() FROM events WHERE event >= {variables.min}'),
      is_materialized: false,
    })
    expect(await status(1)).toMatchObject({ can_materialize: true, reason: null })
    const buckets = { bucket_overrides: { event: 'hour' } }
    expect(await update(buckets)).toMatchObject({ status: 200 })
    expect(await status(1)).toMatchObject({
      can_materialize: false,
      reason: expect.stringContaining('toStartOfHour'),
    })
    expect(await update({ bucket_overrides: null, is_materialized: true })).toMatchObject({ status: 200 })
    expect(await status(1)).toMatchObject({ enabled: true, can_materialize: true })
    // A materialization that could not be built again stays as it is.
    expect(await update(buckets)).toMatchObject({
      status: 400,
      detail: expect.stringContaining('Cannot materialize endpoint. Reason: '),
    })
  })

  it('rejects what cannot be, before anything is written', async () => {
    const { update, version } = await configuredEndpoint(tenant, { is_materialized: false })
    expect(
      await update({ is_materialized: true, query: hogql(INELIGIBLE), description: 'new' }),
    ).toMatchObject({
      status: 400,
      detail: REASON,
      attr: null,
    })
    expect(await version(1)).toMatchObject({ current_version: 1, description: '' })
    expect(await update({ is_active: false })).toMatchObject({ status: 200 })
    const INACTIVE = {
      status: 400,
      attr: 'is_materialized',
      detail: 'Cannot enable materialization on inactive endpoint.',
    }
    expect(await update({ is_materialized: true })).toMatchObject(INACTIVE)
    expect(await update({ is_materialized: true, is_active: false })).toMatchObject(INACTIVE)
    expect(await update({ is_materialized: true, is_active: true })).toMatchObject({
      status: 200,
      materialization: BEGUN,
    })
  })

  it('materializes a new version like the one before it, which keeps its rows', async () => {
    const made = await configuredEndpoint(tenant, { bucket_overrides: { timestamp: 'hour' } })
    const updated = await made.update({ query: hogql(SECOND) })
    expect(updated).toMatchObject({
      status: 200,
      current_version: 2,
      bucket_overrides: { timestamp: 'hour' },
      materialization: BEGUN,
    })
    expect(updated).not.toHaveProperty('materialization_error')
    await tenant.consume()
    for (const version of [1, 2]) expect(await made.status(version)).toMatchObject(ENABLED)
    const run = async (version: number) => (await tenant.post(`${made.path}run/`, { version })).body
    expect(await run(1)).toMatchObject({ columns: ['n'], endpoint_materialized: true })
    expect(await run(2)).toMatchObject({ columns: ['m'], endpoint_materialized: true })
    expect(await activities()).toEqual(['materialization_enabled v1 1', 'materialization_enabled v2 2'])
  })

  it('creates the new version also when it cannot be materialized, and reports it', async () => {
    const made = await configuredEndpoint(tenant)
    expect(await made.update({ query: hogql(INELIGIBLE) })).toMatchObject({
      status: 200,
      current_version: 2,
      is_materialized: false,
      materialization: { enabled: false, can_materialize: false },
      materialization_error: REASON,
    })
    expect(await made.status(1)).toMatchObject(ENABLED)
    // From then on nothing is inherited.
    const third = await made.update({ query: hogql(SECOND) })
    expect(third).toMatchObject({ current_version: 3, materialization: NONE })
    expect(third).not.toHaveProperty('materialization_error')
  })

  it('makes a new version without, where that is asked for', async () => {
    const made = await configuredEndpoint(tenant, { bucket_overrides: { timestamp: 'hour' } })
    expect(await made.update({ query: hogql(SECOND), is_materialized: false })).toMatchObject({
      current_version: 2,
      bucket_overrides: null,
      materialization: NONE,
    })
    expect(await made.status(1)).toMatchObject(ENABLED)
  })

  it('materializes and dematerializes the named version', async () => {
    const made = await configuredEndpoint(tenant, { is_materialized: false })
    await made.update({ query: hogql(SECOND) })
    expect(await made.update({ is_materialized: true, version: 1 })).toMatchObject({
      version: 1,
      materialization: BEGUN,
    })
    await tenant.consume()
    expect([await made.status(1), await made.status(2)]).toMatchObject([ENABLED, NONE])
    await made.update({ is_materialized: true })
    await tenant.consume()
    expect(await made.update({ is_active: false }, '?version=1')).toMatchObject({
      version: 1,
      is_active: false,
    })
    expect([await made.status(1), await made.status(2)]).toMatchObject([NONE, ENABLED])
    expect(await made.update({ is_materialized: true }, '?version=1')).toMatchObject({
      status: 400,
      detail: 'Cannot enable materialization on inactive version.',
    })
    expect(await made.update({ is_materialized: true, is_active: true }, '?version=1')).toMatchObject({
      status: 200,
      materialization: BEGUN,
    })
    expect(await made.update({ is_materialized: true, is_active: false }, '?version=1')).toMatchObject({
      status: 200,
      materialization: NONE,
    })
  })

  it('builds at another freshness from then on', async () => {
    const made = await configuredEndpoint(tenant)
    const next = async () => (await materializationRow(made.current_version_id))?.nextBuildAt
    expect(await next()).toBe('2026-03-11T11:58:30.000000Z')
    await made.update({ data_freshness_seconds: 3600 })
    expect(await next()).toBe('2026-03-10T12:58:30.000000Z')
    await made.update({ description: 'other' })
    expect(await next()).toBe('2026-03-10T12:58:30.000000Z')
    expect(tenant.waiting).toEqual([])
  })

  it('builds immediately for other buckets, and keeps omitted ones', async () => {
    const made = await configuredEndpoint(tenant)
    expect(await made.update({ bucket_overrides: { timestamp: 'week' } })).toMatchObject({
      is_materialized: true,
      materialization: { enabled: true, ready: true, status: 'Modified' },
    })
    expect(tenant.waiting).toHaveLength(1)
    await tenant.consume()
    expect(await made.update({ is_materialized: true })).toMatchObject({
      bucket_overrides: { timestamp: 'week' },
      materialization: ENABLED,
    })
    expect(tenant.waiting).toEqual([])
    expect(await made.update({ bucket_overrides: null })).toMatchObject({ bucket_overrides: null })
    expect(tenant.waiting).toHaveLength(1)
  })

  it('detaches all versions of a deleted endpoint', async () => {
    const made = await configuredEndpoint(tenant)
    await made.update({ query: hogql(SECOND) })
    await tenant.consume()
    expect(await made.update({ is_active: false })).toMatchObject({
      is_materialized: false,
      materialization: NONE,
    })
    expect([await made.status(1), await made.status(2)]).toMatchObject([NONE, NONE])
    expect(await made.update({ is_active: true })).toMatchObject({ materialization: NONE })
    expect(await activities()).toEqual([
      'materialization_enabled v1 1',
      'materialization_enabled v2 2',
      'materialization_disabled v1 1',
      'materialization_disabled v2 2',
    ])
  })
})

describe('materialization_status', () => {
  it('responds in both forms of the path, and with 404 for unknown names', async () => {
    const { name } = await configuredEndpoint(tenant)
    for (const form of ['projects', 'environments']) {
      const path = `/api/${form}/${tenant.projectId}/endpoints/${name}/materialization_status`
      for (const slash of ['', '/']) {
        expect(await tenant.get(path + slash)).toMatchObject({ status: 200, body: { name, ...ENABLED } })
      }
      expect(await tenant.get(`${path}/?version=7`)).toMatchObject({
        status: 404,
        body: { error: 'Version 7 not found' },
      })
      expect(await tenant.get(`${path}/?version=x`)).toMatchObject({ status: 400, body: { attr: 'version' } })
    }
    expect(await tenant.get(tenant.endpoints('nothing/materialization_status'))).toMatchObject({
      status: 404,
    })
  })

  it('checks a query again after a compiler change, and keeps what came of it', async () => {
    const made = await configuredEndpoint(tenant, { is_materialized: false })
    const set = (eligibility: { compiler: number; reason: string } | null) =>
      database()
        .update(endpointVersions)
        .set({ eligibility })
        .where(eq(endpointVersions.id, made.current_version_id))
    for (const outdated of [null, { compiler: 0, reason: 'Not in those days.' }]) {
      await set(outdated)
      expect((await made.version(1)).materialization).toMatchObject({ can_materialize: false })
      expect(await made.status(1)).toMatchObject(NONE)
      expect((await made.version(1)).materialization).toMatchObject(NONE)
    }
  })
})
