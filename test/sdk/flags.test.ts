import { describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/tenant'

const ask = (tenant: Tenant, body: Record<string, unknown>, path = '/flags/?v=2', headers: Record<string, string> = {}) =>
  tenant.send('POST', path, { body: { token: tenant.projectToken, ...body }, headers })

const EVERYBODY = { groups: [{ rollout_percentage: 100 }] }
const BY_EMAIL = {
  groups: [
    {
      properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
      rollout_percentage: 100,
    },
  ],
  payloads: { true: { color: 'blue' } },
}

describe('POST /flags?v=2', () => {
  it('answers with a record of every active flag', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta', filters: BY_EMAIL })
    await tenant.flag({ key: 'off', active: false, filters: EVERYBODY })
    const answer = await ask(tenant, { distinct_id: 'user-1', person_properties: { email: 'ada@example.com' } })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      errorsWhileComputingFlags: false,
      flags: {
        beta: {
          key: 'beta',
          enabled: true,
          variant: null,
          reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
          metadata: { id: flag.id, version: 1, description: null, payload: '{"color":"blue"}', has_experiment: false },
        },
      },
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      evaluatedAt: tenant.clock.now().getTime(),
    })
  })

  it('costs no round trip to D1 when the snapshot is in memory and the properties are sent', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'beta', filters: BY_EMAIL })
    const body = { distinct_id: 'user-1', person_properties: { email: 'ada@example.com' } }
    await ask(tenant, body)
    expect((await ask(tenant, body)).line).toMatchObject({ d1_round_trips: 0, d1_rows_read: 0 })
    expect((await ask(tenant, { distinct_id: 'user-1' })).line).toMatchObject({ d1_round_trips: 1 })
  })
})
