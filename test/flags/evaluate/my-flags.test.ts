import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { groupTypes, users } from '../../../drizzle'
import { createTenant, database } from '../../support/tenant'

describe('GET my_flags', () => {
  it('evaluates flags of groups for the groups that are sent', async () => {
    const tenant = await createTenant()
    const { projectId } = tenant
    await database().insert(groupTypes).values({ projectId, index: 0, name: 'company' })
    await tenant.flag({
      filters: { groups: [{ rollout_percentage: 100 }], aggregation_group_type_index: 0 },
    })
    const valueFor = async (query: string) => {
      const { status, body } = await tenant.get(`${tenant.flags('my_flags')}${query}`)
      return [status, status === 200 ? body[0].value : body.attr]
    }
    expect(await valueFor('')).toEqual([200, false])
    expect(await valueFor(`?groups=${encodeURIComponent('{"company":"acme"}')}`)).toEqual([200, true])
    expect(await valueFor('?groups=[]')).toEqual([400, 'groups'])
  })

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
