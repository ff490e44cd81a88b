// What test_evaluation and evaluation_reasons cost the database: the same in a project of ten flags and persons, and
// of two thousand.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { cohortMembers } from '../../../drizzle'
import { event, groupIdentify, sendEach } from '../../support/capture'
import { dependsOn, inCohort, open, property, where } from '../../support/filters'
import { type TestResponse } from '../../support/harness'
import { cohort, manyFlags } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { responseTo, person } from './support'

/** How many flags the one that is tested leads to. */
const DEPENDENCIES = 3

/** People with an id and a setting event each, flags that look at nothing, and members of a list. */
async function crowd({ projectId }: Tenant, size: number, listId: number) {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)`
  const statements = [
    `INSERT INTO persons (project_id, uuid, properties, created_at) ${numbers}
      SELECT ?1, printf('00000000-0000-7000-8000-%012d', i), '{"plan":"free"}', '2026-01-01T00:00:00.000000Z' FROM n`,
    `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id)
      SELECT project_id, 'other-' || id, id FROM persons WHERE project_id = ?1 AND ?2 > 0`,
    `INSERT INTO events (project_id, uuid, event, distinct_id, properties, timestamp, created_at, sets_properties) ${numbers}
      SELECT ?1, 'event-' || i, 'opened', 'other-' || i, jsonb('{"$set":{"plan":"free"}}'), '2026-01-01T00:00:00.000000Z',
        '2026-01-01T00:00:00.000000Z', 1 FROM n`,
    `INSERT INTO cohort_members (cohort_id, person_id) SELECT ?2, id FROM persons WHERE project_id = ?1`,
  ]
  const bound = statements.map((text, at) =>
    (text.startsWith('INSERT INTO events') ? env.EVENTS : env.DB)
      .prepare(text)
      .bind(projectId, at === statements.length - 1 ? listId : size),
  )
  for (const statement of bound) await statement.run()
}

describe.each([10, 2_000])('in a project of %i flags and persons', (count) => {
  let tenant: Tenant
  let flag: { id: number }
  let uuid: string

  beforeAll(async () => {
    tenant = await createTenant()
    const list = await cohort(tenant, [], { isStatic: true, filters: null })
    await crowd(tenant, count, list)
    await manyFlags(tenant, count)
    await sendEach(tenant, [
      groupIdentify('company', 'acme', { tier: 'gold' }),
      event('user-0', { $set: { plan: 'pro' } }),
    ])
    const user = await person(tenant, { email: 'ada@example.com' }, 'user-1', 'user-2')
    uuid = user.uuid
    await database().insert(cohortMembers).values({ cohortId: list, personId: user.id })
    const rule = await cohort(tenant, [inCohort(list)])
    let on = await tenant.flag({ filters: open() })
    for (let depth = 1; depth < DEPENDENCIES; depth += 1)
      on = await tenant.flag({ filters: where(dependsOn(String(on.id))) })
    const email = property({ operator: 'icontains', value: '@example.com' })
    flag = await tenant.flag({ filters: where(email, inCohort(rule), dependsOn(String(on.id))) })
  }, 60_000)

  /** Asks with a key that the isolate has not seen, then again; returns the rows that the second read. */
  async function costOf(act: (caller: Tenant) => Promise<TestResponse>, [cold, warm]: [number, number]) {
    const caller = await tenant.withKey({})
    let rows = 0
    for (const trips of [cold, warm]) {
      const { status, body, line } = await act(caller)
      expect({ status, result: body.result }).toEqual({ status: 200, result: true })
      expect(line.d1_round_trips).toBe(trips)
      rows = line.d1_rows_read
    }
    return rows
  }

  it('test_evaluation costs one round trip and 60 rows, and one a dependency', async () => {
    const groups = { company: 'acme' }
    for (const who of [{ distinct_id: 'user-1' }, { person_id: uuid }]) {
      const rows = await costOf((caller) => responseTo(caller, flag, { ...who, groups }), [2, 1])
      expect(rows).toBeLessThanOrEqual(60 + DEPENDENCIES)
    }
  })

  it('test_evaluation of the last of a long chain costs seven rows a link', async () => {
    const chain = [await tenant.flag({ filters: open() })]
    for (let link = 0; link < 6; link += 1)
      chain.push(await tenant.flag({ filters: where(dependsOn(String(chain.at(-1).id))) }))
    const first = await costOf((caller) => responseTo(caller, chain[0], { distinct_id: 'user-1' }), [2, 1])
    const last = await costOf((caller) => responseTo(caller, chain.at(-1), { distinct_id: 'user-1' }), [2, 1])
    expect(first).toBeLessThanOrEqual(20)
    expect(last).toBeLessThanOrEqual(60 + 6)
    expect((last - first) / 6).toBeLessThanOrEqual(7)
  })

  it('test_evaluation by a distinct id costs the same for a person with hundreds of them', async () => {
    const ids = Array.from({ length: 300 }, (_, at) => `alias-${at}`)
    await person(tenant, { email: 'ada@example.com' }, 'alias', ...ids)
    const everybody = await tenant.flag({ filters: open() })
    const body = { distinct_id: 'alias' }
    const rows = await costOf((caller) => responseTo(caller, everybody, body), [2, 1])
    expect(rows).toBeLessThanOrEqual(20)
  })

  it('test_evaluation at another time costs three round trips, and the rows of its history and of its dependencies', async () => {
    const body = { distinct_id: 'user-1', timestamp: '2026-03-10T12:00:00Z' }
    const rows = await costOf(
      async (caller) => {
        const response = await responseTo(caller, flag, body)
        return { ...response, body: { result: response.body.conditions[0].properties[1].matched } }
      },
      [4, 3],
    )
    expect(rows).toBeLessThanOrEqual(90 + 12 * DEPENDENCIES)
  })

  it('evaluation_reasons costs one round trip', async () => {
    const rows = await costOf(
      async (caller) => {
        const response = await caller.get(
          caller.flags('evaluation_reasons/?distinct_id=user-1').replace(/\/$/, ''),
        )
        return { ...response, body: { result: Object.keys(response.body).length > count } }
      },
      [2, 1],
    )
    expect(rows).toBeLessThanOrEqual(2 * count + 120)
  })
})
