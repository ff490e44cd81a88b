// What can be linked, and the start of it, as far as no provider is needed (docs/reference/accounts.md#chat-links).
import { describe, expect, it } from 'vitest'
import { START as STATE } from '../../../src/account/chat/signed-state'
import { env } from 'cloudflare:workers'
import { chatLink, joinOrganization, workspace } from '../../support/database/account-rows'
import { forbidden, refused, seen } from '../../support/responses'
import { createHarness, ORIGIN } from '../../support/harness'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { updateUser } from '../../support/user'

const PATH = '/api/users/@me/integrations/'

const LINKABLE = `${PATH}chat/linkable_workspaces/`

const START = `${PATH}chat/start/`

const OFF = forbidden('Chat identity linking is not enabled for this organization.')

const NO_WORKSPACE = refused(
  null,
  'This project has no chat workspace connected. Ask an admin to install the chat app first.',
)

const gate = (tenant: Tenant, body: Record<string, unknown> = {}) =>
  tenant.flag({ key: 'chat-app-oauth', filters: { groups: [{ rollout_percentage: 100 }] }, ...body })

/** What a URL that `start` gave stands for. */
function stateOf(tenant: Tenant, body: { install_url: string }) {
  const url = new URL(body.install_url)
  expect(url.origin + url.pathname).toBe(`${ORIGIN}/complete/chat-link/start/`)
  expect([...url.searchParams.keys()]).toEqual(['state'])
  return STATE.verify(env, url.searchParams.get('state')!, tenant.clock.now())
}

/** The workspaces and projects that could be linked. */
const linkable = async (tenant: Tenant) =>
  (await tenant.get(LINKABLE)).body.results.map((each: { service_team_id: number; chat_team_id: string }) => [
    each.service_team_id,
    each.chat_team_id,
  ])

describe('GET linkable_workspaces', () => {
  it('lists the workspaces of accessible projects', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    const user = (await tenant.get('/api/users/@me/')).body
    expect(seen(await tenant.get(LINKABLE))).toEqual({
      status: 200,
      body: {
        results: [
          {
            service_team_id: tenant.projectId,
            service_team_name: user.team.name,
            service_organization_name: user.organization.name,
            chat_team_id: 'T1',
            chat_team_name: 'Harbour',
          },
        ],
      },
    })
  })

  it('lists one entry per project, of all organizations of the user only', async () => {
    const harness = createHarness()
    const [a, b, c] = [
      await createTenant({ harness }),
      await createTenant({ harness }),
      await createTenant({ harness }),
    ]
    await joinOrganization(a, b.organizationId)
    for (const tenant of [a, b, c]) await workspace(tenant, { workspaceName: null })
    expect(await linkable(a)).toEqual([
      [a.projectId, 'T1'],
      [b.projectId, 'T1'],
    ])
    expect((await a.get(LINKABLE)).body.results[0].chat_team_name).toBe(null)
    expect(await linkable(c)).toEqual([[c.projectId, 'T1']])
  })

  it('omits linked workspaces in every project', async () => {
    const harness = createHarness()
    const [a, b] = [await createTenant({ harness }), await createTenant({ harness })]
    await joinOrganization(a, b.organizationId)
    for (const tenant of [a, b]) await workspace(tenant)
    await workspace(b, { workspaceId: 'T2' })
    await chatLink(a)
    expect(await linkable(a)).toEqual([[b.projectId, 'T2']])
    expect(await linkable(b)).toEqual([
      [b.projectId, 'T1'],
      [b.projectId, 'T2'],
    ])
  })

  it('is empty without an organization', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    await database().run(`DELETE FROM organization_memberships WHERE user_id = ${tenant.user.id}`)
    expect(seen(await tenant.get(LINKABLE))).toEqual({ status: 200, body: { results: [] } })
  })
})

describe('POST chat/start', () => {
  it('returns a URL with a state for the user and the first workspace of the project', async () => {
    const tenant = await createTenant()
    await workspace(tenant, { workspaceId: 'T9' })
    await workspace(tenant)
    const { status, body } = await tenant.post(START)
    expect([status, Object.keys(body)]).toEqual([200, ['install_url']])
    expect(stateOf(tenant, body)).toEqual({
      user: tenant.user.id,
      project: tenant.projectId,
      workspace: 'T9',
    })
  })

  it('chooses the first workspace of the project that the user can link', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    await workspace(tenant, { workspaceId: 'T2', scopes: ['chat:write'] })
    await workspace(tenant, { workspaceId: 'T3' })
    await workspace(tenant, { workspaceId: 'T4' })
    await chatLink(tenant)
    expect(await linkable(tenant)).toEqual([
      [tenant.projectId, 'T3'],
      [tenant.projectId, 'T4'],
    ])
    expect(stateOf(tenant, (await tenant.post(START)).body)).toMatchObject({ workspace: 'T3' })
    expect(seen(await tenant.post(START, { chat_team_id: 'T2' }))).toEqual(OFF)
    expect(seen(await tenant.post(START, { chat_team_id: 'T1' }))).toEqual(
      refused(null, "You're already linked to this chat workspace."),
    )
  })

  it('uses the given project and workspace', async () => {
    const harness = createHarness()
    const [a, b] = [await createTenant({ harness }), await createTenant({ harness })]
    await joinOrganization(a, b.organizationId)
    await workspace(b, { workspaceId: 'T1' })
    await workspace(b, { workspaceId: 'T2' })
    for (const teamId of [b.projectId, String(b.projectId)]) {
      const { body } = await a.post(START, { team_id: teamId, chat_team_id: 'T2' })
      expect(stateOf(a, body)).toMatchObject({ project: b.projectId, workspace: 'T2' })
    }
    expect(seen(await a.post(START, { chat_team_id: 'T2' }))).toEqual(NO_WORKSPACE)
  })

  it.each([{ team_id: null, chat_team_id: null }, { team_id: '' }, { chat_team_id: '' }])(
    'takes %j for nothing sent',
    async (body) => {
      const tenant = await createTenant()
      await workspace(tenant)
      expect((await tenant.post(START, body)).status).toBe(200)
    },
  )

  it('needs no body', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    const headers = { Authorization: `Bearer ${tenant.key}` }
    expect((await tenant.send('POST', START, { headers })).status).toBe(200)
  })

  it.each([[[]], ['T1'], [5], [null]])('treats %j as an empty body', async (body) => {
    const tenant = await createTenant()
    await workspace(tenant)
    expect((await tenant.post(START, body)).status).toBe(200)
  })

  describe('rejects, in this order,', () => {
    it.each(['abc', '1.5', 1.5, true, {}, [1], '1 OR 1'])('team_id %j, not an integer', async (teamId) => {
      const tenant = await createTenant()
      expect(seen(await tenant.post(START, { team_id: teamId }))).toEqual(
        refused(null, 'team_id must be an integer'),
      )
    })

    it('a project that is inaccessible or unknown', async () => {
      const [tenant, other] = [await createTenant(), await createTenant()]
      await workspace(other)
      for (const teamId of [other.projectId, 999_999_999, 0, -1]) {
        expect(seen(await tenant.post(START, { team_id: teamId }))).toEqual(
          refused(null, 'Invalid or inaccessible team_id for this user.'),
        )
      }
    })

    it('a project out of the reach of a key, given or current', async () => {
      const [tenant, other] = [await createTenant(), await createTenant()]
      await joinOrganization(tenant, other.organizationId)
      await workspace(other)
      await updateUser(tenant, { currentOrganizationId: other.organizationId })
      for (const restriction of [
        { scopedTeams: [tenant.projectId] },
        { scopedOrganizations: [tenant.organizationId] },
      ]) {
        const key = await tenant.withKey(restriction)
        expect(seen(await key.post(START, { team_id: other.projectId }))).toEqual(
          refused(null, 'Invalid or inaccessible team_id for this user.'),
        )
        expect(seen(await key.post(START))).toEqual(refused(null, 'No team available for this user.'))
        expect(await linkable(key)).toEqual([])
      }
      const inside = await tenant.withKey({ scopedTeams: [other.projectId] })
      expect(await linkable(inside)).toEqual([[other.projectId, 'T1']])
      expect((await inside.post(START)).status).toBe(200)
    })

    it('a user without a project', async () => {
      const tenant = await createTenant()
      await database().run(`DELETE FROM organization_memberships WHERE user_id = ${tenant.user.id}`)
      expect(seen(await tenant.post(START))).toEqual(refused(null, 'No team available for this user.'))
    })

    it('a project without that workspace', async () => {
      const tenant = await createTenant()
      await gate(tenant, { active: false })
      expect(seen(await tenant.post(START))).toEqual(NO_WORKSPACE)
      await workspace(tenant)
      expect(seen(await tenant.post(START, { chat_team_id: 'T2' }))).toEqual(NO_WORKSPACE)
    })

    it('a workspace with linking disabled', async () => {
      const tenant = await createTenant()
      await gate(tenant, { active: false })
      await workspace(tenant)
      await chatLink(tenant)
      expect(seen(await tenant.post(START))).toEqual(OFF)
    })

    it('a workspace that the user has linked', async () => {
      const tenant = await createTenant()
      await workspace(tenant)
      await chatLink(tenant)
      expect(seen(await tenant.post(START))).toEqual(
        refused(null, "You're already linked to this chat workspace."),
      )
    })
  })

  it('lets staff start for another user, who then must continue', async () => {
    const harness = createHarness()
    const [staff, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await updateUser(staff, { isStaff: true })
    await workspace(other)
    const { body } = await staff.post(`/api/users/${other.user.uuid}/integrations/chat/start/`)
    expect(stateOf(staff, body)).toMatchObject({ user: other.user.id, project: other.projectId })
  })

  it('takes at most two round trips', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    await tenant.post(START)
    expect((await tenant.post(START)).line.d1_round_trips).toBe(1)
  })
})

describe('the linking flag', () => {
  const start = async (tenant: Tenant) => (await tenant.post(START)).status

  it('enables linking without the flag, else decides by it', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    expect(await start(tenant)).toBe(200)
    const flag = await gate(tenant)
    expect(await start(tenant)).toBe(200)
    for (const [change, expected] of [
      [{ active: false }, 403],
      [{ active: true, filters: { groups: [{ rollout_percentage: 0 }] } }, 403],
      [{ filters: { groups: [{ rollout_percentage: 100 }] } }, 200],
      [{ archived: true, active: false }, 403],
      [{ deleted: true }, 200],
    ] as const) {
      await tenant.patch(tenant.flags(flag.id), change)
      expect([change, await start(tenant)]).toEqual([change, expected])
    }
  })

  it('evaluates the flag for the workspace', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    await workspace(tenant, { workspaceId: 'T2' })
    const properties = [{ key: 'chat_team_id', type: 'person', operator: 'exact', value: ['T2'] }]
    await gate(tenant, { filters: { groups: [{ properties, rollout_percentage: 100 }] } })
    expect((await tenant.post(START, { chat_team_id: 'T1' })).status).toBe(403)
    expect((await tenant.post(START, { chat_team_id: 'T2' })).status).toBe(200)
    expect(await linkable(tenant)).toEqual([[tenant.projectId, 'T2']])
  })

  it.each([
    [null, 200],
    [['users:read', 'users:read.email', 'chat:write'], 200],
    [['users:read'], 403],
    [[], 403],
  ])('takes an installation with the scopes %j: %i', async (scopes, expected) => {
    const tenant = await createTenant()
    await workspace(tenant, { scopes })
    expect(await start(tenant)).toBe(expected)
    expect(await linkable(tenant)).toHaveLength(expected === 200 ? 1 : 0)
  })

  it('disables linking when the flag cannot be evaluated', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    const broken = {
      getByName() {
        throw new Error('no object')
      },
    } as unknown as Env['PROJECTS']
    const elsewhere = createHarness({ clock: tenant.clock, bindings: { PROJECTS: broken } })
    const headers = { Authorization: `Bearer ${tenant.key}` }
    expect(seen(await elsewhere.send('POST', START, { body: {}, headers }))).toEqual(OFF)
  })
})
