import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { users } from '../../../drizzle'
import { createTenant, database } from '../../support/tenant'

describe('GET my_flags', () => {
  it('answers for the distinct id of the caller, newest flag first', async () => {
    const tenant = await createTenant()
    const [me] = await database().select().from(users).where(eq(users.id, tenant.user.id))
    const everybody = await tenant.flag({
      key: 'everybody',
      filters: { groups: [{ rollout_percentage: 100 }] },
    })
    await tenant.flag({
      key: 'only-me',
      filters: {
        groups: [
          {
            properties: [{ key: 'distinct_id', type: 'person', operator: 'exact', value: me!.distinctId }],
            rollout_percentage: 100,
          },
        ],
      },
    })
    await tenant.flag({ key: 'off', active: false, filters: { groups: [{ rollout_percentage: 100 }] } })
    const archived = await tenant.flag({ key: 'archived', active: false })
    await tenant.patch(tenant.flags(archived.id), { archived: true })

    const response = await tenant.get(tenant.flags('my_flags'))
    expect(response.status).toBe(200)
    expect(
      response.body.map((each: { feature_flag: { key: string }; value: unknown }) => [
        each.feature_flag.key,
        each.value,
      ]),
    ).toEqual([
      ['off', false],
      ['only-me', true],
      ['everybody', true],
    ])
    expect(response.body[2]).toEqual({
      feature_flag: {
        id: everybody.id,
        team_id: tenant.projectId,
        name: '',
        key: 'everybody',
        filters: everybody.filters,
        deleted: false,
        active: true,
        ensure_experience_continuity: false,
        version: 1,
        evaluation_runtime: 'all',
        bucketing_identifier: 'distinct_id',
        evaluation_contexts: [],
      },
      value: true,
    })
  })
})
