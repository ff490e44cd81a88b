// Which changes need approval, and by whom.
import { describe, expect, it } from 'vitest'
import { createTenant } from '../../support/tenant'
import { forbidden, NOT_FOUND, refused, seen } from '../../support/responses'
import { colleague, flagOf, held, policies, policy, requestOf, rollout, team } from './support'

const AT = '2026-03-10T12:00:00Z'

describe('an approval policy', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const { tenant, grace } = await team()
    const record = {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      action_key: 'feature_flag.update',
      conditions: { type: 'before_after', field: 'rollout_percentage', operator: '>', value: 50 },
      approver_config: { quorum: 1, users: [grace.user.id], roles: [] },
      allow_self_approve: false,
      bypass_org_membership_levels: [15],
      bypass_roles: [],
      expires_after: '1 06:00:00',
      enabled: true,
      created_by: expect.objectContaining({ id: tenant.user.id }),
      created_at: AT,
      updated_at: AT,
    }
    const created = await tenant.post(policies(tenant), {
      action_key: 'feature_flag.update',
      conditions: record.conditions,
      approver_config: { quorum: 1, users: [grace.user.id, grace.user.id], roles: [] },
      bypass_org_membership_levels: ['15'],
      bypass_roles: [],
      expires_after: 108_000,
    })
    expect(seen(created)).toEqual({ status: 201, body: record })
    const { body } = created
    expect(seen(await grace.get(policies(tenant, body.id)))).toEqual({ status: 200, body })
    const other = await policy(tenant, [grace], { action_key: 'feature_flag.enable', enabled: false })
    const listed = async (query: string) =>
      (await grace.get(`${policies(tenant)}?${query}`)).body.results
        .map(({ id }: { id: string }) => id)
        .sort()
    expect(await listed('')).toEqual([body.id, other.id].sort())
    expect(await listed('limit=1&offset=2')).toEqual([])
    expect(await listed('enabled=false')).toEqual([other.id])
    expect(await listed('action_key=feature_flag.update')).toEqual([body.id])

    tenant.clock.advance({ minutes: 1 })
    const changed = { ...body, conditions: {}, allow_self_approve: true, updated_at: '2026-03-10T12:01:00Z' }
    expect(
      seen(await tenant.patch(policies(tenant, body.id), { conditions: {}, allow_self_approve: true })),
    ).toEqual({ status: 200, body: changed })
    expect(seen(await tenant.put(policies(tenant, body.id), {}))).toEqual({ status: 200, body: changed })
    expect((await tenant.delete(policies(tenant, body.id))).status).toBe(204)
    expect(await tenant.get(policies(tenant, body.id))).toMatchObject(NOT_FOUND)
    expect(await tenant.delete(policies(tenant, body.id))).toMatchObject(NOT_FOUND)
    const { body: log } = await tenant.get(
      `/api/projects/${tenant.projectId}/activity_log/?scope=ApprovalPolicy&item_id=${body.id}`,
    )
    expect(log.results.map((entry: { activity: string }) => entry.activity)).toEqual([
      'deleted',
      'updated',
      'updated',
      'created',
    ])
    expect(log.results[2].detail).toMatchObject({
      name: 'feature_flag.update',
      changes: [
        { field: 'conditions', action: 'deleted' },
        { field: 'allow_self_approve', after: true },
      ],
    })
  })

  it('is written by admins only', async () => {
    const { tenant, grace } = await team()
    const { id } = await policy(tenant, [grace])
    const denied = forbidden('Your organization access level is insufficient.')
    const body = { action_key: 'feature_flag.enable', approver_config: { quorum: 1, users: [grace.user.id] } }
    expect(seen(await grace.post(policies(tenant), body))).toEqual(denied)
    expect(seen(await grace.patch(policies(tenant, id), { enabled: false }))).toEqual(denied)
    expect(seen(await grace.delete(policies(tenant, id)))).toEqual(denied)
    expect((await grace.get(policies(tenant, id))).body.enabled).toBe(true)
  })

  it('is one for an action', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace])
    const { id } = await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    const taken = refused(
      null,
      'A policy for this action already exists. You can edit the existing policy instead.',
      'unique',
    )
    const body = { action_key: 'feature_flag.update', approver_config: { quorum: 1, users: [grace.user.id] } }
    expect(seen(await tenant.post(policies(tenant), body))).toEqual(taken)
    expect(seen(await tenant.patch(policies(tenant, id), { action_key: 'feature_flag.update' }))).toEqual(
      taken,
    )
  })

  it('can be changed when an approver has left, but not to one who has', async () => {
    const { tenant, grace } = await team()
    const { id } = await policy(tenant, [grace])
    await tenant.delete(`/api/organizations/${tenant.organizationId}/members/${grace.user.uuid}/`)
    expect((await tenant.patch(policies(tenant, id), { enabled: false })).status).toBe(200)
    const config = { quorum: 1, users: [grace.user.id] }
    expect(seen(await tenant.patch(policies(tenant, id), { approver_config: config }))).toEqual(
      refused(
        'approver_config__users',
        `User ${grace.user.id} is not a member of the organization, or only a viewer.`,
      ),
    )
  })

  const stranger = () => createTenant()
  it.each([
    [
      'an unknown action',
      { action_key: 'feature_flag.create' },
      'action_key',
      /^"feature_flag.create" is not/,
    ],
    ['a quorum of 0', { approver_config: { quorum: 0, users: [1] } }, 'approver_config__quorum', /^Ensure/],
    ['a quorum of 11', { approver_config: { quorum: 11, users: [1] } }, 'approver_config__quorum', /^Ensure/],
    ['no users', { approver_config: { quorum: 1, users: [] } }, 'approver_config__users', /may not be empty/],
    [
      'more than 50 users',
      { approver_config: { quorum: 1, users: Array.from({ length: 51 }, (_, index) => index + 1) } },
      'approver_config__users',
      /no more than 50 elements/,
    ],
    [
      'roles',
      { approver_config: { quorum: 1, users: [1], roles: ['x'] } },
      'approver_config__roles',
      /^There are no roles/,
    ],
    ['roles that bypass', { bypass_roles: ['x'] }, 'bypass_roles', /^There are no roles/],
    [
      'a level that is none',
      { bypass_org_membership_levels: [3] },
      'bypass_org_membership_levels__0',
      /1 is member/,
    ],
    ['a short expiry', { expires_after: '00:10:00' }, 'expires_after', /^Write a duration as/],
    ['a long expiry', { expires_after: '91 00:00:00' }, 'expires_after', /^Write a duration as/],
    ['an unknown condition', { conditions: { type: 'weekday' } }, 'conditions', /^This must be \{\} or/],
    [
      'a condition on enabling',
      { action_key: 'feature_flag.enable', conditions: { type: 'any_change', field: 'rollout_percentage' } },
      'conditions',
      /^Only a policy for feature_flag.update/,
    ],
    [
      'a member of another organization',
      async () => ({ approver_config: { quorum: 1, users: [(await stranger()).user.id] } }),
      'approver_config__users',
      /is not a member of the organization/,
    ],
  ])('rejects %s', async (_, given, attr, detail) => {
    const { tenant, grace } = await team()
    const body = typeof given === 'function' ? await given() : given
    const response = await tenant.post(policies(tenant), {
      action_key: 'feature_flag.update',
      approver_config: { quorum: 1, users: [grace.user.id] },
      ...body,
    })
    expect(response).toMatchObject({ status: 400, body: { attr, detail: expect.stringMatching(detail) } })
    expect((await tenant.get(policies(tenant))).body.count).toBe(0)
  })

  it('rejects a quorum of more approvals than users', async () => {
    const { tenant, grace } = await team()
    const body = { action_key: 'feature_flag.update', approver_config: { quorum: 2, users: [grace.user.id] } }
    expect(seen(await tenant.post(policies(tenant), body))).toEqual(
      refused('approver_config__quorum', '2 approvals need as many users, and 1 is given.'),
    )
  })
})

describe('the conditions of a policy', () => {
  const VARIANTS = (a: number, b: number) => ({
    ...rollout(100),
    multivariate: {
      variants: [
        { key: 'a', rollout_percentage: a },
        { key: 'b', rollout_percentage: b },
      ],
    },
  })
  const [moreThan50, tenMore] = (['before_after', 'change_amount'] as const).map((type, index) => ({
    type,
    field: 'rollout_percentage',
    operator: '>',
    value: [50, 10][index],
  }))
  const any = { type: 'any_change', field: 'rollout_percentage' }
  const twoSets = { groups: [...rollout(10).groups, ...rollout(20).groups] }

  it.each([
    ['any change', any, rollout(10), rollout(11), true],
    ['no change of percentages', any, rollout(10), { ...rollout(10), payloads: { true: '1' } }, false],
    ['a change of variants', any, VARIANTS(50, 50), VARIANTS(40, 60), true],
    ['a set that is added', any, rollout(10), twoSets, true],
    ['more than 50 after', moreThan50, rollout(10), rollout(51), true],
    ['50 after', moreThan50, rollout(10), rollout(50), false],
    ['everybody, without a percentage', moreThan50, rollout(10), rollout(null), true],
    ['10 more', tenMore, rollout(10), rollout(20), false],
    ['11 more', tenMore, rollout(10), rollout(21), true],
    ['a reduction', tenMore, rollout(90), rollout(10), false],
    ['a set of 20 that is added', tenMore, rollout(10), twoSets, true],
  ])('for %s', async (_, conditions, before, after, isHeld) => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace], { conditions })
    const flag = await tenant.flag({ filters: before })
    const response = await tenant.patch(tenant.flags(flag.id), { filters: after })
    expect(response.status).toBe(isHeld ? 409 : 200)
  })

  it('leave other changes free', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace], { conditions: any })
    const flag = await tenant.flag()
    for (const body of [{ key: `k${flag.id}` }, { active: false }, { deleted: true }])
      expect((await tenant.patch(tenant.flags(flag.id), body)).status).toBe(200)
  })
})

it('a deleted policy leaves its requests', async () => {
  const { tenant, grace } = await team()
  const { id } = await policy(tenant, [grace])
  const flag = await tenant.flag()
  const request = await held(tenant, flag.id, { filters: rollout(50) })
  await tenant.delete(policies(tenant, id))
  expect((await requestOf(tenant, request)).state).toBe('pending')
  const other = await colleague(tenant)
  expect((await other.patch(tenant.flags(flag.id), { filters: rollout(60) })).status).toBe(200)
  expect(await flagOf(tenant, flag.id)).toMatchObject({ version: 2 })
})
