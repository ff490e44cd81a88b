// Changes of flags that wait for approval.
import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { changeRequests, featureFlags, memberships, users } from '../../../drizzle'
import { MAX_PENDING, MAX_PENDING_OF_REQUESTER } from '../../../src/flags/approvals/approval-types'
import { runDueChanges } from '../../../src/flags/scheduled/run-changes'
import { createProjectObjects } from '../../../src/project/project-client'
import { createMeter } from '../../../src/storage/metered-d1'
import { replaceDatabase, withBatch } from '../../project/support'
import { createOvertaken } from '../../support/faults/overtaken'
import { impersonate } from '../../support/session'
import { database, setLevel, type Tenant } from '../../support/tenant'
import { NOT_FOUND, forbidden, seen } from '../../support/responses'
import {
  approve,
  colleague,
  flagOf,
  held,
  type Json,
  policies,
  policy,
  requestOf,
  requests,
  rollout,
  team,
} from './support'

const AT = '2026-03-10T12:00:00Z'

interface Identified {
  id: string
}

interface Entry {
  activity: string
  user: { email: string }
  detail: { changes: unknown[] }
}

/** Adds as many copies of a request, in this state. */
const copyRequest = (id: string, state: string, count: number) =>
  database()
    .run(sql`INSERT INTO change_requests (id, project_id, flag_id, created_by_id, action_key, change, policy, state, votes,
        created_at, updated_at, expires_at, ends_at)
      SELECT change_requests.id || json_each.value, project_id, flag_id, created_by_id, action_key, change, policy, ${state}, votes, created_at, updated_at,
        expires_at, ends_at
      FROM change_requests, json_each(${JSON.stringify(Array.from({ length: count }, (_, index) => index))}) WHERE change_requests.id = ${id}`)

describe('an update that a policy holds', () => {
  it('answers 409 with the request, and changes nothing', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag({ key: 'held', active: false })
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    const response = await tenant.patch(tenant.flags(flag.id), { active: true, name: 'on' })
    const id = response.body.change_request_id
    const [before, after] = [
      { active: false, name: '' },
      { active: true, name: 'on' },
    ]
    const record = {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      action_key: 'feature_flag.enable',
      action_version: 1,
      resource_type: 'feature_flag',
      resource_id: String(flag.id),
      intent: {
        flag_id: flag.id,
        flag_key: 'held',
        current_state: before,
        gated_changes: after,
        full_request_data: after,
        preconditions: { version: 1, updated_at: flag.updated_at },
        http_method: 'PATCH',
      },
      intent_display: { description: "Enable and update feature flag 'held': name", before, after },
      policy_snapshot: {
        quorum: 1,
        users: [grace.user.id],
        roles: [],
        allow_self_approve: false,
        conditions: {},
        bypass_org_membership_levels: [],
        bypass_roles: [],
      },
      validation_status: 'valid',
      validation_errors: null,
      validated_at: null,
      state: 'pending',
      created_by: expect.objectContaining({ id: tenant.user.id, email: tenant.user.email }),
      applied_by: null,
      created_at: AT,
      updated_at: AT,
      expires_at: '2026-03-24T12:00:00Z',
      applied_at: null,
      apply_error: '',
      result_data: null,
      approvals: [],
      can_approve: false,
      can_cancel: true,
      is_requester: true,
      user_decision: null,
    }
    expect(seen(response)).toEqual({
      status: 409,
      body: {
        type: 'server_error',
        code: 'approval_required',
        detail: `This change needs approval. Change request ${id} waits for it.`,
        attr: null,
        status: 'approval_required',
        message: 'A change request has been created and is pending approval.',
        resource_type: 'feature_flag',
        resource_id: String(flag.id),
        change_request_id: id,
        change_request: record,
        required_approvers: { quorum: 1, users: [grace.user.id], roles: [] },
      },
    })
    expect(await flagOf(tenant, flag.id)).toEqual(flag)
    expect(await requestOf(tenant, id)).toEqual(response.body.change_request)

    const again = await tenant.patch(tenant.flags(flag.id), { active: true })
    expect(seen(again)).toEqual({
      status: 409,
      body: {
        type: 'server_error',
        code: 'change_request_pending',
        detail: `A pending approval request already exists for this action: change request ${id}. Approve, reject or cancel it first.`,
        attr: null,
        error: 'A pending approval request already exists for this action',
        resource_type: 'feature_flag',
        resource_id: String(flag.id),
        change_request_id: id,
        existing_change_request: response.body.change_request,
      },
    })
    // It changes the description, too.
    expect(await tenant.patch(tenant.flags(flag.id), { name: 'still free' })).toMatchObject({ status: 200 })
    expect(await requestOf(tenant, id)).toMatchObject({ state: 'pending', validation_status: 'stale' })
  })

  it('costs as many round trips to D1 as one that is made, also among others', async () => {
    const { tenant, grace } = await team()
    const flags = await Promise.all(Array.from({ length: 6 }, () => tenant.flag()))
    const update = ({ id }: Identified) => tenant.patch(tenant.flags(id), { filters: rollout(50) })
    await update(flags[0]!)
    const made = await update(flags[0]!)
    await policy(tenant, [grace])
    const heldOnes = await Promise.all(flags.slice(1).map(update))
    expect(heldOnes.map(({ body, line }) => [body.code, line.d1_round_trips])).toEqual(
      // One more reads the request that the response names.
      Array.from({ length: 5 }, () => ['approval_required', made.line.d1_round_trips + 1]),
    )
  })

  it('is made by the last approval that it needs, in the name of its author', async () => {
    const { tenant, grace, linus } = await team()
    const flag = await tenant.flag({ filters: rollout(10) })
    await policy(tenant, [grace, linus], { quorum: 2 })
    const id = await held(tenant, flag.id, { filters: rollout(50), tags: ['vip'] })
    const first = await approve(grace, id, { reason: 'fine' })
    expect(first).toMatchObject({
      status: 200,
      body: {
        status: 'approved',
        message: 'Approval recorded. 1/2 approvals received.',
        change_request: {
          state: 'pending',
          can_approve: false,
          user_decision: 'approved',
          approvals: [
            {
              created_by: { id: grace.user.id },
              decision: 'approved',
              reason: 'fine',
              created_at: AT,
              is_counted: true,
            },
          ],
        },
      },
    })
    expect(await flagOf(tenant, flag.id)).toEqual(flag)
    expect(seen(await approve(grace, id))).toEqual({
      status: 400,
      body: { error: 'You have already voted on this change request.' },
    })

    const last = await approve(linus, id)
    const record = await requestOf(linus, id)
    expect(seen(last)).toEqual({
      status: 200,
      body: {
        status: 'applied',
        message: 'Quorum reached. Change applied successfully.',
        change_request: record,
        result: { resource_id: flag.id, resource_version: 2 },
      },
    })
    expect(record).toMatchObject({
      state: 'applied',
      applied_at: AT,
      applied_by: { id: tenant.user.id },
      result_data: { resource_id: flag.id, resource_version: 2 },
      approvals: [{ created_by: { id: grace.user.id } }, { created_by: { id: linus.user.id } }],
    })
    expect(record.intent).toMatchObject({
      current_state: { rollout_percentage: [{ path: 'groups[0].rollout_percentage', value: 10 }] },
      gated_changes: { rollout_percentage: [{ path: 'groups[0].rollout_percentage', value: 50 }] },
    })
    expect(await flagOf(tenant, flag.id)).toMatchObject({
      version: 2,
      filters: { groups: [{ rollout_percentage: 50 }] },
      tags: ['vip'],
      last_modified_by: { id: tenant.user.id },
    })
    const { body: activity } = await tenant.get(tenant.flags(`${flag.id}/activity`))
    expect(activity.results[0]).toMatchObject({
      user: { email: tenant.user.email },
      activity: 'updated',
      detail: {
        trigger: { job_type: 'change_request', job_id: id, payload: { change_request_id: id } },
      },
    })
    const { body: log } = await tenant.get(
      `/api/projects/${tenant.projectId}/activity_log/?scope=ChangeRequest&item_id=${id}`,
    )
    expect(
      log.results.map(({ activity: verb, user, detail }: Entry) => [verb, user.email, detail.changes.length]),
    ).toEqual([
      ['approved', linus.user.email, 1],
      ['approved', grace.user.email, 0],
      ['created', tenant.user.email, 0],
    ])
    expect(seen(await approve(grace, id))).toEqual(forbidden('Only pending change requests can be approved'))
  })

  it('names no filters that only lose legacy parts, and is made though they have changed since', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag({ active: false, filters: rollout(10) })
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    await database()
      .update(featureFlags)
      .set({ filters: { ...flag.filters, super_groups: [], holdout_groups: [] } })
      .where(eq(featureFlags.id, flag.id))
    const id = await held(tenant, flag.id, { active: true })
    expect((await requestOf(tenant, id)).intent_display).toEqual({
      description: `Enable feature flag '${flag.key}'`,
      before: { active: false },
      after: { active: true },
    })
    await tenant.patch(tenant.flags(flag.id), { filters: rollout(20) })
    expect(await requestOf(tenant, id)).toMatchObject({ validation_status: 'valid' })
    expect((await approve(grace, id)).body).toMatchObject({ status: 'applied' })
    expect(await flagOf(tenant, flag.id)).toMatchObject({
      active: true,
      filters: { groups: [{ rollout_percentage: 20 }] },
    })
  })

  it('is made though its filters have lost legacy parts since', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag({ filters: rollout(10) })
    await policy(tenant, [grace])
    await database()
      .update(featureFlags)
      .set({ filters: { ...flag.filters, super_groups: [] } })
      .where(eq(featureFlags.id, flag.id))
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    await tenant.patch(tenant.flags(flag.id), { name: 'saved' })
    expect(await requestOf(tenant, id)).toMatchObject({ validation_status: 'valid' })
    expect((await approve(grace, id)).body).toMatchObject({ status: 'applied' })
  })

  it('is made though other fields of the flag have changed since', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag({
      tags: ['a'],
      evaluation_contexts: ['web'],
      filters: { ...rollout(10), payloads: { true: '{"2": "ü", "1": null}' } },
    })
    await policy(tenant, [grace])
    const id = await held(tenant, flag.id, {
      filters: rollout(50),
      tags: ['b'],
      evaluation_contexts: ['docs'],
      rollback_conditions: [{ at: 1.5 }],
      ensure_experience_continuity: true,
    })
    await tenant.patch(tenant.flags(flag.id), { name: 'other', active: false })
    expect(await requestOf(tenant, id)).toMatchObject({ validation_status: 'valid' })
    expect((await approve(grace, id)).body).toMatchObject({
      status: 'applied',
      result: { resource_version: 3 },
    })
    expect(await flagOf(tenant, flag.id)).toMatchObject({
      name: 'other',
      active: false,
      tags: ['b'],
      filters: { groups: [{ rollout_percentage: 50 }] },
    })
  })

  it('fails when a field that it changes, or the key, has changed since', async () => {
    const { tenant, grace, linus } = await team()
    await policy(tenant, [linus], { bypass_org_membership_levels: [8] })
    const requested = {
      filters: rollout(50),
      tags: ['b'],
      evaluation_contexts: ['docs'],
      ensure_experience_continuity: null,
    }
    for (const [field, change] of [
      ['filters', { filters: rollout(40) }],
      ['tags', { tags: ['c'] }],
      ['evaluation_contexts', { evaluation_contexts: [] }],
      ['ensure_experience_continuity', { ensure_experience_continuity: true }],
      ['key', { key: 'renamed' }],
    ] as const) {
      const flag = await tenant.flag({ tags: ['a'], evaluation_contexts: ['web'] })
      const id = await held(grace, flag.id, requested)
      await tenant.patch(tenant.flags(flag.id), change)
      expect(await requestOf(tenant, id), field).toMatchObject({ validation_status: 'stale' })
      const problem = `The flag has changed since the request was made: ${field}.`
      expect(await approve(linus, id)).toMatchObject({
        status: 200,
        body: {
          status: 'failed',
          message: `Quorum reached but application failed: ${problem}`,
          change_request: { state: 'failed', apply_error: problem, approvals: [{ decision: 'approved' }] },
        },
      })
      expect(await flagOf(tenant, flag.id), field).toMatchObject({ ...change, version: 2 })
      if (field === 'filters') expect(await held(grace, flag.id, requested)).not.toBe(id)
    }
  })

  it.each([
    ['a restoration', { deleted: true }, { deleted: false }, { active: true }],
    ['a deletion', {}, { deleted: true }, { active: true }],
    ['a new key', {}, { key: 'renamed' }, { active: true }],
  ])('of %s fails when the flag has been enabled since', async (_, first, change, since) => {
    const { tenant, grace, linus } = await team()
    await policy(tenant, [linus], {
      conditions: { type: 'any_change', field: 'rollout_percentage' },
      bypass_org_membership_levels: [8],
    })
    const flag = await tenant.flag({ active: false, filters: rollout(10) })
    await tenant.patch(tenant.flags(flag.id), first)
    const id = await held(grace, flag.id, { ...change, filters: rollout(11) })
    expect((await tenant.patch(tenant.flags(flag.id), since)).status).toBe(200)
    expect(await requestOf(tenant, id)).toMatchObject({ validation_status: 'stale' })
    expect(await approve(linus, id)).toMatchObject({
      status: 200,
      body: { status: 'failed', change_request: { apply_error: expect.stringContaining('active') } },
    })
    expect(await flagOf(tenant, flag.id)).toMatchObject({ ...first, key: flag.key, active: true })
  })

  it('fails when a bulk delete, which keeps the version, has deleted the flag', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag({ active: false })
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    const id = await held(tenant, flag.id, { active: true })
    await tenant.post(tenant.flags('bulk_delete'), { ids: [flag.id] })
    expect((await approve(grace, id)).body).toMatchObject({
      status: 'failed',
      change_request: { apply_error: 'The flag has been deleted since the request was made.' },
    })
  })

  it('fails when a rule of flags rejects it by then', async () => {
    const { tenant, grace } = await team()
    const target = await tenant.flag()
    const flag = await tenant.flag({ active: false })
    await tenant.patch(tenant.flags(flag.id), {
      filters: {
        groups: [
          {
            properties: [
              { key: String(target.id), type: 'flag', operator: 'flag_evaluates_to', value: true },
            ],
          },
        ],
      },
    })
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    const id = await held(tenant, flag.id, { active: true })
    await tenant.patch(tenant.flags(target.id), { active: false })
    const { body } = await approve(grace, id)
    expect(body.status).toBe('failed')
    expect(body.change_request.apply_error).toMatch(/^Cannot enable this feature flag because it depends on/)
  })

  const losses: [string, (author: Tenant) => Promise<unknown>][] = [
    [
      'has left the organization',
      ({ user }) => database().delete(memberships).where(eq(memberships.userId, user.id)),
    ],
    ['has become a viewer', (author) => setLevel(author, 0)],
    [
      'is deactivated',
      ({ user }) => database().update(users).set({ isActive: false }).where(eq(users.id, user.id)),
    ],
  ]
  const MAY_NOT = 'Who requested it may no longer change flags. Another member can make the change again.'

  it.each(losses)('fails when its author %s', async (_, lose) => {
    const { tenant, grace, linus } = await team()
    await policy(tenant, [linus])
    const flag = await tenant.flag()
    const id = await held(grace, flag.id, { filters: rollout(50) })
    await lose(grace)
    expect(await approve(linus, id)).toMatchObject({
      status: 200,
      body: {
        status: 'failed',
        message: `Quorum reached but application failed: ${MAY_NOT}`,
        change_request: { state: 'failed', apply_error: MAY_NOT, approvals: [{ decision: 'approved' }] },
      },
    })
    expect(await flagOf(tenant, flag.id)).toMatchObject({ version: 1 })
    await held(tenant, flag.id, { filters: rollout(50) })
  })

  it('fails when its author becomes a viewer during the change', async () => {
    const { tenant: on, overtake } = await createOvertaken('update "change_requests"')
    const { tenant, grace, linus } = await team(on)
    await policy(tenant, [linus])
    const flag = await tenant.flag()
    const id = await held(grace, flag.id, { filters: rollout(50) })
    overtake(() => setLevel(grace, 0))
    expect((await approve(linus, id)).body).toMatchObject({
      status: 'failed',
      change_request: { apply_error: MAY_NOT },
    })
    expect(await flagOf(tenant, flag.id)).toMatchObject({ version: 1 })
  })

  it('is rejected with a reason, and can be requested again', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace])
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    const reject = (body: object) => grace.post(requests(grace, `${id}/reject`), body)
    expect(seen(await reject({}))).toEqual({
      status: 400,
      body: { error: 'A reason is required for rejection.' },
    })
    expect(await reject({ reason: 'Too early.' })).toMatchObject({
      status: 200,
      body: {
        status: 'rejected',
        message: 'Change request rejected.',
        change_request: { state: 'rejected', approvals: [{ decision: 'rejected', reason: 'Too early.' }] },
      },
    })
    expect(await flagOf(tenant, flag.id)).toEqual(flag)
    expect(await held(tenant, flag.id, { filters: rollout(50) })).not.toBe(id)
  })

  it('is canceled by its author only', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace])
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    const cancel = (who: Tenant) => who.post(requests(who, `${id}/cancel`))
    expect(seen(await cancel(grace))).toEqual(forbidden('You can only cancel your own change requests'))
    expect(await cancel(tenant)).toMatchObject({
      status: 200,
      body: {
        status: 'canceled',
        message: 'Change request canceled.',
        change_request: {
          state: 'rejected',
          approvals: [{ created_by: { id: tenant.user.id }, reason: 'Canceled by requester' }],
        },
      },
    })
    expect(seen(await cancel(tenant))).toEqual(forbidden('Only pending change requests can be canceled'))
  })

  it('expires', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace], { expires_after: '01:00:00' })
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    tenant.clock.advance({ minutes: 60 })
    expect(await requestOf(tenant, id)).toMatchObject({
      state: 'expired',
      validation_status: 'expired',
      can_cancel: false,
    })
    expect(seen(await approve(grace, id))).toEqual(forbidden('Only pending change requests can be approved'))
    const listed = async (state: string) =>
      (await tenant.get(`${requests(tenant)}?state=${state}`)).body.results.map(
        ({ id: one }: Identified) => one,
      )
    expect([await listed('expired'), await listed('pending')]).toEqual([[id], []])
    const next = await held(tenant, flag.id, { filters: rollout(50) })
    expect(await listed('expired,pending')).toEqual([next, id])
  })
})

describe('who may vote', () => {
  it('is an approver, and the author only if the policy allows it', async () => {
    const { tenant, grace, linus } = await team()
    const flag = await tenant.flag()
    const { id: policyId } = await policy(tenant, [tenant, grace])
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    expect(seen(await approve(tenant, id))).toEqual(forbidden('You cannot approve your own change request'))
    expect(seen(await approve(linus, id))).toEqual(
      forbidden('You are not in the approver set for this change request'),
    )
    const votable = async (who: Tenant) =>
      (await who.get(`${requests(who)}?can_approve=true&limit=1`)).body.count
    expect([await votable(tenant), await votable(linus), await votable(grace)]).toEqual([0, 0, 1])

    await tenant.patch(`/api/projects/${tenant.projectId}/approval_policies/${policyId}/`, {
      allow_self_approve: true,
    })
    // The request keeps the policy that it was made under.
    expect((await approve(tenant, id)).status).toBe(403)
    expect((await grace.post(requests(grace, `${id}/reject`), { reason: 'no' })).status).toBe(200)
    const own = await held(tenant, flag.id, { filters: rollout(50) })
    expect((await approve(tenant, own)).body).toMatchObject({ status: 'applied' })
  })

  it('is not a former member of the organization', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace])
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    expect((await grace.get(requests(grace, id))).status).toBe(200)
    await database().delete(memberships).where(eq(memberships.userId, grace.user.id))
    // Their key is still known as that of a member.
    expect(seen(await approve(grace, id))).toEqual(
      forbidden('You are not in the approver set for this change request'),
    )
  })

  it('is not a viewer', async () => {
    const { tenant, grace, linus } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace, linus])
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    // In one isolate the key is still known as that of a member.
    expect((await grace.get(requests(grace, id))).body.can_approve).toBe(true)
    await setLevel(grace, 0)
    expect(seen(await approve(grace, id))).toEqual(
      forbidden('You are not in the approver set for this change request'),
    )
    await setLevel(linus, 0)
    const record = await linus.get(requests(linus, id))
    expect(record.body).toMatchObject({ state: 'pending', can_approve: false, can_cancel: false })
    expect((await linus.get(`${requests(linus)}?can_approve=true`)).body.count).toBe(0)
    expect((await linus.get(`${requests(linus)}?can_approve=false`)).body.count).toBe(1)
    expect(seen(await approve(linus, id))).toEqual(
      forbidden(expect.stringContaining('is read-only (viewer)') as string),
    )
    const another = await tenant.post(policies(tenant), {
      action_key: 'feature_flag.enable',
      approver_config: { quorum: 1, users: [grace.user.id] },
    })
    expect(another).toMatchObject({ status: 400, body: { attr: 'approver_config__users' } })
  })

  it('needs the scope approvals:write', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace])
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    const reader = await grace.withKey({ scopes: ['approvals:read', 'feature_flag:write'] })
    const response = await reader.post(requests(tenant, `${id}/approve`))
    expect(seen(response)).toEqual(forbidden("API key missing required scope 'approvals:write'"))
  })
})

describe('an approval', () => {
  /** A request that needs two approvals of three people, and has the first. */
  async function approvedOnce(on?: Tenant) {
    const { tenant, grace, linus } = await team(on)
    const alan = await colleague(tenant)
    const flag = await tenant.flag()
    await policy(tenant, [grace, linus, alan], { quorum: 2 })
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    expect((await approve(grace, id)).body).toMatchObject({ status: 'approved' })
    return { tenant, grace, linus, alan, flag, id }
  }
  const HALF = { status: 'approved', message: 'Approval recorded. 1/2 approvals received.' }
  const ofGrace = ({ user }: Tenant) => eq(memberships.userId, user.id)

  it.each<[string, (grace: Tenant) => Promise<unknown>]>([
    ['has left the organization', (grace) => database().delete(memberships).where(ofGrace(grace))],
    ['has become a viewer', (grace) => setLevel(grace, 0)],
    [
      'is deactivated',
      (grace) => database().update(users).set({ isActive: false }).where(eq(users.id, grace.user.id)),
    ],
  ])('does not count once its user %s', async (_, change) => {
    const { tenant, grace, linus, alan, flag, id } = await approvedOnce()
    await change(grace)
    expect((await requestOf(tenant, id)).approvals).toMatchObject([{ is_counted: false }])
    expect((await approve(linus, id)).body).toMatchObject(HALF)
    expect(await flagOf(tenant, flag.id)).toMatchObject({ version: 1 })
    expect((await approve(alan, id)).body).toMatchObject({
      status: 'applied',
      change_request: { approvals: [{}, { is_counted: true }, { is_counted: true }] },
    })
    expect(await flagOf(tenant, flag.id)).toMatchObject({ version: 2 })
  })

  it('counts again once its user is a member again', async () => {
    const { grace, linus, alan, id } = await approvedOnce()
    await setLevel(grace, 0)
    expect((await approve(linus, id)).body).toMatchObject(HALF)
    await setLevel(grace, 1)
    expect((await approve(alan, id)).body).toMatchObject({ status: 'applied' })
  })

  it('does not count when its user becomes a viewer during the change', async () => {
    const { tenant: on, overtake } = await createOvertaken('update "change_requests"')
    const { tenant, grace, linus, flag, id } = await approvedOnce(on)
    overtake(() => setLevel(grace, 0))
    expect((await approve(linus, id)).body).toMatchObject(HALF)
    expect((await requestOf(tenant, id)).approvals).toMatchObject([
      { is_counted: false },
      { is_counted: true },
    ])
    expect(await flagOf(tenant, flag.id)).toMatchObject({ version: 1 })
  })
})

describe('two calls at the same moment', () => {
  it('apply a change once when both votes would be the last', async () => {
    const { tenant, grace, linus } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace, linus])
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    const votes = await Promise.all([approve(grace, id), approve(linus, id)])
    expect(votes.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await flagOf(tenant, flag.id)).toMatchObject({ version: 2 })
    expect((await requestOf(tenant, id)).approvals).toHaveLength(1)
  })

  it('count both votes of a quorum of two', async () => {
    const { tenant, grace, linus } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace, linus], { quorum: 2 })
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    const votes = await Promise.all([approve(grace, id), approve(linus, id)])
    expect(votes.map(({ body }) => body.status).sort()).toEqual(['applied', 'approved'])
    expect(await flagOf(tenant, flag.id)).toMatchObject({ version: 2 })
  })

  it('apply the approval and the edit of another field, or one edit of the same field', async () => {
    const { tenant, grace, linus } = await team()
    await policy(tenant, [linus], { bypass_org_membership_levels: [8] })
    for (const [edit, name, value] of [
      [{ name: 'edited' }, 'edited', 50],
      [{ filters: rollout(40) }, '', 40],
    ] as const) {
      const flag = await tenant.flag({ filters: rollout(10) })
      const id = await held(grace, flag.id, { filters: rollout(50) })
      const [vote, edited] = await Promise.all([
        approve(linus, id),
        tenant.patch(tenant.flags(flag.id), edit),
      ])
      expect([vote.status, edited.status]).toEqual([200, 200])
      const isApplied = vote.body.status === 'applied'
      expect(isApplied || 'filters' in edit).toBe(true)
      expect(await flagOf(tenant, flag.id)).toMatchObject({
        version: isApplied ? 3 : 2,
        name,
        filters: { groups: [{ rollout_percentage: value }] },
      })
      expect((await requestOf(tenant, id)).state).toBe(isApplied ? 'applied' : 'failed')
    }
  })

  it('make one request of two equal updates', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace])
    const update = () => tenant.patch(tenant.flags(flag.id), { filters: rollout(50) })
    const both = await Promise.all([update(), update()])
    expect(both.map(({ body }) => body.code).sort()).toEqual(['approval_required', 'change_request_pending'])
    expect(new Set(both.map(({ body }) => body.change_request_id)).size).toBe(1)
  })

  it('make one request of two equal updates in two objects of the project', async () => {
    const { tenant, grace } = await team()
    const [flag, other] = [await tenant.flag(), await tenant.flag()]
    await policy(tenant, [grace])
    const id = await held(tenant, other.id, { filters: rollout(50) })
    let writes = 0
    await replaceDatabase(tenant, (real) =>
      withBatch(real, async (texts, run) => {
        // The other object makes its request after this one has read those that wait.
        if (texts.some((text) => text.startsWith('insert into "change_requests"')) && (writes += 1) === 1) {
          await copyRequest(id, 'pending', 1)
          await database()
            .update(changeRequests)
            .set({ flagId: flag.id })
            .where(eq(changeRequests.id, `${id}0`))
        }
        return run()
      }),
    )
    expect(seen(await tenant.patch(tenant.flags(flag.id), { filters: rollout(50) }))).toMatchObject({
      status: 409,
      body: { code: 'change_request_pending', change_request_id: `${id}0` },
    })
    expect(writes).toBe(1)
  })
})

describe('every way of writing a flag', () => {
  const all = async (count = 1) => {
    const { tenant, grace } = await team()
    const flags = []
    while (flags.length < count) flags.push(await tenant.flag({ filters: rollout(10) }))
    for (const action of ['update', 'enable', 'disable'])
      await policy(tenant, [grace], { action_key: `feature_flag.${action}` })
    return { tenant, grace, flags, flag: flags[0] }
  }

  it('holds an update of each field that decides who gets what', async () => {
    const updates = [
      { filters: rollout(20) },
      { key: 'renamed' },
      { deleted: true },
      { evaluation_contexts: ['docs'] },
      { evaluation_runtime: 'server' },
      { bucketing_identifier: 'device_id' },
      { ensure_experience_continuity: true },
      { active: false },
    ]
    const { tenant, flags } = await all(updates.length)
    for (const [at, body] of updates.entries()) {
      await held(tenant, flags[at].id, body)
      expect(await flagOf(tenant, flags[at].id), JSON.stringify(body)).toEqual(flags[at])
    }
  })

  it('lets a name, tags and dashboards pass', async () => {
    const { tenant, flag } = await all()
    const body = { name: 'n', tags: ['t'], analytics_dashboards: [], filters: flag.filters, key: flag.key }
    expect(await tenant.patch(tenant.flags(flag.id), body)).toMatchObject({
      status: 200,
      body: { version: 2 },
    })
  })

  it('holds archiving, enabling and restoring', async () => {
    const { tenant, grace, flag } = await all()
    await approve(grace, await held(tenant, flag.id, { active: false }))
    await approve(grace, await held(tenant, flag.id, { archived: true }))
    expect(await flagOf(tenant, flag.id)).toMatchObject({ active: false, archived: true })
    await approve(grace, await held(tenant, flag.id, { archived: false }))
    await approve(grace, await held(tenant, flag.id, { active: true }))
    await approve(grace, await held(tenant, flag.id, { deleted: true }))
    expect(await flagOf(tenant, flag.id)).toMatchObject({ deleted: true, version: 6 })
    await held(tenant, flag.id, { filters: rollout(100) })
    const id = await held(tenant, (await deletedFlag(tenant, grace)).id, { deleted: false })
    expect((await approve(grace, id)).body.status).toBe('applied')
  })

  const deletedFlag = async (tenant: Tenant, grace: Tenant) => {
    const flag = await tenant.flag({ active: false })
    await approve(grace, await held(tenant, flag.id, { deleted: true }))
    return flag
  }

  it('holds the deletion of an enabled flag where only disabling needs approval, and its restoration where enabling does', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace], { action_key: 'feature_flag.disable' })
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    await approve(grace, await held(tenant, flag.id, { deleted: true }))
    expect(await flagOf(tenant, flag.id)).toMatchObject({ deleted: true })
    await approve(grace, await held(tenant, flag.id, { deleted: false }))
    expect(await flagOf(tenant, flag.id)).toMatchObject({ deleted: false, active: true })
  })

  it('holds a bulk delete flag by flag', async () => {
    const { tenant, grace } = await team()
    const [enabled, disabled] = [await tenant.flag(), await tenant.flag({ active: false })]
    await policy(tenant, [grace], { action_key: 'feature_flag.disable' })
    const { status, body } = await tenant.post(tenant.flags('bulk_delete'), {
      ids: [enabled.id, disabled.id],
    })
    expect(status).toBe(200)
    expect(body.deleted).toMatchObject([{ id: disabled.id }])
    expect(body.errors).toEqual([
      {
        id: enabled.id,
        key: enabled.key,
        reason: 'Deleting this flag needs approval. Delete it by itself to request one.',
      },
    ])
    await policy(tenant, [grace])
    const other = await tenant.flag({ active: false })
    const all_ = await tenant.post(tenant.flags('bulk_delete'), { filters: { active: 'false' } })
    expect(all_.body).toMatchObject({ deleted: [], errors: [{ id: other.id }] })
  })

  it('makes a request of a scheduled change when it runs, unless it is canceled during the run', async () => {
    const { tenant: on, overtake } = await createOvertaken('insert into "change_requests"')
    const { tenant, grace } = await team(on)
    const flag = await tenant.flag({ active: false })
    const path = `/api/projects/${tenant.projectId}/scheduled_changes/`
    const schedule = () =>
      tenant.post(path, {
        record_id: flag.id,
        model_name: 'FeatureFlag',
        payload: { operation: 'update_status', value: true },
        scheduled_at: '2099-04-03T07:00:00Z',
      })
    await policy(tenant, [grace], { action_key: 'feature_flag.enable', expires_after: '90 00:00:00' })
    const { writeFlag } = createProjectObjects(env.PROJECTS, createMeter())
    const run = () =>
      runDueChanges(
        { db: database(), write: writeFlag, log: () => {} },
        tenant.projectId,
        new Date('2099-04-03T07:00:00Z'),
      )
    const { body: canceled } = await schedule()
    overtake(() => tenant.delete(`${path}${canceled.id}/`))
    await run()
    expect((await tenant.get(requests(tenant))).body.count).toBe(0)
    const { body: change } = await schedule()
    expect(await run()).toBe(false)
    tenant.clock.advance({ minutes: (Date.parse('2099-04-03T07:00:00Z') - Date.parse(AT)) / 60_000 })
    const { body } = await tenant.get(requests(tenant))
    const [{ id }] = body.results
    expect((await tenant.get(`${path}${change.id}/`)).body).toMatchObject({
      executed_at: '2099-04-03T07:00:00Z',
      failure_reason: `This change needs approval. Change request ${id} waits for it.`,
    })
    expect(await flagOf(tenant, flag.id)).toMatchObject({ active: false })
    expect((await approve(grace, id)).body).toMatchObject({ status: 'applied' })
    expect(await flagOf(tenant, flag.id)).toMatchObject({ active: true })
  })

  it('holds no creation where only updates need approval, and nothing while a policy is disabled', async () => {
    const { tenant, grace } = await team()
    const { id } = await policy(tenant, [grace])
    const flag = await tenant.flag()
    await tenant.patch(policies(tenant, id), { enabled: false })
    expect((await tenant.patch(tenant.flags(flag.id), { filters: rollout(5) })).status).toBe(200)
  })

  it('enables no key by a new flag where enabling needs approval', async () => {
    const { tenant, grace } = await team()
    const [gone, renamed, inBulk, on] = [
      await tenant.flag({ active: false }),
      await tenant.flag({ active: false }),
      await tenant.flag({ active: false }),
      await tenant.flag(),
    ]
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    const update = (flag: { id: number }, body: Json) => tenant.patch(tenant.flags(flag.id), body)
    expect((await update(gone, { deleted: true })).status).toBe(200)
    expect((await update(renamed, { key: 'aside' })).status).toBe(200)
    expect((await tenant.post(tenant.flags('bulk_delete'), { ids: [inBulk.id] })).body.deleted).toHaveLength(
      1,
    )
    for (const { key } of [gone, renamed, inBulk, { key: 'of_no_flag' }]) {
      for (const active of [{}, { active: true }])
        expect(seen(await tenant.post(tenant.flags(), { key, ...active }))).toEqual({
          status: 400,
          body: {
            type: 'validation_error',
            code: 'created_enabled',
            detail:
              'Enabling a flag needs approval in this project. Create it with active: false, then enable it.',
            attr: 'active',
          },
        })
      const { status, body } = await tenant.post(tenant.flags(), { key, active: false })
      expect(status).toBe(201)
      await held(tenant, body.id, { active: true })
      await tenant.patch(tenant.flags(body.id), { deleted: true })
    }
    // An enabled flag takes over the key of another only with approval.
    await held(tenant, on.id, { key: gone.key })
    expect(await flagOf(tenant, on.id)).toMatchObject({ key: on.key })
  })

  it('holds a new key of an enabled flag where only disabling needs approval', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag()
    await policy(tenant, [grace], { action_key: 'feature_flag.disable' })
    await held(tenant, flag.id, { key: 'renamed' })
  })
})

describe('bypass', () => {
  it('lets members of a level through, by themselves and in bulk', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace], { bypass_org_membership_levels: [8] })
    const flag = await tenant.flag()
    expect((await tenant.patch(tenant.flags(flag.id), { filters: rollout(5) })).status).toBe(200)
    await held(grace, flag.id, { filters: rollout(6) })
    const bulk = (who: Tenant) => who.post(tenant.flags('bulk_delete'), { ids: [flag.id] })
    expect((await bulk(grace)).body.deleted).toEqual([])
    expect((await bulk(tenant)).body.deleted).toHaveLength(1)
  })

  it('lets their scheduled changes through', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace], { action_key: 'feature_flag.enable', bypass_org_membership_levels: [8] })
    // Created enabled by such a member, too.
    const flag = await tenant.flag()
    await tenant.patch(tenant.flags(flag.id), { active: false })
    await tenant.post(`/api/projects/${tenant.projectId}/scheduled_changes/`, {
      record_id: flag.id,
      model_name: 'FeatureFlag',
      payload: { operation: 'update_status', value: true },
      scheduled_at: '2099-04-03T07:00:00Z',
    })
    const { writeFlag } = createProjectObjects(env.PROJECTS, createMeter())
    const deps = { db: database(), write: writeFlag, log: () => {} }
    await runDueChanges(deps, tenant.projectId, new Date('2099-04-03T07:00:00Z'))
    expect(await flagOf(tenant, flag.id)).toMatchObject({ active: true })
  })
})

describe('an update that two policies hold', () => {
  it('is not saved by a restoration that enables the flag too', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag({ active: false })
    await tenant.patch(tenant.flags(flag.id), { deleted: true })
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    await policy(tenant, [grace])
    expect(await tenant.patch(tenant.flags(flag.id), { deleted: false, active: true })).toMatchObject({
      status: 400,
      body: { code: 'policy_conflict' },
    })
    await held(tenant, flag.id, { deleted: false })
  })

  it('is not saved where a restoration or a new key comes with a percentage that another policy holds', async () => {
    const { tenant, grace } = await team()
    const [on, gone] = [
      await tenant.flag({ filters: rollout(10) }),
      await tenant.flag({ filters: rollout(10) }),
    ]
    await tenant.patch(tenant.flags(gone.id), { deleted: true })
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    await policy(tenant, [grace], { conditions: { type: 'any_change', field: 'rollout_percentage' } })
    for (const [id, change] of [
      [gone.id, { deleted: false }],
      [on.id, { key: 'another-key' }],
    ])
      expect(await tenant.patch(tenant.flags(id), { ...change, filters: rollout(11) })).toMatchObject({
        status: 400,
        body: { code: 'policy_conflict' },
      })
    await held(tenant, gone.id, { deleted: false })
  })

  it('answers 400 with both', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag({ active: false })
    const enable = await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    const update = await policy(tenant, [grace])
    const response = await tenant.patch(tenant.flags(flag.id), { active: true, filters: rollout(5) })
    const guidance = 'Split your changes into separate API calls to address each policy independently'
    expect(response.status).toBe(400)
    expect({ ...response.body, conflicting_policies: [] }).toEqual({
      type: 'validation_error',
      code: 'policy_conflict',
      detail: expect.stringContaining(guidance),
      attr: null,
      error: 'This change matches multiple approval policies',
      conflicting_policies: [],
      guidance,
    })
    expect(new Set(response.body.conflicting_policies.map(({ id }: Identified) => id))).toEqual(
      new Set([enable.id, update.id]),
    )
  })
})

describe('encrypted payloads', () => {
  it('are encrypted in the request, hidden in responses, and set by the approval', async () => {
    const { tenant, grace } = await team()
    const flag = await tenant.flag({
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [], payloads: { true: '"old secret"' } },
    })
    await policy(tenant, [grace])
    const id = await held(tenant, flag.id, {
      filters: { groups: flag.filters.groups, payloads: { true: '"new secret"' } },
    })
    const [row] = await database()
      .select({ change: sql<string>`change`.as('text') })
      .from(changeRequests)
      .where(eq(changeRequests.id, id))
    expect(row!.change).toMatch(/enc:/)
    expect(row!.change).not.toMatch(/secret/)
    const record = await requestOf(tenant, id)
    expect(record.intent_display).toMatchObject({
      before: { filters: { payloads: { true: '"********* (encrypted)"' } } },
      after: { filters: { payloads: { true: '"********* (encrypted)"' } } },
    })
    expect(JSON.stringify(record)).not.toMatch(/enc:|secret/)
    expect((await approve(grace, id)).body.status).toBe('applied')
    expect((await flagOf(tenant, flag.id)).filters.payloads).toEqual({ true: '"new secret"' })
  })
})

describe('bounds', () => {
  it.each([
    [MAX_PENDING, 'project', null],
    [MAX_PENDING_OF_REQUESTER, 'member', 'own'],
  ])('refuses the request after %i of a %s that wait', async (max, whose, own) => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace])
    const flag = await tenant.flag()
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    await copyRequest(id, 'pending', max - 1)
    if (own === null)
      await database()
        .update(changeRequests)
        .set({ createdById: null })
        .where(sql`${changeRequests.flagId} = ${flag.id} AND ${changeRequests.id} <> ${id}`)
    const other = await tenant.flag()
    expect(await tenant.patch(tenant.flags(other.id), { filters: rollout(50) })).toMatchObject({
      status: 400,
      body: {
        code: 'limit_reached',
        detail: `A ${whose} can have at most ${max} change requests that wait.`,
      },
    })
    if (own) await held(grace, other.id, { filters: rollout(50) })
  })

  it('rejects a change that is too large to wait', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace])
    const large = (letter: string) => ({
      ...rollout(50),
      payloads: { true: JSON.stringify(letter.repeat(520_000)) },
    })
    const flag = await tenant.flag({ filters: large('a') })
    const { status, body } = await tenant.patch(tenant.flags(flag.id), {
      filters: large('b'),
      name: 'n'.repeat(9_000),
    })
    expect({ status, detail: body.detail }).toEqual({
      status: 400,
      detail: expect.stringMatching(/^A change that needs approval can have at most 1048576 bytes/),
    })
  })
})

describe('staff who are an approver and impersonate another member', () => {
  const blocked = (detail = 'This action is not allowed during impersonation.') =>
    forbidden(detail, 'impersonation_path_blocked')

  it('make no change request that they could approve as themselves', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    const flag = await tenant.flag({ active: false })
    const browser = await impersonate(grace, tenant)
    expect(seen(await browser.patch(tenant.flags(flag.id), { active: true }))).toEqual(
      blocked('This change needs approval, which cannot be requested during impersonation.'),
    )
    expect((await tenant.get(requests(tenant))).body.count).toBe(0)
    expect((await browser.patch(tenant.flags(flag.id), { name: 'free' })).status).toBe(200)
  })

  it('schedule no change, which would become a request of the member, and can cancel one', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    const flag = await tenant.flag({ active: false })
    const schedules = `/api/projects/${tenant.projectId}/scheduled_changes/`
    const change = {
      record_id: flag.id,
      model_name: 'FeatureFlag',
      payload: { operation: 'update_status', value: true },
      scheduled_at: '2026-03-11T12:00:00Z',
    }
    const { body } = await tenant.post(schedules, change)
    const browser = await impersonate(grace, tenant)
    expect(seen(await browser.post(schedules, change))).toEqual(blocked())
    for (const method of ['PATCH', 'PUT'])
      expect(seen(await browser.send(method, `${schedules}${body.id}/`, { body: change }))).toEqual(blocked())
    expect((await browser.delete(`${schedules}${body.id}/`)).status).toBe(204)
  })

  it('write no policy, and vote on nothing', async () => {
    const { tenant, grace, linus } = await team()
    const { id } = await policy(tenant, [tenant, linus])
    const flag = await tenant.flag()
    const request = await held(linus, flag.id, { filters: rollout(50) })
    const browser = await impersonate(grace, tenant)
    const body = { action_key: 'feature_flag.enable', approver_config: { quorum: 1, users: [grace.user.id] } }
    expect(seen(await browser.post(policies(tenant), body))).toEqual(blocked())
    for (const method of ['PATCH', 'PUT', 'DELETE'])
      expect(
        seen(await browser.send(method, policies(tenant, id), { body: { enabled: false } })),
        method,
      ).toEqual(blocked())
    for (const vote of ['approve', 'reject', 'cancel'])
      expect(seen(await browser.post(requests(tenant, `${request}/${vote}`), { reason: 'x' }))).toEqual(
        blocked(),
      )
    expect((await browser.get(policies(tenant))).body.count).toBe(1)
  })
})

describe('the list', () => {
  it('is filtered by flag, action, requester and state, newest first', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace])
    await policy(tenant, [grace], { action_key: 'feature_flag.disable' })
    const [a, b] = [await tenant.flag(), await tenant.flag()]
    const first = await held(tenant, a.id, { filters: rollout(50) })
    const second = await held(grace, b.id, { active: false })
    const listed = async (query: string) =>
      (await tenant.get(`${requests(tenant)}?${query}`)).body.results.map(({ id: one }: Identified) => one)
    expect(await listed('')).toEqual([second, first])
    expect(await listed(`resource_type=feature_flag&resource_id=${a.id}`)).toEqual([first])
    expect(await listed('action_key=feature_flag.disable')).toEqual([second])
    expect(await listed('action_type=feature_flag.update')).toEqual([first])
    expect(await listed(`requester=${grace.user.id}`)).toEqual([second])
    expect(await listed('state=applied,failed')).toEqual([])
    expect(await listed('state=approved')).toEqual([])
    expect(await listed('state=pending&limit=1&offset=1')).toEqual([first])
    for (const query of ['state=lost', 'requester=abc', 'resource_type=insight', 'action_key=x'])
      expect((await tenant.get(`${requests(tenant)}?${query}`)).status).toBe(400)
    expect((await tenant.get(`${requests(tenant)}?state=lost`)).body).toMatchObject({
      detail: expect.stringMatching(/^"lost" is not a valid choice\. /),
      attr: 'state',
    })
  })

  it('reads those that wait without those that ended', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace])
    const flag = await tenant.flag()
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    await copyRequest(id, 'applied', 500)
    const { body, line } = await grace.get(`${requests(grace)}?state=pending&can_approve=true&limit=1`)
    expect(body.count).toBe(1)
    expect(line.d1_rows_read).toBeLessThan(40)
  })

  it('has no request of other projects', async () => {
    const { tenant, grace } = await team()
    await policy(tenant, [grace])
    const flag = await tenant.flag()
    const id = await held(tenant, flag.id, { filters: rollout(50) })
    const { tenant: stranger } = await team()
    expect((await stranger.get(requests(stranger))).body.count).toBe(0)
    expect(await stranger.get(requests(stranger, id))).toMatchObject(NOT_FOUND)
    expect(await approve(await colleague(stranger), id)).toMatchObject(NOT_FOUND)
  })
})
