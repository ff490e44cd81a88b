// Members of an organization: the list, changing a level, removing somebody. test/hostile/roles.test.ts has who may not.
import { and, eq, ne } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { activityLog, memberships, organizationInvites, scenePersonalisations, users } from '../../../drizzle'
import { type Level, LEVELS } from '../../../src/auth/actor'
import { joinOrganization } from '../../support/database/account-rows'
import { forbidden, NOT_FOUND, refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { NOTHING, record } from '../../support/onboarding'
import { signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { giveSecondFactor } from '../../support/two-factor'
import { createMember, login, storedUser, updateUser } from '../../support/user'
import { pathOf } from './project'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/
const JOINED_AT = '2026-03-01T00:00:00Z'

/** An organization of an owner with another member, whose own organization is another one. */
async function organization(level: Level = 1) {
  const harness = createHarness()
  const [owner, other] = [await createTenant({ harness, level: 15 }), await createTenant({ harness })]
  await joinOrganization(other, owner.organizationId, level)
  return { owner, other, browser: await signIn(owner), path: memberPath(owner, other) }
}

const memberPath = (host: Tenant, member: Tenant | '@me') =>
  pathOf(host, `members/${member === '@me' ? member : member.user.uuid}/`)

const levelOf = async (host: Tenant, { user }: Tenant) => {
  const [row] = await database()
    .select({ level: memberships.level })
    .from(memberships)
    .where(and(eq(memberships.organizationId, host.organizationId), eq(memberships.userId, user.id)))
  return row?.level ?? null
}

/** The activity of an organization, oldest first. */
const activityOf = ({ organizationId }: Tenant) =>
  database()
    .select({
      projectId: activityLog.projectId,
      userId: activityLog.userId,
      activity: activityLog.activity,
      scope: activityLog.scope,
      itemId: activityLog.itemId,
      detail: activityLog.detail,
    })
    .from(activityLog)
    // Entries of invites have no item (invites.test.ts).
    .where(and(eq(activityLog.organizationId, organizationId), ne(activityLog.itemId, '')))
    .orderBy(activityLog.createdAt, activityLog.id)

const entry = (by: Tenant, of: Tenant, activity: string, changes: object[] = []) => ({
  projectId: 0,
  userId: by.user.id,
  activity,
  scope: 'OrganizationMembership',
  itemId: of.user.uuid,
  detail: { changes, trigger: null, type: null, name: of.user.email, short_id: null },
})
const levelChange = (before: number | null, after: number) => ({
  type: 'OrganizationMembership',
  action: before === null ? 'created' : 'changed',
  field: 'level',
  before,
  after,
})

const memberRecord = ({ user }: Tenant, fields: object) => ({
  id: expect.stringMatching(UUID),
  user: {
    id: user.id,
    uuid: user.uuid,
    distinct_id: expect.any(String),
    first_name: 'Ada',
    last_name: '',
    email: user.email,
    is_email_verified: true,
    hedgehog_config: null,
    role_at_organization: null,
  },
  updated_at: JOINED_AT,
  joined_at: JOINED_AT,
  is_2fa_enabled: false,
  has_social_auth: false,
  last_login: null,
  ...fields,
})

describe('GET members', () => {
  it('lists active members in the order of joining', async () => {
    const harness = createHarness()
    const [tenant, second, gone] = [
      await createMember({ harness, level: 15 }),
      await createTenant({ harness }),
      await createTenant({ harness }),
    ]
    for (const each of [second, gone]) await joinOrganization(each, tenant.organizationId, 8)
    await updateUser(gone, { isActive: false })
    await giveSecondFactor(second)
    expect((await login(tenant)).status).toBe(200)
    expect(seen(await tenant.get(pathOf(tenant, 'members/')))).toEqual({
      status: 200,
      body: {
        count: 2,
        next: null,
        previous: null,
        results: [
          memberRecord(second, { level: 8, is_2fa_enabled: true }),
          memberRecord(tenant, {
            level: 15,
            joined_at: '2026-03-10T12:00:00Z',
            updated_at: '2026-03-10T12:00:00Z',
            last_login: '2026-03-10T12:00:00Z',
          }),
        ],
      },
    })
    const page = await tenant.get(pathOf(tenant, 'members/?limit=1&offset=1'))
    expect(page.body).toMatchObject({
      count: 2,
      previous: expect.stringContaining('limit=1'),
      results: [{ level: 15 }],
    })
    expect(page.line.d1_round_trips).toBe(1)
  })

  it('returns a stable membership id, unique per organization', async () => {
    const { owner, other } = await organization()
    const idIn = async (caller: Tenant, host: Tenant) =>
      (await caller.get(pathOf(host, 'members/'))).body.results.find(
        (each: { user: { id: number } }) => each.user.id === other.user.id,
      ).id
    expect(await idIn(owner, owner)).toBe(await idIn(other, owner))
    expect(await idIn(other, other)).not.toBe(await idIn(owner, owner))
  })
})

describe('PATCH members/:uuid', () => {
  it('changes the level, and records it in the same batch', async () => {
    const { owner, other, browser, path } = await organization()
    owner.clock.advance({ hours: 1 })
    expect(seen(await browser.patch(path, { level: 8 }))).toEqual({
      status: 200,
      body: memberRecord(other, { level: 8, updated_at: '2026-03-10T13:00:00Z' }),
    })
    expect(await levelOf(owner, other)).toBe(8)
    expect(await activityOf(owner)).toEqual([entry(owner, other, 'updated', [levelChange(1, 8)])])
  })

  it('shows in the activity of the projects of the organization alone, to those who may list members', async () => {
    const [{ owner, other, browser, path }, elsewhere] = [await organization(), await organization()]
    await elsewhere.browser.patch(elsewhere.path, { level: 8 })
    for (const level of [8, 15, 1]) {
      owner.clock.advance({ minutes: 1 })
      await browser.patch(path, { level })
    }
    const log = `/api/projects/${owner.projectId}/activity_log/?scope=OrganizationMembership`
    const [first, second] = [await other.get(`${log}&limit=2`), await other.get(`${log}&limit=2&page=2`)]
    const shown = (created_at: string, before: number, after: number) => ({
      id: expect.any(String),
      user: { first_name: 'Ada', email: owner.user.email },
      was_impersonated: false,
      activity: 'updated',
      scope: 'OrganizationMembership',
      item_id: other.user.uuid,
      detail: {
        id: other.user.uuid,
        ...entry(owner, other, 'updated', [levelChange(before, after)]).detail,
        merge: null,
      },
      created_at,
    })
    expect(first.body).toEqual({
      results: [shown('2026-03-10T12:03:00Z', 15, 1), shown('2026-03-10T12:02:00Z', 8, 15)],
      next: expect.stringContaining('page=2'),
      previous: null,
      total_count: 3,
    })
    expect(second.line.d1_round_trips).toBe(1)
    expect(second.body).toMatchObject({ results: [{ created_at: '2026-03-10T12:01:00Z' }], next: null })
    for (const [query, count] of [
      [`&user=${owner.user.uuid}&start_date=2026-03-10T12:02:00Z`, 2],
      [`&item_id=${other.user.uuid}&end_date=2026-03-10T12:01:00Z`, 1],
      [`&item_id=${owner.user.uuid}`, 0],
      ['&user=system', 0],
    ] as const)
      expect({ query, count: (await other.get(log + query)).body.total_count }).toEqual({ query, count })
    const narrow = await owner.withKey({ scopes: ['activity_log:read'] })
    expect(seen(await narrow.get(log))).toEqual(
      forbidden("API key missing required scope 'organization_member:read'"),
    )
    const ofProject = await owner.withKey({ scopes: ['*'], scopedTeams: [owner.projectId] })
    expect(seen(await ofProject.get(log))).toEqual(
      forbidden('API keys with scoped projects are only supported on project-based endpoints.'),
    )
  })

  it.each([
    [15, 15, 8],
    [15, 8, 15],
    [15, 1, 15],
    [8, 8, 1],
    [8, 1, 8],
  ] as const)('lets level %i take a member from %i to %i', async (callerLevel, from, to) => {
    const { owner, other, path } = await organization(from)
    const caller = await createTenant({ harness: owner })
    await joinOrganization(caller, owner.organizationId, callerLevel)
    expect((await (await signIn(caller)).patch(path, { level: to })).body.level).toBe(to)
    expect(await levelOf(owner, other)).toBe(to)
  })

  it('returns the record and records no activity for an unchanged level', async () => {
    const { owner, other, path } = await organization()
    expect(seen(await owner.patch(path, { level: 1 }))).toEqual({
      status: 200,
      body: memberRecord(other, { level: 1 }),
    })
    expect(await activityOf(owner)).toEqual([])
  })

  it('lets an owner lower their own level if another owner exists', async () => {
    const { owner, browser } = await organization(15)
    expect((await browser.patch(memberPath(owner, '@me'), { level: 8 })).body.level).toBe(8)
    expect(await levelOf(owner, owner)).toBe(8)
  })

  it('deletes invites of a demoted member above the new level and ends the delegation', async () => {
    const { owner, other, browser, path } = await organization(8)
    const admin = await signIn(other)
    const invites = pathOf(owner, 'invites/')
    await admin.post(`${invites}delegate/`, { target_email: 'lin@example.com' })
    const { body: kept } = await admin.post(invites, { target_email: 'grace@example.com' })
    await browser.post(invites, { target_email: 'joan@example.com', level: 8 })
    expect((await browser.patch(path, { level: 1 })).status).toBe(200)
    const left = await database()
      .select({ id: organizationInvites.id, email: organizationInvites.targetEmail })
      .from(organizationInvites)
      .where(eq(organizationInvites.organizationId, owner.organizationId))
      .orderBy(organizationInvites.targetEmail)
    expect(left).toEqual([
      { id: kept.id, email: 'grace@example.com' },
      { id: expect.any(String), email: 'joan@example.com' },
    ])
    expect(await record(other)).toEqual(NOTHING)
    expect((await storedUser(other)).onboardingDelegatedToInvite).toBe(null)
  })

  it.each([
    [{}, 'level', 'This field is required.', 'required'],
    [{ level: 5 }, 'level', '"5" is not a valid choice. Valid choices: 0, 1, 8, 15.', 'invalid_choice'],
    [{ level: null }, 'level', 'This field may not be null.', 'null'],
    [{ level: '5' }, 'level', '"5" is not a valid choice. Valid choices: 0, 1, 8, 15.', 'invalid_choice'],
  ])('rejects %j', async (body, attr, detail, code) => {
    const { browser, path } = await organization()
    expect(seen(await browser.patch(path, body))).toEqual(refused(attr, detail, code))
  })
})

describe('DELETE members/:uuid', () => {
  it('removes a member with their choices and records activity', async () => {
    const { owner, other, path } = await organization()
    const member = await signIn(other)
    await other.patch('/api/users/@me/', { set_current_team: owner.projectId })
    await database()
      .insert(scenePersonalisations)
      .values([
        { userId: other.user.id, projectId: owner.projectId, scene: 'Home', dashboardId: 1 },
        { userId: other.user.id, projectId: other.projectId, scene: 'Home', dashboardId: 2 },
      ])
    const { body: invite } = await member.post(pathOf(owner, 'invites/'), { target_email: 'a@example.com' })
    const current = async () => {
      const { body } = await member.get('/api/users/@me/')
      return {
        organization: body.organization.id,
        team: body.team.id,
        scenes: body.scene_personalisation,
        organizations: body.organizations.map(({ id }: { id: string }) => id),
      }
    }
    expect((await current()).organization).toBe(owner.organizationId)

    expect(seen(await owner.delete(path))).toEqual({ status: 204, body: null })

    expect(await levelOf(owner, other)).toBe(null)
    expect(await current()).toEqual({
      organization: other.organizationId,
      team: other.projectId,
      scenes: [{ scene: 'Home', dashboard: 2 }],
      organizations: [other.organizationId],
    })
    expect(await storedUser(other)).toMatchObject({ currentOrganizationId: null, currentProjectId: null })
    expect(seen(await owner.send('GET', `/api/signup/${invite.id}/`))).toEqual(
      refused(null, 'The provided invite ID is not valid.'),
    )
    expect(await activityOf(owner)).toEqual([entry(owner, other, 'deleted')])
    expect(seen(await owner.delete(path))).toEqual(NOT_FOUND)
  })

  it('keeps a current organization elsewhere', async () => {
    const { owner, other, path } = await organization()
    await other.patch('/api/users/@me/', { set_current_organization: other.organizationId })
    expect((await owner.delete(path)).status).toBe(204)
    expect(await storedUser(other)).toMatchObject({
      currentOrganizationId: other.organizationId,
      currentProjectId: other.projectId,
    })
  })

  it('lets every member leave, by key only viewers and members', async () => {
    for (const level of LEVELS) {
      const { owner, other } = await organization(level)
      const key = await other.withKey({ scopes: ['organization_member:write'] })
      const path = memberPath(owner, '@me')
      if (level >= 8) {
        expect(seen(await key.delete(path))).toEqual(
          forbidden(
            'Making, changing or removing admins and owners needs a recent sign-in. Personal API keys can change and remove members and viewers only.',
          ),
        )
        const old = await signIn(other, { authenticatedAt: '2026-03-10T09:00:00.000000Z' })
        expect((await old.delete(path)).body.code).toBe('sensitive_action_required_reauth')
        expect(await levelOf(owner, other)).toBe(level)
      }
      const leaving = level >= 8 ? await signIn(other) : key
      expect(seen(await leaving.delete(path))).toEqual({ status: 204, body: null })
      expect(await levelOf(owner, other)).toBe(null)
      expect(await activityOf(owner)).toEqual([entry(other, other, 'deleted')])
    }
  })

  it('leaves a user of one organization without a current one', async () => {
    const { owner, other } = await organization()
    await database()
      .delete(memberships)
      .where(and(eq(memberships.organizationId, other.organizationId), eq(memberships.userId, other.user.id)))
    expect((await other.delete(memberPath(owner, '@me'))).status).toBe(204)
    expect((await other.get('/api/users/@me/')).body).toMatchObject({
      organization: null,
      team: null,
      organizations: [],
    })
    expect((await other.get('/api/projects/@current/')).status).toBe(404)
  })

  it('lets a removed member rejoin by a new invite only', async () => {
    const { owner, other, path } = await organization()
    expect((await owner.delete(path)).status).toBe(204)
    const { body } = await owner.post(pathOf(owner, 'invites/'), { target_email: other.user.email })
    expect((await (await signIn(other)).post(`/api/signup/${body.id}/`)).status).toBe(201)
    expect(await levelOf(owner, other)).toBe(1)
    expect(await activityOf(owner)).toEqual([
      entry(owner, other, 'deleted'),
      entry(other, other, 'created', [levelChange(null, 1)]),
    ])
  })

  it('deletes invites for the address that the member has now, and ends the delegations by them', async () => {
    const { owner, other, browser, path } = await organization()
    const email = `${crypto.randomUUID()}@example.com`
    await browser.post(pathOf(owner, 'invites/delegate/'), { target_email: email })
    await updateUser(other, { email })
    expect((await owner.delete(path)).status).toBe(204)
    expect(
      await database()
        .select()
        .from(organizationInvites)
        .where(eq(organizationInvites.organizationId, owner.organizationId)),
    ).toEqual([])
    expect((await storedUser(owner)).onboardingDelegatedToInvite).toBe(null)
  })

  it('leaves an invite of another person, whose address the member has entered', async () => {
    const { owner, other, browser } = await organization()
    const email = `${crypto.randomUUID()}@example.com`
    const { body: invite } = await browser.post(pathOf(owner, 'invites/'), { target_email: email, level: 8 })
    const theirs = await signIn(other)
    expect((await theirs.patch('/api/users/@me/', { email })).status).toBe(200)
    expect((await theirs.delete(memberPath(owner, '@me'))).status).toBe(204)
    expect((await owner.send('GET', `/api/signup/${invite.id}/`)).status).toBe(200)
  })
})

describe('a member', () => {
  it('who signs up by an invite is the actor of the activity', async () => {
    const owner = await createTenant({ level: 15 })
    const email = `${crypto.randomUUID()}@example.com`
    const { body: invite } = await owner.post(pathOf(owner, 'invites/'), { target_email: email })
    const account = { first_name: 'Grace', password: 'four-Green-herons-9' }
    const { body: user } = await owner.send('POST', `/api/signup/${invite.id}/`, { body: account })
    const [row] = await database().select().from(users).where(eq(users.email, email))
    expect(await activityOf(owner)).toEqual([
      {
        projectId: 0,
        userId: row!.id,
        activity: 'created',
        scope: 'OrganizationMembership',
        itemId: user.uuid,
        detail: {
          changes: [levelChange(null, 1)],
          trigger: null,
          type: null,
          name: email,
          short_id: null,
        },
      },
    ])
  })

  it.each([crypto.randomUUID(), 'abc', '1', '@you'])('is not found by %j', async (uuid) => {
    const { owner, browser } = await organization()
    const path = pathOf(owner, `members/${uuid}/`)
    expect(seen(await browser.patch(path, { level: 8 }))).toEqual(NOT_FOUND)
    expect(seen(await owner.delete(path))).toEqual(NOT_FOUND)
  })

  it('is 404 once the user is inactive', async () => {
    const { owner, other, path } = await organization()
    await updateUser(other, { isActive: false })
    expect(seen(await owner.delete(path))).toEqual(NOT_FOUND)
    expect(await levelOf(owner, other)).toBe(1)
  })

  it('needs the scope organization_member:write to be changed or removed', async () => {
    const { owner, path } = await organization()
    const key = await owner.withKey({ scopes: ['organization_member:read', 'organization:write'] })
    expect((await key.get(pathOf(owner, 'members/'))).status).toBe(200)
    const missing = forbidden("API key missing required scope 'organization_member:write'")
    expect(seen(await key.patch(path, { level: 1 }))).toEqual(missing)
    expect(seen(await key.delete(path))).toEqual(missing)
  })
})
