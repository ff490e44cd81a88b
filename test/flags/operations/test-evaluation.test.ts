import { describe, expect, it } from 'vitest'
import { persons, personDistinctIds } from '../../../drizzle'
import { createIds } from '../../../src/clock'
import { createTenant, database, type Tenant } from '../../support/tenant'

async function person(tenant: Tenant, properties: Record<string, unknown>, ...distinctIds: string[]) {
  const uuid = createIds().uuid(tenant.clock.now())
  const createdAt = tenant.clock.now().toISOString().replace('Z', '000Z')
  const [row] = await database()
    .insert(persons)
    .values({ projectId: tenant.projectId, uuid, properties, createdAt })
    .returning({ id: persons.id })
  for (const distinctId of distinctIds) {
    await database().insert(personDistinctIds).values({ projectId: tenant.projectId, distinctId, personId: row!.id })
  }
  return uuid
}

const BY_EMAIL = {
  groups: [
    {
      properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
      rollout_percentage: 100,
    },
  ],
  payloads: { true: { size: 1 } },
}

describe('POST test_evaluation', () => {
  it('says what the flag answers, and why', async () => {
    const tenant = await createTenant()
    await person(tenant, { email: 'ada@example.com', plan: 'free' }, 'user-1')
    const flag = await tenant.flag({ key: 'beta', filters: BY_EMAIL })
    const answer = await tenant.post(tenant.flags(`${flag.id}/test_evaluation`), { distinct_id: 'user-1' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      flag_key: 'beta',
      result: true,
      reason: 'condition_match',
      reason_description: 'Matched condition set 1',
      condition_index: 0,
      payload: '{"size":1}',
      person_properties: { email: 'ada@example.com' },
      evaluation_distinct_id: 'user-1',
      conditions: [
        {
          index: 0,
          matched: true,
          properties_matched: true,
          explanation: 'Condition 0 matched and passed 100% rollout',
          rollout_percentage: 100,
          rollout_excluded: false,
          variant: null,
          properties: [
            {
              key: 'email',
              operator: 'icontains',
              value: '@example.com',
              type: 'person',
              actual_value: 'ada@example.com',
              matched: true,
              explanation: 'Property \'email\' contains "@example.com"',
            },
          ],
        },
      ],
    })
    expect(answer.line).toMatchObject({ d1_round_trips: 1 })
    expect(answer.line.d1_rows_read).toBeLessThanOrEqual(60)
  })
})
