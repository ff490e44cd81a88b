import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { cohortMembers, cohorts, persons } from '../../../drizzle'
import { gateway, objectOf, replaceDatabase } from '../../project/support'
import { cohort as cohortRow } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'

/** People `user-<n>` with a plan each: every fourth is on `pro`. One statement for any number of them. */
async function crowd(tenant: Tenant, size: number) {
  const numbers = sql`WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${size})`
  await database().run(sql`INSERT INTO persons (project_id, uuid, properties, created_at)
    ${numbers} SELECT ${tenant.projectId}, printf('00000000-0000-7000-8000-%012d', value),
      json_object('plan', iif(value % 4, 'free', 'pro')), '2026-01-01T00:00:00.000000Z' FROM n`)
  await database().run(sql`INSERT INTO person_distinct_ids (project_id, distinct_id, person_id)
    SELECT project_id, 'user-' || id, id FROM persons WHERE project_id = ${tenant.projectId}`)
}

const ON_PRO = {
  groups: [
    {
      properties: [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }],
      rollout_percentage: 100,
    },
  ],
}

/** Lets alarms come until the cohort is filled: those that are due are run at once, one that runs already is waited for. */
async function finish(tenant: Tenant, cohortId: number) {
  for (let tries = 0; tries < 500; tries += 1) {
    const [cohort] = await database().select().from(cohorts).where(eq(cohorts.id, cohortId))
    if (!cohort!.isCalculating) return
    if (!(await runDurableObjectAlarm(objectOf(tenant)))) await scheduler.wait(10)
  }
  throw new Error('the cohort is still not filled')
}

/** Lets the living object add members `times` times; after that its database fails. Tells whether it did. */
async function failAfter(tenant: Tenant, times: number): Promise<{ hasFailed(): boolean }> {
  let added = 0
  await replaceDatabase(
    tenant,
    (real) =>
      ({
        batch: (statements: D1PreparedStatement[]) => real.batch(statements),
        prepare(text: string) {
          if (text.startsWith('insert into "cohort_members"')) added += 1
          if (added > times) throw new Error('the database is gone')
          return real.prepare(text)
        },
      }) as unknown as D1Database,
  )
  return { hasFailed: () => added > times }
}

/** The names under which the object keeps the fillings that are not done. */
const fillsOf = (tenant: Tenant) =>
  runInDurableObject(objectOf(tenant), async (_, { storage }) => [
    ...(await storage.list({ prefix: 'cohort-fill:' })).keys(),
  ])

const membersOf = (cohortId: number) =>
  database()
    .select({ properties: persons.properties })
    .from(cohortMembers)
    .innerJoin(persons, eq(persons.id, cohortMembers.personId))
    .where(eq(cohortMembers.cohortId, cohortId))

async function made(tenant: Tenant, flagId: number) {
  const response = await tenant.post(tenant.flags(`${flagId}/create_static_cohort_for_flag`))
  expect(response.status).toBe(200)
  return response.body.cohort
}

const read = async (tenant: Tenant, id: number) =>
  (await tenant.get(`/api/projects/${tenant.projectId}/cohorts/${id}/`)).body

describe('POST create_static_cohort_for_flag', () => {
  it('responds immediately with a cohort that is still being filled', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'pro-only', filters: ON_PRO })
    const cohort = await made(tenant, flag.id)
    await finish(tenant, cohort.id)
    expect(cohort).toEqual({
      id: expect.any(Number),
      name: 'Users with feature flag pro-only enabled at 2026-03-10 12:00:00',
      description: '',
      deleted: false,
      is_static: true,
      filters: null,
      groups: [],
      is_calculating: true,
      count: null,
      errors_calculating: 0,
      last_calculation: null,
      created_by: flag.created_by,
      created_at: '2026-03-10T12:00:00Z',
    })
  })

  it('reads it where it makes it, and not when it may be filled already', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const { line } = await tenant.post(tenant.flags(`${flag.id}/create_static_cohort_for_flag`))
    expect(line.d1_round_trips).toBe(2)
  })

  it('fills it with the people for whom the flag is on, past ten thousand', async () => {
    const tenant = await createTenant()
    await crowd(tenant, 12_000)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    await finish(tenant, id)
    expect(await read(tenant, id)).toMatchObject({
      is_calculating: false,
      count: 3_000,
      last_calculation: '2026-03-10T12:00:00Z',
    })
    const members = await membersOf(id)
    expect(new Set(members.map(({ properties }) => properties.plan))).toEqual(new Set(['pro']))
  })

  it('continues after a restart of the object, and adds no person twice', async () => {
    const tenant = await createTenant()
    await crowd(tenant, 11_000)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { hasFailed } = await failAfter(tenant, 3)
    const { id } = await made(tenant, flag.id)
    await expect.poll(hasFailed).toBe(true)
    expect((await membersOf(id)).length).toBe(3 * 125)
    expect((await read(tenant, id)).is_calculating).toBe(true)

    await evictDurableObject(objectOf(tenant))
    await finish(tenant, id)
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 2_750 })
    expect((await membersOf(id)).length).toBe(2_750)
  })

  it('stays empty for a flag that is inactive, deleted, or about groups', async () => {
    const tenant = await createTenant()
    await crowd(tenant, 8)
    const everybody = { groups: [{ rollout_percentage: 100 }] }
    const inactive = await tenant.flag({ active: false, filters: everybody })
    const deleted = await tenant.flag({ filters: everybody })
    await tenant.patch(tenant.flags(deleted.id), { deleted: true })
    const grouped = await tenant.flag({ filters: { ...everybody, aggregation_group_type_index: 0 } })
    for (const { id: flagId } of [inactive, deleted, grouped]) {
      const { id } = await made(tenant, flagId)
      await finish(tenant, id)
      expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 0 })
    }
  })

  it('leaves out a person whose row cannot be read, and takes in the others', async () => {
    const tenant = await createTenant()
    await crowd(tenant, 8)
    await database().run(sql`UPDATE persons SET properties = 'not JSON'
      WHERE id = (SELECT max(id) FROM persons WHERE project_id = ${tenant.projectId})`)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    await finish(tenant, id)
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 1 })
  })

  it('takes only people of its own project', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await crowd(other, 8)
    const flag = await tenant.flag({ filters: { groups: [{ rollout_percentage: 100 }] } })
    const { id } = await made(tenant, flag.id)
    await finish(tenant, id)
    expect(await read(tenant, id)).toMatchObject({ count: 0 })
  })

  it('ends the filling of a cohort that is gone, and continues with the next', async () => {
    const tenant = await createTenant()
    await crowd(tenant, 8)
    const flag = await tenant.flag({ filters: ON_PRO })
    const gone = await cohortRow(tenant, [], { isStatic: true, isCalculating: true })
    await database().delete(cohorts).where(eq(cohorts.id, gone))
    const now = tenant.clock.now().toISOString()
    await gateway().fillCohort({ projectId: tenant.projectId, cohortId: gone, flagId: flag.id, now })
    const { id } = await made(tenant, flag.id)
    await finish(tenant, id)
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 2 })
    await expect.poll(() => fillsOf(tenant)).toEqual([])
  })

  it('makes no cohort for a flag that does not exist', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(tenant.flags('999999999/create_static_cohort_for_flag'))
    expect(response.status).toBe(404)
    const left = await database()
      .select({ id: cohorts.id })
      .from(cohorts)
      .where(eq(cohorts.projectId, tenant.projectId))
    expect(left).toEqual([])
  })
})
