import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { groups, groupTypes, persons } from '../../../drizzle'
import { createTenant, database, type Tenant } from '../../support/tenant'

/** People with a plan each: every fourth is on `pro`. */
const crowd = ({ projectId }: Tenant, size: number) =>
  database().run(sql`INSERT INTO persons (project_id, uuid, properties, created_at)
    WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${size})
    SELECT ${projectId}, printf('0195a000-0000-7000-8%03x-%s', value / 4096 % 4096, lower(hex(randomblob(6)))),
      json_object('plan', iif(value % 4, 'free', 'pro')), '2026-01-01T00:00:00.000000Z' FROM n`)

const radius = (tenant: Tenant, body: object) => tenant.post(tenant.flags('user_blast_radius'), body)
const onPro = {
  properties: [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }],
  rollout_percentage: 10,
}

describe('POST user_blast_radius', () => {
  it('counts the persons whom a condition matches, for any rollout', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await crowd(tenant, 1_200)
    await crowd(other, 8)
    expect((await radius(tenant, { condition: onPro })).body).toEqual({ affected: 300, total: 1_200 })
    expect((await radius(tenant, { condition: {}, group_type_index: null })).body).toEqual({
      affected: 1_200,
      total: 1_200,
    })
    expect((await radius(await createTenant(), { condition: onPro })).body).toEqual({ affected: 0, total: 0 })
  })

  it('applies the share of a random sample to all, at a cost that does not grow', async () => {
    const tenant = await createTenant()
    await crowd(tenant, 24_000)
    const { body, line } = await radius(tenant, { condition: onPro })
    expect(body.total).toBe(24_000)
    expect(Math.abs(body.affected / 24_000 - 0.25)).toBeLessThan(0.03)
    expect((await radius(tenant, { condition: onPro })).body).toEqual(body)
    expect(line.d1_round_trips).toBeLessThanOrEqual(5)
    expect(line.d1_rows_read).toBeLessThanOrEqual(12_600)
  })

  it('is refused where too few people can be examined in the time that a request has', async () => {
    const tenant = await createTenant()
    const { projectId } = tenant
    const plan = 'a'.repeat(30)
    await database().run(sql`INSERT INTO persons (project_id, uuid, properties, created_at)
      WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 100)
      SELECT ${projectId}, printf('0195a000-0000-7000-8000-%012x', value), json_object('plan', ${plan}),
        '2026-01-01T00:00:00.000000Z' FROM n`)
    const value = '(?=(a+)+$)(a+)+b'
    const condition = { properties: [{ key: 'plan', type: 'person', operator: 'regex', value }] }
    const { status, body } = await radius(tenant, { condition })
    expect([status, body]).toEqual([
      400,
      {
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'This condition takes too long to evaluate to count whom it matches.',
        attr: 'condition',
      },
    ])
  })

  it('counts those of a condition on a flag of any key', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'blast-radius' })
    const condition = {
      properties: [{ key: String(flag.id), type: 'flag', operator: 'flag_evaluates_to', value: true }],
    }
    expect((await radius(tenant, { condition })).status).toBe(200)
  })

  it('counts all people of up to 2,500, and of those who are left', async () => {
    const tenant = await createTenant()
    await crowd(tenant, 2_500)
    expect((await radius(tenant, { condition: onPro })).body).toEqual({ affected: 625, total: 2_500 })
    await database()
      .delete(persons)
      .where(sql`project_id = ${tenant.projectId} AND properties ->> '$.plan' = 'pro'`)
    expect((await radius(tenant, { condition: onPro })).body).toEqual({ affected: 0, total: 1_875 })
  })

  it('counts groups of a type', async () => {
    const tenant = await createTenant()
    const { projectId } = tenant
    await database().insert(groupTypes).values({ projectId, index: 0, name: 'company' })
    for (const [key, size] of [
      ['a', 10],
      ['b', 200],
      ['c', 300],
    ] as const) {
      await database().insert(groups).values({
        projectId,
        typeIndex: 0,
        key,
        properties: { size },
        createdAt: '2026-01-01T00:00:00.000000Z',
      })
    }
    const large = {
      properties: [{ key: 'size', type: 'group', group_type_index: 0, operator: 'gt', value: '100' }],
    }
    const ofFlag = { ...large, aggregation_group_type_index: 0 }
    for (const body of [
      { condition: large, group_type_index: 0 },
      { condition: ofFlag },
      { condition: ofFlag, group_type_index: 0 },
    ])
      expect((await radius(tenant, body)).body).toEqual({ affected: 2, total: 3 })
    for (const index of [null, 1])
      expect((await radius(tenant, { condition: ofFlag, group_type_index: index })).body).toEqual({
        type: 'validation_error',
        code: 'invalid_input',
        detail:
          'The condition set has another aggregation_group_type_index: 0. Send the same, or one of them.',
        attr: 'group_type_index',
      })
    const wrong = { properties: [], aggregation_group_type_index: 'company' }
    expect((await radius(tenant, { condition: wrong })).body).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      detail: 'condition.aggregation_group_type_index must be an integer or null, got text',
      attr: 'condition',
    })
  })

  it('rejects conditions that no flag could have', async () => {
    const tenant = await createTenant()
    expect((await radius(tenant, {})).body).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      detail: 'Missing condition for which to get blast radius',
      attr: null,
    })
    const unknown = { properties: [{ key: 'plan', type: 'person', operator: 'sounds_like', value: 'pro' }] }
    expect((await radius(tenant, { condition: unknown })).body).toEqual({
      type: 'validation_error',
      code: 'invalid_operator',
      detail: expect.stringMatching(/^Invalid operator: sounds_like\. Valid operators: exact, is_not, .*\.$/),
      attr: 'condition',
    })
    expect((await radius(tenant, { condition: { rollout_percentage: 200 } })).body).toMatchObject({
      detail: expect.stringMatching(/^condition\.rollout_percentage /),
      attr: 'condition',
    })
    for (const [condition, attr, detail] of [
      [{ made_up_limit: 5 }, 'made_up_limit', 'Unknown field: made_up_limit. Known fields: properties, '],
      [{ rollout: 5 }, 'rollout', 'Unknown field: rollout. Did you mean rollout_percentage?'],
      [
        { properties: [{ ...onPro.properties[0], made_up_limit: 5 }] },
        'properties__0__made_up_limit',
        'Unknown field: made_up_limit. Known fields: key, ',
      ],
    ] as const)
      expect((await radius(tenant, { condition })).body).toEqual({
        type: 'validation_error',
        code: 'unknown_field',
        detail: expect.stringContaining(detail),
        attr: `condition__${attr}`,
      })
    // Clients keep these with a condition set.
    const shown = { ...onPro, description: 'Paying', sort_key: 'a', users_affected: 0.5 }
    expect((await radius(tenant, { condition: shown })).status).toBe(200)
  })
})
