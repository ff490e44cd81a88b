import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { cohortMembers, cohorts, outbox, persons } from '../../../drizzle'
import { MAX_FILLS } from '../../../src/flags/cohorts/create-static-cohort'
import { performDueTasks } from '../../../src/jobs/outbox-tasks'
import { createMeter } from '../../../src/storage/metered-d1'
import { withBatch } from '../../project/support'
import { createFillQueue } from '../../support/fill-queue'
import { where } from '../../support/filters'
import { createHarness } from '../../support/harness'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { emptyStorage } from '../../support/databases'

beforeAll(emptyStorage)

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

interface Filling {
  tenant: Tenant
  /** What waits in the queue. */
  waiting: unknown[]
  /** What the consumer logged. */
  faults: string[]
  /** Has the consumer handle what waits. @param bindings that fail. */
  drain(bindings?: Partial<Env>): Promise<void>
}

async function createFilling(): Promise<Filling> {
  const { binding: BUILDS, waiting, drain } = createFillQueue()
  const faults: string[] = []
  const tenant = await createTenant({ level: 15, harness: createHarness({ bindings: { BUILDS } }) })
  return {
    tenant,
    waiting,
    faults,
    drain: (bindings = {}) =>
      drain({ ...tenant.env, ...bindings }, (line) => void faults.push(JSON.stringify(line))),
  }
}

/** A database that adds members `times` times and then fails. */
function failingAfter(times: number): D1Database {
  let added = 0
  return withBatch(env.DB, async (texts, run) => {
    if (texts.some((text) => text.startsWith('insert into "cohort_members"'))) added += 1
    if (added > times) throw new Error('the database is gone')
    return run()
  })
}

/** What the minute's trigger does, some minutes later. */
async function minutesLater({ tenant }: Filling) {
  await env.DB.prepare('DELETE FROM outbox WHERE project_id <> ?').bind(tenant.projectId).run()
  const deps = { db: database(), env: tenant.env, meter: createMeter() }
  await performDueTasks(deps, new Date(Date.now() + 120_000), (line) => expect.fail(JSON.stringify(line)))
}

const tasksOf = ({ projectId }: Tenant) =>
  database().select({ task: outbox.task }).from(outbox).where(eq(outbox.projectId, projectId))

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
    const { tenant } = await createFilling()
    const flag = await tenant.flag({ key: 'pro-only', filters: ON_PRO })
    const cohort = await made(tenant, flag.id)
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
    const log = await tenant.get(
      `/api/projects/${tenant.projectId}/activity_log/?scope=Cohort&item_id=${cohort.id}`,
    )
    expect(log.body.results).toMatchObject([{ activity: 'created', detail: { name: cohort.name } }])
  })

  it('is known at past times after a change of the cohort', async () => {
    const { tenant, drain } = await createFilling()
    await crowd(tenant, 4)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    await drain()
    const filters = where({ key: 'id', type: 'cohort', value: id, operator: 'in' })
    const user = await tenant.flag({ filters })
    tenant.clock.advance({ hours: 1 })
    const between = tenant.clock.now().toISOString()
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(`/api/projects/${tenant.projectId}/cohorts/${id}/`, { name: 'Renamed' })
    const past = await tenant.post(tenant.flags(`${user.id}/test_evaluation`), {
      distinct_id: 'user-4',
      timestamp: between,
    })
    expect(past.status, past.text).toBe(200)
  })

  it('reads it where it makes it, and not when it may be filled already', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const { line } = await tenant.post(tenant.flags(`${flag.id}/create_static_cohort_for_flag`))
    expect(line.d1_round_trips).toBe(2)
  })

  it('fills it with the people for whom the flag is on, past ten thousand', async () => {
    const filling = await createFilling()
    const { tenant } = filling
    await crowd(tenant, 12_000)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    await filling.drain()
    expect(await read(tenant, id)).toMatchObject({
      is_calculating: false,
      count: 3_000,
      last_calculation: '2026-03-10T12:00:00Z',
    })
    const members = await membersOf(id)
    expect(new Set(members.map(({ properties }) => properties.plan))).toEqual(new Set(['pro']))
    expect(await tasksOf(tenant)).toEqual([])
  })

  it('continues where it ended when a database failed, and adds no person twice', async () => {
    const filling = await createFilling()
    const { tenant } = filling
    await crowd(tenant, 11_000)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    await filling.drain({ DB: failingAfter(3) })
    expect(filling.faults).toEqual([expect.stringContaining('the database is gone')])
    expect(await membersOf(id)).toHaveLength(3 * 125)
    expect(await read(tenant, id)).toMatchObject({ is_calculating: true })
    expect(await tasksOf(tenant)).toMatchObject([
      { task: { kind: 'fill_cohort', after: expect.any(Number) } },
    ])

    await minutesLater(filling)
    await filling.drain()
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 2_750 })
    expect(await membersOf(id)).toHaveLength(2_750)
  })

  it('is filled by the trigger when its message is lost, and only once when it has two', async () => {
    const filling = await createFilling()
    const { tenant, waiting } = filling
    await crowd(tenant, 8)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    expect(waiting.splice(0)).toHaveLength(1)
    await minutesLater(filling)
    waiting.push(...waiting)
    await filling.drain()
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 2 })
    expect(filling.faults).toEqual([])
  })

  it('is filled by one of two messages, while the other one ends', async () => {
    const filling = await createFilling()
    const { tenant, waiting } = filling
    await crowd(tenant, 12_000)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    waiting.push(...waiting)
    await Promise.all([filling.drain(), filling.drain()])
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 3_000 })
    const copied = tenant.ingestion.waiting.map((text) => JSON.parse(text) as { rows?: unknown })
    expect(copied.length).toBeLessThan(2 * (12_000 / 500))
    expect(filling.faults).toEqual([])
  })

  it('evaluates every person with the steps of a request', async () => {
    const { tenant, drain } = await createFilling()
    await crowd(tenant, 400)
    await database().run(sql`UPDATE persons SET properties = json_object('bio', ${`${'x'.repeat(1_000)}y`})
      WHERE project_id = ${tenant.projectId}`)
    const values = Array.from({ length: 200 }, (_, index) => `${'x'.repeat(11)}${index}`)
    const flag = await tenant.flag({
      filters: where({ key: 'bio', type: 'person', operator: 'not_icontains_multi', value: values }),
    })
    const { id } = await made(tenant, flag.id)
    await drain()
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 400 })
  })

  it('is refused where the cohorts of the project are too large together', async () => {
    const { tenant } = await createFilling()
    const flag = await tenant.flag()
    await database().run(sql`INSERT INTO cohorts (project_id, name, filters, is_static, created_at)
      VALUES (${tenant.projectId}, 'large', json_object('large', ${'x'.repeat(1_900_000)}), 0, '2026-01-01T00:00:00.000000Z')`)
    await database().run(sql`INSERT INTO cohorts (project_id, name, filters, is_static, created_at)
      SELECT project_id, name, filters, is_static, created_at FROM cohorts, json_each('[1, 2, 3, 4, 5, 6, 7, 8]')
      WHERE project_id = ${tenant.projectId}`)
    expect(await tenant.post(tenant.flags(`${flag.id}/create_static_cohort_for_flag`))).toMatchObject({
      status: 400,
      body: {
        attr: 'filters',
        detail: expect.stringMatching(/^The flags and cohorts of this project would count for/),
      },
    })
  })

  it('stays empty for a flag that is inactive, deleted, or about groups', async () => {
    const { tenant, drain } = await createFilling()
    await crowd(tenant, 8)
    const everybody = { groups: [{ rollout_percentage: 100 }] }
    const inactive = await tenant.flag({ active: false, filters: everybody })
    const deleted = await tenant.flag({ filters: everybody })
    await tenant.patch(tenant.flags(deleted.id), { deleted: true })
    const grouped = await tenant.flag({ filters: { ...everybody, aggregation_group_type_index: 0 } })
    for (const { id: flagId } of [inactive, deleted, grouped]) {
      const { id } = await made(tenant, flagId)
      await drain()
      expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 0, errors_calculating: 0 })
    }
  })

  it('leaves out a person whose row cannot be read, and takes in the others', async () => {
    const { tenant, drain } = await createFilling()
    await crowd(tenant, 8)
    await database().run(sql`UPDATE persons SET properties = 'not JSON'
      WHERE id = (SELECT max(id) FROM persons WHERE project_id = ${tenant.projectId})`)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    await drain()
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 1, errors_calculating: 1 })
  })

  it('counts the people for whom the flag cannot be evaluated', async () => {
    const { tenant, drain } = await createFilling()
    await crowd(tenant, 8)
    const flag = await tenant.flag({ filters: { groups: [{ rollout_percentage: 100 }] } })
    const broken = JSON.stringify(where({ key: 'id', type: 'cohort', value: 999_999_999, operator: 'in' }))
    await database().run(sql`UPDATE feature_flags SET filters = ${broken} WHERE id = ${flag.id}`)
    const { id } = await made(tenant, flag.id)
    await drain()
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 0, errors_calculating: 8 })
  })

  it.each([
    ['is edited', { filters: { groups: [{ rollout_percentage: 100 }] } }],
    ['is disabled', { active: false }],
    ['is deleted', { deleted: true }],
  ])('ends with an error when the flag %s before all are evaluated', async (_title, change) => {
    const filling = await createFilling()
    const { tenant } = filling
    await crowd(tenant, 1_600)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    await filling.drain({ DB: failingAfter(2) })
    await tenant.patch(tenant.flags(flag.id), change)
    await minutesLater(filling)
    await filling.drain()
    expect(await read(tenant, id)).toMatchObject({ is_calculating: false, count: 250, errors_calculating: 1 })
    expect(await tasksOf(tenant)).toEqual([])
  })

  it('takes only people of its own project', async () => {
    const { tenant, drain } = await createFilling()
    await crowd(await createTenant(), 8)
    const flag = await tenant.flag({ filters: { groups: [{ rollout_percentage: 100 }] } })
    const { id } = await made(tenant, flag.id)
    await drain()
    expect(await read(tenant, id)).toMatchObject({ count: 0 })
  })

  it('is refused while as many cohorts of the organization are being filled as may be', async () => {
    const { tenant, drain } = await createFilling()
    const flag = await tenant.flag({ filters: ON_PRO })
    const create = (on = tenant, { id } = flag) => on.post(on.flags(`${id}/create_static_cohort_for_flag`))
    const all = await Promise.all(Array.from({ length: MAX_FILLS + 2 }, () => create()))
    const statuses = all.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array.from({ length: MAX_FILLS }, () => 200), 429, 429])
    const refused = all.find(({ status }) => status === 429)!
    expect(refused.headers.get('Retry-After')).toBe('10')
    expect(refused.body).toEqual({
      type: 'throttled_error',
      code: 'throttled',
      detail:
        '10 static cohorts of your organization are being filled. Create the next one when one of them is complete.',
      attr: null,
    })
    // The other projects of the organization count together.
    const { body: project } = await tenant.post(`/api/organizations/${tenant.organizationId}/projects/`, {
      name: 'Second',
    })
    const flags = `/api/projects/${project.id}/feature_flags/`
    const { body: there } = await tenant.post(flags, { key: 'there' })
    expect((await tenant.post(`${flags}${there.id}/create_static_cohort_for_flag/`)).status).toBe(429)
    const { tenant: other } = await createFilling()
    expect((await create(other, await other.flag())).status).toBe(200)
    await drain()
    expect((await create()).status).toBe(200)
  })

  it('ends the filling of a deleted cohort', async () => {
    const { tenant, drain } = await createFilling()
    await crowd(tenant, 8)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    const path = `/api/projects/${tenant.projectId}/cohorts/${id}/`
    await tenant.patch(path, { deleted: true })
    await drain()
    expect(await tasksOf(tenant)).toEqual([])
    expect(await membersOf(id)).toEqual([])
    expect(await database().select().from(cohorts).where(eq(cohorts.id, id))).toMatchObject([
      { isCalculating: false, errorsCalculating: 0 },
    ])
  })

  it('ends the filling of a cohort that is gone', async () => {
    const { tenant, drain, faults } = await createFilling()
    await crowd(tenant, 8)
    const flag = await tenant.flag({ filters: ON_PRO })
    const { id } = await made(tenant, flag.id)
    await database().delete(cohorts).where(eq(cohorts.id, id))
    await drain()
    expect(await tasksOf(tenant)).toEqual([])
    expect(faults).toEqual([])
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
