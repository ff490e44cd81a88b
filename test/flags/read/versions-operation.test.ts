import { and, eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activityLog } from '../../../drizzle'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { propertyRuns } from '../../support/property-runs'

const versionOf = (tenant: Tenant, id: number, version: number | string) =>
  tenant.get(`${tenant.flags(id)}versions/${version}/`)

const open = { groups: [{ properties: [], rollout_percentage: 100 }] }

describe('GET feature_flags/:id/versions/:version_number', () => {
  it('answers the flag as it was at every version', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout', name: 'Checkout', evaluation_runtime: null })
    const bodies = [
      { name: '', filters: open },
      { key: 'basket', active: false },
      {},
      { name: 'Basket', filters: { groups: [] }, ensure_experience_continuity: null },
      { archived: true, last_called_at: '2026-03-01T10:00:00.5Z', rollback_conditions: [{ threshold: 1 }] },
      { deleted: true },
      { deleted: false, bucketing_identifier: 'device_id', performed_rollback: true },
      { tags: ['a'], evaluation_contexts: ['web'] },
      { rollback_conditions: null, evaluation_runtime: 'server', has_enriched_analytics: true },
    ]
    const states = [flag]
    for (const body of bodies) {
      tenant.clock.advance({ minutes: 1 })
      const response = await tenant.patch(tenant.flags(flag.id), body)
      expect(response.status).toBe(200)
      states.push(response.body)
    }

    for (const [at, state] of states.entries()) {
      const response = await versionOf(tenant, flag.id, at + 1)
      expect(response.status).toBe(200)
      expect(response.body).toEqual({
        id: flag.id,
        key: state.key,
        name: state.name,
        filters: state.filters,
        active: state.active,
        deleted: state.deleted,
        version: at + 1,
        rollback_conditions: state.rollback_conditions,
        performed_rollback: state.performed_rollback,
        ensure_experience_continuity: state.ensure_experience_continuity,
        has_enriched_analytics: state.has_enriched_analytics,
        is_remote_configuration: false,
        has_encrypted_payloads: false,
        evaluation_runtime: state.evaluation_runtime,
        bucketing_identifier: state.bucketing_identifier,
        last_called_at: state.last_called_at,
        created_at: '2026-03-10T12:00:00Z',
        created_by: tenant.user.id,
        is_historical: at + 1 < states.length,
        version_timestamp: state.updated_at,
        modified_by: tenant.user.id,
      })
    }
  })

  it('answers every version, and the log keeps its order, however clocks step', async () => {
    const tenant = await createTenant()
    let lastFlag = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 2, maxLength: 6 }),
        async (steps) => {
          const flag = await tenant.flag({ key: `stepping-${(lastFlag += 1)}`, name: 'version 1' })
          for (const [index, milliseconds] of steps.entries()) {
            tenant.clock.advance({ milliseconds })
            const name = `version ${index + 2}`
            expect((await tenant.patch(tenant.flags(flag.id), { name })).status).toBe(200)
          }
          const versions = [flag, ...steps].map((_, index) => index + 1)
          const names = await Promise.all(
            versions.map(async (version) => (await versionOf(tenant, flag.id, version)).body.name),
          )
          expect(names).toEqual(versions.map((version) => `version ${version}`))
          const { results } = (await tenant.get(`${tenant.flags(flag.id)}activity/`)).body
          expect(results).toHaveLength(versions.length)
          const after = results.flatMap(
            ({ detail }: { detail: { changes: { field: string; after: unknown }[] } }) =>
              detail.changes.filter(({ field }) => field === 'version').map((change) => change.after),
          )
          expect(after).toEqual(versions.slice(1).toReversed())
        },
      ),
      { numRuns: propertyRuns(6, 15) },
    )
  })

  it('names who made each version', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await tenant.patch(tenant.flags(flag.id), { name: 'a' })
    await tenant.patch(tenant.flags(flag.id), { name: 'b' })
    await database()
      .update(activityLog)
      .set({ userId: null })
      .where(eq(activityLog.itemId, String(flag.id)))
    expect((await versionOf(tenant, flag.id, 1)).body.modified_by).toBe(tenant.user.id)
    expect((await versionOf(tenant, flag.id, 2)).body.modified_by).toBe(null)
    expect((await versionOf(tenant, flag.id, 3)).body.modified_by).toBe(tenant.user.id)
  })

  it('leaves out what reads add to filters for display', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ filters: open })
    const { body } = await versionOf(tenant, flag.id, 1)
    expect(body.filters).toEqual(flag.filters)
    expect(body).not.toHaveProperty('archived')
  })

  it.each([0, 3, 100, 2_147_483_648])(
    'responds with 404 with no body for version %s of 2',
    async (version) => {
      const tenant = await createTenant()
      const flag = await tenant.flag()
      await tenant.patch(tenant.flags(flag.id), {})
      expect(await versionOf(tenant, flag.id, version)).toMatchObject({ status: 404, body: null })
    },
  )

  it.each(['x', '-1', '1.0', '1e0', '0x1'])(
    'answers 404 with no body for version %s, or flag',
    async (none) => {
      const tenant = await createTenant()
      const flag = await tenant.flag()
      expect(await versionOf(tenant, flag.id, none)).toMatchObject({ status: 404, body: null })
      expect(await tenant.get(tenant.flags(`${none}/versions/1`))).toMatchObject({ status: 404, body: null })
    },
  )

  it('responds with 404 with no body for a flag that the project does not have', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const theirs = await other.flag()
    for (const id of [theirs.id, 999_999_999])
      expect(await versionOf(tenant, id, 1)).toMatchObject({ status: 404, body: null })
  })

  it.each([
    ['a remote configuration', { is_remote_configuration: true }],
    [
      'encrypted payloads',
      {
        is_remote_configuration: true,
        has_encrypted_payloads: true,
        filters: { ...open, payloads: { true: '1' } },
      },
    ],
  ])('answers 400 with no body for %s', async (_, body) => {
    const tenant = await createTenant()
    const flag = await tenant.flag(body)
    expect(await versionOf(tenant, flag.id, 1)).toMatchObject({ status: 400, body: null })
  })

  it('responds with 400 with no body for a version that kept its payloads encrypted', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { ...open, payloads: { true: '"secret"' } },
    })
    const plain = { is_remote_configuration: false, has_encrypted_payloads: false }
    expect((await tenant.patch(tenant.flags(flag.id), plain)).status).toBe(200)
    expect(await versionOf(tenant, flag.id, 1)).toMatchObject({ status: 400, body: null })
    expect((await versionOf(tenant, flag.id, 2)).status).toBe(200)
  })

  it('responds with 422 with no body past a gap in the log, and 200 before it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    for (const name of ['b', 'c', 'd', 'e']) {
      tenant.clock.advance({ seconds: 1 })
      await tenant.patch(tenant.flags(flag.id), { name })
    }
    await database()
      .delete(activityLog)
      .where(
        and(
          eq(activityLog.itemId, String(flag.id)),
          // The entry that made version 3.
          eq(activityLog.createdAt, '2026-03-10T12:00:02.000000Z'),
        ),
      )
    const statuses = []
    for (const version of [5, 4, 3, 2, 1]) statuses.push((await versionOf(tenant, flag.id, version)).status)
    expect(statuses).toEqual([200, 200, 422, 422, 422])
    expect((await versionOf(tenant, flag.id, 2)).body).toBe(null)
  })

  it('responds with 422 where the oldest changes are gone', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await tenant.patch(tenant.flags(flag.id), { name: 'b' })
    await database()
      .delete(activityLog)
      .where(eq(activityLog.itemId, String(flag.id)))
    expect((await versionOf(tenant, flag.id, 2)).status).toBe(200)
    expect(await versionOf(tenant, flag.id, 1)).toMatchObject({ status: 422, body: null })
  })

  it('passes over entries that changed no version', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ name: 'a' })
    await tenant.patch(tenant.flags(flag.id), { name: 'b', evaluation_contexts: ['web'] })
    await tenant.patch(tenant.flags(flag.id), { name: 'c', evaluation_contexts: ['ios'] })
    const names = []
    for (const version of [1, 2, 3]) names.push((await versionOf(tenant, flag.id, version)).body.name)
    expect(names).toEqual(['a', 'b', 'c'])
  })
})
