// Organizations. projects.test.ts has their projects, members.test.ts their members.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizations } from '../../../drizzle'
import { joinOrganization } from '../../support/database/account-rows'
import { forbidden, refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'
import { updateUser } from '../../support/user'
import { pathOf, team } from './project'

const stored = async ({ organizationId }: Tenant) =>
  (await database().select().from(organizations).where(eq(organizations.id, organizationId)))[0]!

describe('GET organizations/:id', () => {
  it('returns the full record', async () => {
    const tenant = await createTenant({ level: 8 })
    const { name, slug } = await stored(tenant)
    const expected = {
      id: tenant.organizationId,
      name,
      slug,
      logo_media_id: null,
      created_at: '2026-03-10T12:00:00Z',
      updated_at: '2026-03-10T12:00:00Z',
      membership_level: 8,
      plugins_access_level: 3,
      teams: [team(tenant)],
      projects: [
        {
          id: tenant.projectId,
          organization_id: tenant.organizationId,
          name: expect.stringMatching(/^Project/),
        },
      ],
      available_product_features: [],
      is_member_join_email_enabled: true,
      metadata: { instance_tag: 'none' },
      customer_id: null,
      enforce_2fa: null,
      members_can_invite: true,
      members_can_create_projects: false,
      members_can_use_personal_api_keys: true,
      allow_publicly_shared_resources: true,
      member_count: 1,
      is_ai_data_processing_approved: null,
      is_ai_training_opted_in: true,
      is_ai_training_locked: false,
      is_ai_training_cta_shown: true,
      is_hipaa: false,
      default_experiment_stats_method: 'bayesian',
      default_anonymize_ips: false,
      default_role_id: null,
      is_active: true,
      is_not_active_reason: null,
      is_pending_deletion: false,
    }
    expect(seen(await tenant.get(pathOf(tenant)))).toEqual({ status: 200, body: expected })
    expect((await tenant.get('/api/organizations/@current/')).body).toEqual(expected)
    const { line } = await tenant.get(pathOf(tenant))
    expect(line.d1_round_trips).toBe(1)
  })

  it('counts active members only', async () => {
    const harness = createHarness()
    const [tenant, second, gone] = [
      await createTenant({ harness }),
      await createTenant({ harness }),
      await createTenant({ harness }),
    ]
    for (const each of [second, gone]) await joinOrganization(each, tenant.organizationId)
    await updateUser(gone, { isActive: false })
    expect((await tenant.get(pathOf(tenant))).body.member_count).toBe(2)
  })
})

describe('GET organizations', () => {
  it("lists only the caller's", async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    const listed = async () =>
      (await tenant.get('/api/organizations/')).body.results.map((each: { id: string; teams: object[] }) => [
        each.id,
        each.teams.length,
      ])
    expect(await listed()).toEqual([[tenant.organizationId, 1]])
    await joinOrganization(tenant, other.organizationId)
    expect(new Map(await listed())).toEqual(
      new Map([
        [tenant.organizationId, 1],
        [other.organizationId, 1],
      ]),
    )
    const second = await tenant.get('/api/organizations/?limit=1&offset=1')
    expect(second.body).toMatchObject({
      count: 2,
      next: null,
      previous: expect.stringContaining('limit=1'),
      results: [{ id: tenant.organizationId, teams: [{ id: tenant.projectId }] }],
    })
    expect(second.line.d1_round_trips).toBe(1)
    const narrow = await tenant.withKey({ scopedOrganizations: [other.organizationId] })
    const { body } = await narrow.get('/api/organizations/')
    expect([body.count, body.results[0].id]).toEqual([1, other.organizationId])
  })
})

describe('PATCH organizations/:id', () => {
  it('logs what changed', async () => {
    const tenant = await createTenant({ level: 8 })
    const { name } = await stored(tenant)
    const body = { name: 'Acme', members_can_use_personal_api_keys: true, members_can_invite: false }
    for (let call = 0; call < 2; call += 1)
      expect((await tenant.patch(pathOf(tenant), body)).status).toBe(200)
    const log = await tenant.get(`/api/projects/${tenant.projectId}/activity_log/?scope=Organization`)
    const change = (field: string, before: unknown, after: unknown) => ({
      type: 'Organization',
      action: 'changed',
      field,
      before,
      after,
    })
    expect(log.body.results).toMatchObject([
      {
        activity: 'updated',
        item_id: tenant.organizationId,
        user: { email: tenant.user.email },
        detail: {
          name: 'Acme',
          changes: [change('name', name, 'Acme'), change('members_can_invite', true, false)],
        },
      },
    ])
  })

  it('updates sent fields, for admins', async () => {
    const tenant = await createTenant({ level: 8 })
    tenant.clock.advance({ hours: 1 })
    const before = (await tenant.get(pathOf(tenant))).body
    const body = { name: ' Sailors ', members_can_create_projects: true, slug: 'mine', id: 'x' }
    expect(seen(await tenant.patch(pathOf(tenant), body))).toEqual({
      status: 200,
      body: {
        ...before,
        name: 'Sailors',
        members_can_create_projects: true,
        updated_at: '2026-03-10T13:00:00Z',
      },
    })
  })

  it('rejects members, and demoted admins despite a cached actor', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.patch(pathOf(tenant), { name: 'Mine' }))).toEqual(
      forbidden('Your organization access level is insufficient.'),
    )
    const admin = await createTenant({ level: 8 })
    await admin.get(pathOf(admin))
    const before = await stored(admin)
    await setLevel(admin, 1)
    expect(seen(await admin.patch(pathOf(admin), { name: 'Mine' }))).toEqual(
      forbidden('Your organization access level is insufficient.'),
    )
    expect(await stored(admin)).toEqual(before)
  })

  it.each([
    [{ name: '' }, 'name', 'This field may not be blank.', 'blank'],
    [{ name: 'x'.repeat(65) }, 'name', 'Ensure this field has no more than 64 characters.', 'max_length'],
    [{ members_can_invite: 'maybe' }, 'members_can_invite', 'Must be a valid boolean.', undefined],
    [{ members_can_invite: null }, 'members_can_invite', 'This field may not be null.', 'null'],
  ])('rejects %j', async (body, attr, detail, code) => {
    const tenant = await createTenant({ level: 8 })
    expect(seen(await tenant.patch(pathOf(tenant), body))).toEqual(refused(attr, detail, code))
  })
})
