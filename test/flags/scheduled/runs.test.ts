// What happens when scheduled changes are due.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { memberships, scheduledChanges } from '../../../drizzle'
import { unavailable } from '../../../src/errors'
import { MAX_CRASHES, runAllDue, runDueChanges } from '../../../src/flags/scheduled/run-changes'
import { createProjectObjects } from '../../../src/project/project-client'
import { createMeter } from '../../../src/storage/metered-d1'
import { joinOrganization } from '../../support/database/account-rows'
import { manyFlags } from '../../support/database/rows'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'
import { updateUser } from '../../support/user'
import { emptyStorage } from '../../support/databases'

beforeAll(emptyStorage)

type Json = Record<string, unknown>

const AT = '2099-04-03T07:00:00Z'
const DUE = '2020-01-01T00:00:00.000000Z'
const objects = createProjectObjects(env.PROJECTS, createMeter())
const path = ({ projectId }: Tenant, rest: string | number = '') =>
  `/api/projects/${projectId}/scheduled_changes/${rest}${rest === '' ? '' : '/'}`

async function schedule(tenant: Tenant, flagId: number, operation: string, value: unknown, more: Json = {}) {
  const response = await tenant.post(path(tenant), {
    record_id: flagId,
    model_name: 'FeatureFlag',
    payload: { operation, value },
    scheduled_at: AT,
    ...more,
  })
  expect(response).toMatchObject({ status: 201 })
  return response.body
}

const changeOf = async (tenant: Tenant, id: number) => (await tenant.get(path(tenant, id))).body
const flagOf = async (tenant: Tenant, id: number) => (await tenant.get(tenant.flags(id))).body

/** Runs what is due, with the writes of the project object. */
const run = ({ projectId }: Tenant, at = AT, write: (typeof objects)['writeFlag'] = objects.writeFlag) =>
  runDueChanges({ db: database(), write, log: () => {} }, projectId, new Date(at))

describe('a scheduled change that is due', () => {
  it('updates its flag once, in the name of who scheduled it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ active: false })
    const change = await schedule(tenant, flag.id, 'update_status', true)
    await run(tenant, '2099-04-03T06:59:59Z')
    expect((await flagOf(tenant, flag.id)).active).toBe(false)

    await run(tenant)
    await run(tenant)
    expect(await flagOf(tenant, flag.id)).toMatchObject({
      active: true,
      version: 2,
      last_modified_by: { id: tenant.user.id },
    })
    expect(await changeOf(tenant, change.id)).toEqual({ ...change, executed_at: AT, last_executed_at: AT })
    const { body: activity } = await tenant.get(tenant.flags(`${flag.id}/activity`))
    expect(activity.results[0]).toMatchObject({
      user: { first_name: 'Ada', email: tenant.user.email },
      activity: 'updated',
      detail: {
        trigger: {
          job_type: 'scheduled_change',
          job_id: String(change.id),
          payload: { scheduled_change_id: change.id },
        },
      },
    })
    expect(await tenant.patch(path(tenant, change.id), { scheduled_at: '2100-01-01' })).toMatchObject({
      status: 400,
      body: { detail: 'Cannot modify a scheduled change that has already executed. Schedule a new one.' },
    })
  })

  it.each([
    ['a viewer', (tenant: Tenant) => setLevel(tenant, 0)],
    [
      'no member any more',
      ({ user }: Tenant) => database().delete(memberships).where(eq(memberships.userId, user.id)),
    ],
    ['deactivated', (tenant: Tenant) => updateUser(tenant, { isActive: false })],
  ])('fails when its author is %s, until a member saves it again', async (_, lower) => {
    const [owner, author] = [await createTenant({ level: 15 }), await createTenant()]
    await joinOrganization(author, owner.organizationId)
    const flag = await owner.flag({ active: false })
    const daily = { is_recurring: true, recurrence_interval: 'daily' }
    const { id } = (
      await author.post(path(owner), {
        record_id: flag.id,
        model_name: 'FeatureFlag',
        payload: { operation: 'update_status', value: true },
        scheduled_at: AT,
        ...daily,
      })
    ).body
    await lower(author)
    await run(owner)
    expect((await flagOf(owner, flag.id)).active).toBe(false)
    expect(await changeOf(owner, id)).toMatchObject({
      scheduled_at: '2099-04-04T07:00:00Z',
      failure_reason:
        'Who scheduled it, or last changed it, may no longer change flags. A member who saves it again becomes its author.',
    })
    expect((await owner.patch(path(owner, id), { scheduled_at: AT })).status).toBe(200)
    await run(owner)
    expect((await flagOf(owner, flag.id)).active).toBe(true)
  })

  it('is made on the flag as it is then', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ filters: { groups: [{ properties: [], rollout_percentage: 10 }] } })
    const sets = (...shares: number[]) => shares.map((each) => ({ properties: [], rollout_percentage: each }))
    await schedule(tenant, flag.id, 'add_release_condition', { groups: sets(30), multivariate: null })
    const variants = [
      { key: 'a', rollout_percentage: 50 },
      { key: 'b', rollout_percentage: 50 },
    ]
    await schedule(tenant, flag.id, 'update_variants', { variants, payloads: { a: { hue: 1 } } })
    await tenant.patch(tenant.flags(flag.id), { filters: { groups: sets(20) } })
    await run(tenant)
    const { filters, version } = await flagOf(tenant, flag.id)
    expect(version).toBe(4)
    expect(filters.groups.map((set: Json) => set.rollout_percentage)).toEqual([20, 30])
    expect(filters.multivariate).toEqual({ variants })
    expect(filters.payloads).toEqual({ a: '{"hue":1}' })
  })

  it('keeps encrypted payloads when it adds a condition', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [], payloads: { true: '"secret"' } },
    })
    const change = await schedule(tenant, flag.id, 'add_release_condition', {
      groups: [{ properties: [], rollout_percentage: 100 }],
    })
    await run(tenant)
    expect(await changeOf(tenant, change.id)).toMatchObject({ failure_reason: null })
    expect((await flagOf(tenant, flag.id)).filters).toMatchObject({
      groups: [{}, {}],
      payloads: { true: '"secret"' },
    })
  })

  it('runs again at its interval, until its end', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ active: false })
    const { id } = await schedule(tenant, flag.id, 'update_status', true, {
      is_recurring: true,
      recurrence_interval: 'monthly',
      scheduled_at: '2099-01-31T07:00:00Z',
      end_date: '2099-03-01',
    })
    await run(tenant, '2099-01-31T07:00:02Z')
    expect(await changeOf(tenant, id)).toMatchObject({
      executed_at: null,
      last_executed_at: '2099-01-31T07:00:02Z',
      scheduled_at: '2099-02-28T07:00:00Z',
    })
    await tenant.patch(tenant.flags(flag.id), { active: false })
    await run(tenant, '2099-02-28T07:00:00Z')
    expect((await flagOf(tenant, flag.id)).active).toBe(true)
    expect(await changeOf(tenant, id)).toMatchObject({
      executed_at: '2099-02-28T07:00:00Z',
      scheduled_at: '2099-02-28T07:00:00Z',
    })
  })

  it('records why the flag rejects it, and is not retried', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base' })
    await tenant.flag({
      key: 'above',
      filters: {
        groups: [
          {
            properties: [{ key: String(base.id), type: 'flag', operator: 'flag_evaluates_to', value: true }],
            rollout_percentage: 100,
          },
        ],
      },
    })
    const change = await schedule(tenant, base.id, 'update_status', false)
    await run(tenant)
    expect(await changeOf(tenant, change.id)).toEqual({
      ...change,
      executed_at: AT,
      failure_reason: expect.stringMatching(
        /^Cannot disable this feature flag because other flags depend on it/,
      ),
    })
    expect((await flagOf(tenant, base.id)).version).toBe(1)
  })

  it('does nothing to a flag that was deleted, even by a bulk delete', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const change = await schedule(tenant, flag.id, 'update_status', false, {
      is_recurring: true,
      recurrence_interval: 'daily',
    })
    await tenant.post(tenant.flags('bulk_delete'), { ids: [flag.id] })
    await run(tenant)
    expect(await changeOf(tenant, change.id)).toEqual({
      ...change,
      executed_at: AT,
      failure_reason: 'The flag is deleted.',
    })
  })

  it('is planned again when the flag changes before it runs, and not made after a cancellation', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ filters: { groups: [{ properties: [], rollout_percentage: 10 }] } })
    await schedule(tenant, flag.id, 'add_release_condition', {
      groups: [{ properties: [], rollout_percentage: 30 }],
    })
    let writes = 0
    await run(tenant, AT, async (write) => {
      if ((writes += 1) === 1)
        await tenant.patch(tenant.flags(flag.id), {
          filters: { groups: [{ properties: [], rollout_percentage: 20 }] },
        })
      return objects.writeFlag(write)
    })
    const { filters } = await flagOf(tenant, flag.id)
    expect([writes, filters.groups.map((set: Json) => set.rollout_percentage)]).toEqual([2, [20, 30]])

    const canceled = await schedule(tenant, flag.id, 'update_status', false)
    await run(tenant, AT, async (write) => {
      await tenant.delete(path(tenant, canceled.id))
      return objects.writeFlag(write)
    })
    expect((await flagOf(tenant, flag.id)).active).toBe(true)
  })

  it('is made as it is after a concurrent update', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ active: false })
    const { id } = await schedule(tenant, flag.id, 'update_status', true)
    tenant.clock.advance({ seconds: 1 })
    let writes = 0
    await run(tenant, AT, async (write) => {
      const payload = { operation: 'update_status', value: false }
      if ((writes += 1) === 1) await tenant.patch(path(tenant, id), { payload })
      return objects.writeFlag(write)
    })
    expect(writes).toBe(2)
    expect((await flagOf(tenant, flag.id)).active).toBe(false)
  })

  it('is given up after crashes, which do not stop the next change', async () => {
    const tenant = await createTenant()
    const [flag, other] = [await tenant.flag(), await tenant.flag()]
    const change = await schedule(tenant, flag.id, 'update_status', false)
    await schedule(tenant, other.id, 'update_status', false)
    const crashing: typeof objects.writeFlag = (write) =>
      'id' in write && write.id === flag.id ? Promise.reject(unavailable()) : objects.writeFlag(write)
    await run(tenant, AT, crashing)
    expect((await flagOf(tenant, other.id)).active).toBe(false)
    expect((await changeOf(tenant, change.id)).executed_at).toBeNull()

    const isChange = eq(scheduledChanges.id, change.id)
    await database()
      .update(scheduledChanges)
      .set({ crashes: MAX_CRASHES - 1 })
      .where(isChange)
    await run(tenant, AT, crashing)
    // Ten crashes take ten minutes, or the service may just have failed for a moment.
    expect((await changeOf(tenant, change.id)).executed_at).toBeNull()
    await run(tenant, '2099-04-03T07:10:00Z', crashing)
    expect(await changeOf(tenant, change.id)).toMatchObject({
      executed_at: '2099-04-03T07:10:00Z',
      failure_reason: 'The service failed to make the change.',
    })
  })
})

describe("the minute's trigger", () => {
  it('runs everything that is due', async () => {
    const tenant = await createTenant()
    await manyFlags(tenant, 60)
    await env.DB.prepare(
      `INSERT INTO scheduled_changes (project_id, flag_id, payload, is_recurring, last_modified_by_id,
          scheduled_at, first_at, due_at, created_at, updated_at)
        SELECT project_id, id, '{"operation":"update_status","value":false}', 0, ?3, ?1, ?1, ?1, ?1, ?1 FROM feature_flags WHERE project_id = ?2`,
    )
      .bind(DUE, tenant.projectId, tenant.user.id)
      .run()
    const flag = await tenant.flag()
    const { id: later } = await schedule(tenant, flag.id, 'update_status', false)

    await runAllDue(database(), objects, new Date('2020-01-01T00:00:30Z'))
    expect((await tenant.get(`${tenant.flags()}?active=true`)).body.results).toMatchObject([{ id: flag.id }])
    expect((await changeOf(tenant, later)).executed_at).toBeNull()
    expect((await tenant.get(`${path(tenant)}?limit=1`)).body.results).toMatchObject([{ id: later }])
  })

  it('runs what is due in other projects when one object fails', async () => {
    const [tenant, failing] = [await createTenant(), await createTenant()]
    for (const each of [failing, tenant]) {
      const { id } = await schedule(each, (await each.flag()).id, 'update_status', false)
      await database()
        .update(scheduledChanges)
        .set({ dueAt: DUE, scheduledAt: DUE })
        .where(eq(scheduledChanges.id, id))
    }
    const runScheduledChanges: typeof objects.runScheduledChanges = async (projectId, now) => {
      if (projectId === failing.projectId) throw unavailable()
      return objects.runScheduledChanges(projectId, now)
    }
    await expect(runAllDue(database(), { runScheduledChanges }, new Date())).rejects.toMatchObject({
      status: 503,
    })
    expect((await tenant.get(`${tenant.flags()}?active=true`)).body.count).toBe(0)
  })
})
