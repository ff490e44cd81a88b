import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { activityLog } from '../../../drizzle'
import { ORIGIN } from '../../support/harness'
import { createTenant, database, type Tenant } from '../../support/tenant'

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const activityOf = (tenant: Tenant, id: number | string, query = '') => `${tenant.flags(id)}activity/${query}`
const change = (action: string, field: string, before: unknown, after: unknown) => ({
  type: 'FeatureFlag',
  action,
  field,
  before,
  after,
})

describe('GET feature_flags/:id/activity', () => {
  it('lists changes of a flag, newest first', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout' })
    tenant.clock.advance({ minutes: 1 })
    const filters = { groups: [{ properties: [], rollout_percentage: 50 }] }
    const updated = await tenant.patch(tenant.flags(flag.id), {
      key: 'basket',
      name: 'Basket',
      filters,
      active: false,
      evaluation_runtime: 'server',
    })
    tenant.clock.advance({ minutes: 1 })
    await tenant.patch(tenant.flags(flag.id), { name: '', filters: { groups: [] } })
    tenant.clock.advance({ minutes: 1 })
    await tenant.patch(tenant.flags(flag.id), { deleted: true })
    tenant.clock.advance({ minutes: 1 })
    await tenant.patch(tenant.flags(flag.id), { deleted: false })

    const response = await tenant.get(activityOf(tenant, flag.id))
    expect(response.status).toBe(200)
    const cleared = { groups: [], aggregation_group_type_index: null }
    const entry = (activity: string, name: string, createdAt: string, changes: unknown[]) => ({
      id: UUID,
      user: { first_name: 'Ada', email: tenant.user.email },
      was_impersonated: false,
      activity,
      scope: 'FeatureFlag',
      item_id: String(flag.id),
      detail: {
        id: String(flag.id),
        changes,
        trigger: null,
        type: null,
        name,
        short_id: null,
        merge: null,
      },
      created_at: createdAt,
    })
    expect(response.body).toEqual({
      results: [
        entry('restored', 'basket', '2026-03-10T12:04:00Z', [
          change('changed', 'deleted', true, false),
          change('changed', 'version', 4, 5),
        ]),
        entry('deleted', 'basket', '2026-03-10T12:03:00Z', [
          change('changed', 'deleted', false, true),
          change('changed', 'version', 3, 4),
        ]),
        entry('updated', 'basket', '2026-03-10T12:02:00Z', [
          change('deleted', 'name', 'Basket', null),
          change('changed', 'filters', updated.body.filters, cleared),
          change('changed', 'version', 2, 3),
        ]),
        entry('updated', 'basket', '2026-03-10T12:01:00Z', [
          change('changed', 'key', 'checkout', 'basket'),
          change('created', 'name', null, 'Basket'),
          change('changed', 'filters', { groups: [] }, updated.body.filters),
          change('changed', 'active', true, false),
          change('changed', 'version', 1, 2),
          change('changed', 'evaluation_runtime', 'all', 'server'),
        ]),
        entry('created', 'checkout', '2026-03-10T12:00:00Z', []),
      ],
      next: null,
      previous: null,
      total_count: 5,
    })
  })

  it('gives evaluation contexts an entry of their own, right after a create too', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ evaluation_contexts: ['web', 'ios'] })
    await tenant.patch(tenant.flags(flag.id), { evaluation_contexts: ['web', 'android'] })
    const { results } = (await tenant.get(activityOf(tenant, flag.id))).body
    expect(
      results.map(({ activity, detail }: (typeof results)[number]) => [activity, detail.changes]),
    ).toEqual([
      ['updated', [change('changed', 'evaluation_contexts', ['ios', 'web'], ['android', 'web'])]],
      ['updated', [change('changed', 'version', 1, 2)]],
      ['updated', [change('changed', 'evaluation_contexts', [], ['ios', 'web'])]],
      ['created', []],
    ])
  })

  it('writes an entry for an update that changes nothing, and none for one that is rejected', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await tenant.patch(tenant.flags(flag.id), {})
    await tenant.patch(tenant.flags(flag.id), { archived: true })
    const { results } = (await tenant.get(activityOf(tenant, flag.id))).body
    expect(results).toMatchObject([
      { activity: 'updated', detail: { changes: [change('changed', 'version', 1, 2)] } },
      { activity: 'created' },
    ])
    expect(results).toHaveLength(2)
  })

  it('names the system where no user acted', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'scheduled' })
    const trigger = { job_type: 'scheduled_change', job_id: '7', payload: { scheduled_change_id: 7 } }
    const detail = { changes: [], trigger, type: null, name: 'scheduled', short_id: null }
    await database()
      .insert(activityLog)
      .values({
        id: '019cd79e-ffff-7000-8000-000000000000',
        projectId: tenant.projectId,
        activity: 'updated',
        scope: 'FeatureFlag',
        itemId: String(flag.id),
        detail,
        createdAt: '2026-03-10T12:00:01.250000Z',
      })
    const [entry] = (await tenant.get(activityOf(tenant, flag.id))).body.results
    expect(entry).toEqual({
      id: '019cd79e-ffff-7000-8000-000000000000',
      user: { first_name: 'System', email: null, is_system: true },
      was_impersonated: false,
      activity: 'updated',
      scope: 'FeatureFlag',
      item_id: String(flag.id),
      detail: { id: String(flag.id), ...detail, merge: null },
      created_at: '2026-03-10T12:00:01.250000Z',
    })
  })

  it('responds with 404 with no body for a flag that the project does not have', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const theirs = await other.flag()
    const none = ['999999999', '0', '-1', 'abc', '1.0', '9'.repeat(30)]
    for (const id of [theirs.id, ...none]) {
      expect(await tenant.get(tenant.flags(`${id}/activity`))).toMatchObject({ status: 404, body: null })
    }
  })
})

describe('GET feature_flags/:id/activity: pages', () => {
  async function flagWithEntries(tenant: Tenant, count: number) {
    const flag = await tenant.flag()
    for (let at = 1; at < count; at += 1) await tenant.patch(tenant.flags(flag.id), {})
    return flag.id
  }
  const versionsIn = ({ results }: { results: { detail: { changes: { after: unknown }[] } }[] }) =>
    results.map(({ detail }) => detail.changes[0]?.after ?? 1)

  it('has ten entries a page, and links the pages', async () => {
    const tenant = await createTenant()
    const id = await flagWithEntries(tenant, 12)
    const url = `${ORIGIN}${activityOf(tenant, id)}`
    const first = (await tenant.get(activityOf(tenant, id))).body
    expect(versionsIn(first)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    expect(first).toMatchObject({ next: `${url}?page=2&limit=10`, previous: null, total_count: 12 })
    const second = (await tenant.get(first.next)).body
    expect(versionsIn(second)).toEqual([2, 1])
    expect(second).toMatchObject({ next: null, previous: `${url}?page=1&limit=10`, total_count: 12 })
  })

  it('substitutes page and limit where the URL has them', async () => {
    const tenant = await createTenant()
    const id = await flagWithEntries(tenant, 3)
    const url = `${ORIGIN}${activityOf(tenant, id)}`
    const { body } = await tenant.get(activityOf(tenant, id, '?limit=1&format=json&page=2'))
    expect(versionsIn(body)).toEqual([2])
    expect(body).toMatchObject({
      next: `${url}?limit=1&format=json&page=3`,
      previous: `${url}?limit=1&format=json&page=1`,
    })
    const limited = (await tenant.get(activityOf(tenant, id, '?limit=2'))).body
    expect(limited.next).toBe(`${url}?limit=2&page=2`)
  })

  it('is empty past the end', async () => {
    const tenant = await createTenant()
    const id = await flagWithEntries(tenant, 1)
    const { body } = await tenant.get(activityOf(tenant, id, '?page=7'))
    const previous = `${ORIGIN}${activityOf(tenant, id, '?page=6&limit=10')}`
    expect(body).toEqual({ results: [], next: null, previous, total_count: 1 })
    for (const page of [1_000_001, 999_999_999_999_999]) {
      const before = `${ORIGIN}${activityOf(tenant, id, `?page=${page - 1}&limit=1000`)}`
      expect(await tenant.get(activityOf(tenant, id, `?page=${page}&limit=1000`))).toMatchObject({
        status: 200,
        body: { results: [], next: null, previous: before, total_count: 1 },
      })
    }
  })

  it('cuts a limit to 1,000, also in the links', async () => {
    const tenant = await createTenant()
    const id = await flagWithEntries(tenant, 1)
    const { body } = await tenant.get(activityOf(tenant, id, '?limit=5000&page=2'))
    expect(body.previous).toBe(`${ORIGIN}${activityOf(tenant, id, '?limit=1000&page=1')}`)
  })

  it.each([
    ['limit=0', 'limit', 'min_value', 'Ensure this value is greater than or equal to 1.'],
    ['limit=-1', 'limit', 'min_value', 'Ensure this value is greater than or equal to 1.'],
    ['page=0', 'page', 'min_value', 'Ensure this value is greater than or equal to 1.'],
    ['limit=ten', 'limit', 'invalid_input', 'A valid integer is required.'],
    ['page=1.5', 'page', 'invalid_input', 'A valid integer is required.'],
    ['page=', 'page', 'invalid_input', 'A valid integer is required.'],
    ['limit=0&page=0', 'limit', 'min_value', 'Ensure this value is greater than or equal to 1.'],
  ])('refuses %s', async (query, attr, code, detail) => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    for (const path of [activityOf(tenant, flag.id), tenant.flags('activity')]) {
      const response = await tenant.get(`${path}?${query}`)
      expect(response.status).toBe(400)
      expect(response.body).toEqual({ type: 'validation_error', code, detail, attr })
    }
  })
})

describe('GET feature_flags/activity', () => {
  it('lists changes of all flags of the project, deleted ones too', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await other.flag()
    const first = await tenant.flag({ key: 'first' })
    tenant.clock.advance({ seconds: 1 })
    const second = await tenant.flag({ key: 'second' })
    tenant.clock.advance({ seconds: 1 })
    await tenant.patch(tenant.flags(first.id), { deleted: true })

    const { status, body } = await tenant.get(tenant.flags('activity'))
    expect(status).toBe(200)
    expect(body).toMatchObject({ next: null, previous: null, total_count: 3 })
    expect(body.results.map((entry: Record<string, unknown>) => [entry.activity, entry.item_id])).toEqual([
      ['deleted', String(first.id)],
      ['created', String(second.id)],
      ['created', String(first.id)],
    ])
    const [deleted] = body.results
    expect((await tenant.get(activityOf(tenant, first.id))).body.results[0]).toEqual(deleted)
  })

  it('is empty for a project where nothing happened', async () => {
    const tenant = await createTenant()
    const response = await tenant.get(tenant.flags('activity'))
    expect(response.body).toEqual({ results: [], next: null, previous: null, total_count: 0 })
  })

  it('links its pages', async () => {
    const tenant = await createTenant()
    for (const key of ['a', 'b', 'c']) await tenant.flag({ key })
    const url = `${ORIGIN}${tenant.flags('activity')}`
    const { body } = await tenant.get(`${tenant.flags('activity')}?limit=1&page=2`)
    expect(body).toMatchObject({
      results: [{ detail: { name: 'b' } }],
      next: `${url}?limit=1&page=3`,
      previous: `${url}?limit=1&page=1`,
      total_count: 3,
    })
  })

  it('keeps entries of one instant in the order in which they were written', async () => {
    const tenant = await createTenant()
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const key of keys) await tenant.flag({ key })
    const rows = await database()
      .select()
      .from(activityLog)
      .where(eq(activityLog.projectId, tenant.projectId))
    expect(new Set(rows.map(({ createdAt }) => createdAt)).size).toBe(1)
    const { results } = (await tenant.get(tenant.flags('activity'))).body
    expect(results.map(({ detail }: (typeof results)[number]) => detail.name)).toEqual(keys.toReversed())
  })
})
