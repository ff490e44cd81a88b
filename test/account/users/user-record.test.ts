// The full record of a user, and where they work (docs/reference/accounts.md#user-record).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizations, personalApiKeys, scenePersonalisations } from '../../../drizzle'
import { newMembership, newProject } from '../../../src/account/provisioning'
import { createIds } from '../../../src/clock'
import { joinOrganization } from '../../support/database/account-rows'
import { dashboard } from '../../support/database/rows'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { event, sendBatch } from '../../support/capture'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { storedUser, updateUser } from '../../support/user'

const ME = '/api/users/@me/'

const read = async (tenant: Pick<Tenant, 'get'>) => (await tenant.get(ME)).body

/** Another project of the tenant's organization. Returns its id. */
async function secondProject(tenant: Tenant): Promise<number> {
  const context = { db: database(), ids: createIds(), now: tenant.clock.now() }
  const project = newProject(context, tenant.organizationId, 'Second')
  await project.statement
  const { body } = await tenant.get(`/api/organizations/${tenant.organizationId}/projects/`)
  return body.results.at(-1).id
}

describe('the record of a user', () => {
  it('has every field of the spec and no secret', async () => {
    const tenant = await createTenant({ level: 15 })
    const { uuid, email, id } = tenant.user
    const { distinctId } = await storedUser(tenant)
    const organization = (await tenant.get(`/api/organizations/${tenant.organizationId}/`)).body
    const [team] = organization.teams
    expect(await read(tenant)).toEqual({
      date_joined: '2026-03-10T12:00:00Z',
      uuid,
      distinct_id: distinctId,
      first_name: 'Ada',
      last_name: '',
      email,
      pending_email: null,
      is_email_verified: true,
      notification_settings: {
        plugin_disabled: true,
        discussions_mentioned: true,
        project_weekly_digest_disabled: {},
        all_weekly_digest_disabled: false,
        error_tracking_issue_assigned: true,
        error_tracking_weekly_digest: true,
        data_pipeline_error_threshold: 0.01,
        project_api_key_exposed: true,
        materialized_view_sync_failed: false,
        web_analytics_weekly_digest: true,
        organization_member_join_email_disabled: {},
      },
      anonymize_data: false,
      allow_impersonation: true,
      toolbar_mode: 'toolbar',
      has_password: false,
      id,
      is_staff: false,
      is_impersonated: false,
      is_impersonated_until: null,
      is_impersonated_read_only: null,
      is_impersonated_reason: null,
      sensitive_session_expires_at: null,
      team,
      organization,
      organizations: [
        {
          id: organization.id,
          name: organization.name,
          slug: organization.slug,
          logo_media_id: null,
          membership_level: 15,
          members_can_use_personal_api_keys: true,
          is_active: true,
          is_not_active_reason: null,
          is_pending_deletion: false,
        },
      ],
      events_column_config: { active: 'DEFAULT' },
      is_2fa_enabled: false,
      has_social_auth: false,
      has_sso_enforcement: false,
      has_seen_product_intro_for: null,
      scene_personalisation: [],
      theme_mode: null,
      hedgehog_config: null,
      allow_sidebar_suggestions: null,
      set_current_organization: tenant.organizationId,
      set_current_team: String(tenant.projectId),
      shortcut_position: 'above',
      role_at_organization: null,
      passkeys_enabled_for_2fa: false,
      hide_mcp_hints: false,
      onboarding_skipped_at: null,
      onboarding_skipped_reason: null,
      onboarding_skipped_organization_id: null,
      onboarding_delegated_to_invite: null,
      onboarding_delegated_to_organization_id: null,
      onboarding_delegation_accepted_at: null,
      is_organization_first_user: true,
      active_realtime_notification_types: [
        'comment_mention',
        'alert_firing',
        'approval_requested',
        'approval_resolved',
        'pipeline_failure',
        'issue_assigned',
      ],
      pending_invites: [],
      requires_credential_review: true,
    })
  })

  describe('has for a key only what it reaches:', () => {
    /** A user who is in a second organization too, where they work, and their record. */
    async function somebody() {
      const harness = createHarness()
      const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
      await joinOrganization(tenant, other.organizationId)
      for (const place of [tenant, other])
        await database()
          .insert(scenePersonalisations)
          .values({
            userId: tenant.user.id,
            projectId: place.projectId,
            scene: 'Home',
            dashboardId: await dashboard(place),
          })
      await updateUser(tenant, {
        currentOrganizationId: other.organizationId,
        currentProjectId: other.projectId,
        onboardingSkippedOrganizationId: other.organizationId,
      })
      const [second, own] = (await read(tenant)).organizations
      return { tenant, other, own, second, whole: await read(tenant) }
    }

    const ids = (body: { teams: { id: number }[]; projects: { id: number }[] }) => [
      body.teams.map(({ id }) => id),
      body.projects.map(({ id }) => id),
    ]

    it('neither the current organization nor the project, if it is restricted to others', async () => {
      const { tenant, own, whole } = await somebody()
      const reached = {
        ...whole,
        team: null,
        organization: null,
        organizations: [own],
        set_current_organization: null,
        set_current_team: null,
        scene_personalisation: [whole.scene_personalisation[0]],
        onboarding_skipped_organization_id: null,
        is_organization_first_user: null,
      }
      for (const restriction of [
        { scopedOrganizations: [tenant.organizationId] },
        { scopedTeams: [tenant.projectId] },
      ]) {
        const key = await tenant.withKey(restriction)
        expect(await read(key)).toEqual(reached)
        expect((await key.patch(ME, { theme_mode: null })).body).toEqual(reached)
      }
    })

    it('of an organization, the projects to which it is restricted', async () => {
      const { tenant, other, second, whole } = await somebody()
      const added = await secondProject(other)
      expect(ids((await read(tenant)).organization)).toEqual([
        [other.projectId, added],
        [other.projectId, added],
      ])
      const key = await tenant.withKey({ scopedTeams: [other.projectId] })
      const record = await read(key)
      expect(record.organizations).toEqual([second])
      expect([record.team, ids(record.organization)]).toEqual([
        whole.team,
        [[other.projectId], [other.projectId]],
      ])
      const elsewhere = await read(await tenant.withKey({ scopedTeams: [added] }))
      expect([elsewhere.team, ids(elsewhere.organization)]).toEqual([null, [[added], [added]]])
    })

    it('no organization that rejects keys of members', async () => {
      const { tenant, other, own } = await somebody()
      await database()
        .update(organizations)
        .set({ membersCanUsePersonalApiKeys: false })
        .where(eq(organizations.id, other.organizationId))
      expect(await read(tenant)).toMatchObject({ team: null, organization: null, organizations: [own] })
      expect((await read(await signIn(tenant))).organization.id).toBe(other.organizationId)
    })

    it('no invites, if it is restricted', async () => {
      const { tenant, other } = await somebody()
      const host = await createTenant({ harness: other })
      const invites = `/api/organizations/${host.organizationId}/invites/`
      await host.post(invites, { target_email: tenant.user.email })
      const waiting = async (key: Tenant) => (await read(key)).pending_invites.length
      expect(await waiting(tenant)).toBe(1)
      expect(await waiting(await tenant.withKey({ scopedTeams: [tenant.projectId] }))).toBe(0)
    })
  })

  it('shows sessions when recent authentication expires', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    tenant.clock.advance({ hours: 1 })
    const { sensitive_session_expires_at: until, is_impersonated } = await read(browser)
    expect([until, is_impersonated]).toEqual(['2026-03-10T14:00:00Z', false])
  })

  it('shows the impersonation to staff', async () => {
    const harness = createHarness()
    const [staff, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await updateUser(staff, { isStaff: true })
    const browser = await signIn(staff, {
      impersonatedUserId: other.user.id,
      impersonationReason: 'support',
      impersonationReadOnly: true,
      impersonationStartedAt: harness.clock.now().toISOString().replace('Z', '000Z'),
    })
    expect(await read(browser)).toMatchObject({
      uuid: other.user.uuid,
      is_staff: false,
      is_impersonated: true,
      is_impersonated_until: '2026-03-10T12:30:00Z',
      is_impersonated_read_only: true,
      is_impersonated_reason: 'support',
      requires_credential_review: false,
    })
  })

  it('requires a credential review while keys are unreviewed', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    expect((await read(browser)).requires_credential_review).toBe(true)
    await updateUser(tenant, { credentialsReviewedAt: '2026-03-10T12:00:00.000000Z' })
    expect((await read(browser)).requires_credential_review).toBe(false)
    await updateUser(tenant, { credentialsReviewedAt: null })
    await database().delete(personalApiKeys).where(eq(personalApiKeys.userId, tenant.user.id))
    expect((await read(browser)).requires_credential_review).toBe(false)
  })

  it('takes one round trip, with constant rows read', async () => {
    const tenant = await createTenant()
    await tenant.get(ME)
    const before = (await tenant.get(ME)).line
    expect(before.d1_round_trips).toBe(1)
    await sendBatch(tenant, [event('ada')])
    await updateUser(tenant, { lastName: 'L' })
    const after = await tenant.get(ME)
    expect(after.body.team.ingested_event).toBe(true)
    expect(after.line.d1_rows_read).toBeLessThanOrEqual(before.d1_rows_read + 2)
    expect(before.d1_rows_read).toBeLessThanOrEqual(60)
  })
})

describe('the current organization and project', () => {
  const place = async (tenant: Tenant) => {
    const { team, organization } = await read(tenant)
    return [organization?.id ?? null, team?.id ?? null]
  }

  it('defaults to the first accessible project', async () => {
    const harness = createHarness()
    const [first, second] = [await createTenant({ harness }), await createTenant({ harness })]
    await joinOrganization(second, first.organizationId)
    expect(await place(second)).toEqual([first.organizationId, first.projectId])
    await updateUser(second, { currentOrganizationId: second.organizationId })
    expect(await place(second)).toEqual([second.organizationId, second.projectId])
    await updateUser(second, { currentOrganizationId: null, currentProjectId: second.projectId })
    expect(await place(second)).toEqual([second.organizationId, second.projectId])
  })

  it('belongs to the chosen organization, not to the project chosen before', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await joinOrganization(tenant, other.organizationId)
    const second = await secondProject(tenant)
    await updateUser(tenant, { currentOrganizationId: tenant.organizationId, currentProjectId: second })
    expect(await place(tenant)).toEqual([tenant.organizationId, second])
    await updateUser(tenant, { currentOrganizationId: other.organizationId })
    expect(await place(tenant)).toEqual([other.organizationId, other.projectId])
  })

  it('is always accessible, and the same as @current', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await updateUser(tenant, {
      currentOrganizationId: other.organizationId,
      currentProjectId: other.projectId,
    })
    expect(await place(tenant)).toEqual([tenant.organizationId, tenant.projectId])
    expect((await tenant.get('/api/projects/@current/')).body.id).toBe(tenant.projectId)
    expect((await tenant.get('/api/organizations/@current/')).body.id).toBe(tenant.organizationId)
  })

  it('can be an organization without projects, or null', async () => {
    const tenant = await createTenant()
    await database().run(`DELETE FROM organization_memberships WHERE user_id = ${tenant.user.id}`)
    expect(await place(tenant)).toEqual([null, null])
    const empty = crypto.randomUUID()
    await database().run(`INSERT INTO organizations (id, name, slug, created_at, updated_at)
      VALUES ('${empty}', 'Empty', '${empty}', '2026-03-10', '2026-03-10')`)
    const context = { db: database(), ids: createIds(), now: tenant.clock.now() }
    await newMembership(context, tenant.user.uuid, empty, 1)
    expect(await place(tenant)).toEqual([empty, null])
  })

  it('resolves @current', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await joinOrganization(tenant, other.organizationId)
    await updateUser(tenant, { currentOrganizationId: other.organizationId })
    expect((await tenant.get('/api/projects/@current/')).body.id).toBe(other.projectId)
    expect((await tenant.get('/api/organizations/@current/')).body.id).toBe(other.organizationId)
  })

  it('resolves @current of the path of a project on every request', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await joinOrganization(tenant, other.organizationId)
    const path = `/api/organizations/@current/projects/${tenant.projectId}/`
    expect((await tenant.get(path)).status).toBe(200)
    // Another isolate switches the organization.
    await updateUser(tenant, { currentOrganizationId: other.organizationId })
    expect((await tenant.get(path)).status).toBe(404)
  })
})
