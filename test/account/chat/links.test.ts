// Linkable workspaces, start and the list of links, as far as no provider is needed (reference/account-api.md §5).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { workspaceIntegrations } from '../../../drizzle'
import { readState } from '../../../src/account/chat/state'
import { env } from 'cloudflare:workers'
import { chatLink, joinOrganization, workspace } from '../../support/account-rows'
import { refused, seen } from '../../support/answers'
import { createHarness, ORIGIN } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'
import { updateUser } from '../../support/user'

const PATH = '/api/users/@me/integrations/'
const LINKABLE = `${PATH}chat/linkable_workspaces/`
const START = `${PATH}chat/start/`

const forbidden = (detail: string) => ({
  status: 403,
  body: { type: 'authentication_error', code: 'permission_denied', detail, attr: null },
})
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
  return readState(env, 'start', url.searchParams.get('state')!, tenant.clock.now())
}

/** The workspaces and projects that could be linked. */
const linkable = async (tenant: Tenant) =>
  (await tenant.get(LINKABLE)).body.results.map((each: { service_team_id: number; chat_team_id: string }) => [
    each.service_team_id,
    each.chat_team_id,
  ])

describe('GET linkable_workspaces', () => {
  it('lists the workspaces of the projects in reach', async () => {
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

  it('lists one entry for each project, of every organization of the user and of no other', async () => {
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

  it('leaves out workspaces that the user is linked to, in every project', async () => {
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

  it('is empty for somebody without an organization', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    await database().run(`DELETE FROM organization_memberships WHERE user_id = ${tenant.user.id}`)
    expect(seen(await tenant.get(LINKABLE))).toEqual({ status: 200, body: { results: [] } })
  })
})

describe('POST chat/start', () => {
  it('leads to our own page, with a state for this user and the first workspace of their project', async () => {
    const tenant = await createTenant()
    await workspace(tenant, { workspaceId: 'T9' })
    await workspace(tenant)
    const { status, body } = await tenant.post(START)
    expect([status, Object.keys(body)]).toEqual([200, ['install_url']])
    expect(stateOf(tenant, body)).toEqual({
      user: tenant.user.id,
      project: tenant.projectId,
      workspace: 'T9',
      exp: Date.parse('2026-03-10T12:15:00Z') / 1000,
    })
  })

  it('takes the very pair that is sent', async () => {
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

  describe('refuses, in this order,', () => {
    it.each(['abc', '1.5', 1.5, true, {}, [1], '1 OR 1'])(
      'team_id %j, which is no integer',
      async (teamId) => {
        const tenant = await createTenant()
        expect(seen(await tenant.post(START, { team_id: teamId }))).toEqual(
          refused(null, 'team_id must be an integer'),
        )
      },
    )

    it('a project out of reach, whether or not it exists', async () => {
      const [tenant, other] = [await createTenant(), await createTenant()]
      await workspace(other)
      for (const teamId of [other.projectId, 999_999_999, 0, -1]) {
        expect(seen(await tenant.post(START, { team_id: teamId }))).toEqual(
          refused(null, 'Invalid or inaccessible team_id for this user.'),
        )
      }
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

    it('a workspace whose gate is off', async () => {
      const tenant = await createTenant()
      await gate(tenant, { active: false })
      await workspace(tenant)
      await chatLink(tenant)
      expect(seen(await tenant.post(START))).toEqual(OFF)
    })

    it('a workspace that the user is linked to', async () => {
      const tenant = await createTenant()
      await workspace(tenant)
      await chatLink(tenant)
      expect(seen(await tenant.post(START))).toEqual(
        refused(null, "You're already linked to this chat workspace."),
      )
    })
  })

  it('lets staff start for somebody else, who then has to go on', async () => {
    const harness = createHarness()
    const [staff, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await updateUser(staff, { isStaff: true })
    await workspace(other)
    const { body } = await staff.post(`/api/users/${other.user.uuid}/integrations/chat/start/`)
    expect(stateOf(staff, body)).toMatchObject({ user: other.user.id, project: other.projectId })
  })

  it('costs two round trips at most', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    await tenant.post(START)
    expect((await tenant.post(START)).line.d1_round_trips).toBe(1)
  })
})

describe('the gate', () => {
  const start = async (tenant: Tenant) => (await tenant.post(START)).status

  it('is open where there is no flag, and decided by it where there is one', async () => {
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

  it('asks the flag about the workspace', async () => {
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

  it('is closed when the flag cannot be asked', async () => {
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

describe('GET integrations', () => {
  it('lists the links of the user, oldest first', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await chatLink(tenant, { chatUserId: 'U2', workspaceId: 'T2', workspaceName: null, emailAtLink: null })
    await chatLink(tenant, { createdAt: '2026-02-01T00:00:00.000000Z' })
    await chatLink(other, { chatUserId: 'U3' })
    expect(seen(await tenant.get(`${PATH}?kind=chat`))).toEqual({
      status: 200,
      body: {
        results: [
          {
            id: expect.any(String),
            kind: 'chat',
            chat_user_id: 'U1',
            chat_team_id: 'T1',
            chat_team_name: 'Harbour',
            chat_email_at_link: tenant.user.email,
            created_at: '2026-02-01T00:00:00Z',
          },
          {
            id: expect.any(String),
            kind: 'chat',
            chat_user_id: 'U2',
            chat_team_id: 'T2',
            chat_team_name: null,
            chat_email_at_link: null,
            created_at: '2026-03-01T00:00:00Z',
          },
        ],
      },
    })
  })

  it('knows no others', async () => {
    const tenant = await createTenant()
    await chatLink(tenant)
    for (const query of ['', '?kind=github']) {
      expect(seen(await tenant.get(PATH + query))).toEqual({ status: 200, body: { results: [] } })
    }
    expect(seen(await tenant.get(`${PATH}?kind=bitbucket`))).toEqual(
      refused(null, "Unsupported integration kind: 'bitbucket'"),
    )
  })
})

describe('DELETE integrations/chat/:chat_user_id', () => {
  const NOT_FOUND = {
    status: 404,
    body: {
      type: 'invalid_request',
      code: 'not_found',
      detail: 'No chat link found for this chat user id.',
      attr: null,
    },
  }

  it("takes a link back, and nobody else's", async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    for (const each of [tenant, other]) await chatLink(each)
    await gate(tenant, { active: false })
    expect(seen(await tenant.delete(`${PATH}chat/U1/`))).toEqual({ status: 204, body: null })
    expect(seen(await tenant.delete(`${PATH}chat/U1/`))).toEqual(NOT_FOUND)
    expect((await other.get(`${PATH}?kind=chat`)).body.results).toHaveLength(1)
    expect(seen(await tenant.delete(`${PATH}chat/start/`))).toMatchObject({ status: 405 })
  })
})

describe('the pages of a sign-in', () => {
  it('say that no provider is configured', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    const { body } = await tenant.post(START)
    const browser = await signIn(tenant)
    const { pathname, search } = new URL(body.install_url)
    const answer = await browser.get(pathname + search)
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      302,
      '/settings/user-personal-integrations?chat_link_error=not_configured',
    ])
  })

  it('say that the gate was closed meanwhile', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    const { body } = await tenant.post(START)
    await gate(tenant, { active: false })
    const { pathname, search } = new URL(body.install_url)
    const answer = await (await signIn(tenant)).get(pathname + search)
    expect(answer.headers.get('Location')).toBe(
      '/settings/user-personal-integrations?chat_link_error=flag_off',
    )
  })

  it('are not for staff who look at the service as the user', async () => {
    const harness = createHarness()
    const [staff, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await updateUser(staff, { isStaff: true })
    await workspace(other)
    const { body } = await other.post(START)
    const browser = await signIn(staff, {
      impersonatedUserId: other.user.id,
      impersonationReason: 'support',
      impersonationReadOnly: false,
      impersonationStartedAt: harness.clock.now().toISOString(),
    })
    const { pathname, search } = new URL(body.install_url)
    expect((await browser.get(pathname + search)).headers.get('Location')).toBe(
      '/settings/user-personal-integrations?chat_link_error=session_mismatch',
    )
    expect((await browser.post(START)).body).toMatchObject({ code: 'impersonation_path_blocked' })
  })

  it('do not take keys', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    const { body } = await tenant.post(START)
    const { pathname, search } = new URL(body.install_url)
    const answer = await tenant.get(pathname + search)
    expect([answer.status, answer.headers.get('Location')?.split('?')[0]]).toEqual([302, '/login'])
  })
})

describe('the integrations of a project', () => {
  const pathOf = ({ projectId }: Tenant) => `/api/projects/${projectId}/integrations/`
  const body = {
    kind: 'chat',
    config: { chat_team_id: 'T1', chat_team_name: 'Harbour', scopes: ['users:read', 'users:read.email'] },
  }

  it('are connected, renewed, listed and disconnected by admins', async () => {
    const tenant = await createTenant({ level: 8 })
    const path = pathOf(tenant)
    const connected = await tenant.post(path, body)
    expect(seen(connected)).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        ...body,
        display_name: 'Harbour',
        created_by: expect.objectContaining({ id: tenant.user.id }),
        created_at: '2026-03-10T12:00:00Z',
      },
    })
    expect((await tenant.get(path)).body).toEqual({ results: [connected.body] })
    const renewed = await tenant.post(path, { kind: 'chat', config: { chat_team_id: 'T1' } })
    expect(renewed.body).toEqual({
      ...connected.body,
      config: { chat_team_id: 'T1', chat_team_name: null, scopes: null },
      display_name: 'T1',
    })
    expect((await tenant.delete(`${path}${connected.body.id}/`)).status).toBe(204)
    expect((await tenant.get(path)).body).toEqual({ results: [] })
  })

  it('are for members to see only', async () => {
    const tenant = await createTenant()
    const id = await workspace(tenant)
    const denied = forbidden('Only admins can manage integrations.')
    expect(seen(await tenant.post(pathOf(tenant), body))).toEqual(denied)
    expect(seen(await tenant.delete(`${pathOf(tenant)}${id}/`))).toEqual(denied)
    expect((await tenant.get(pathOf(tenant))).body.results).toHaveLength(1)
    const rows = await database()
      .select()
      .from(workspaceIntegrations)
      .where(eq(workspaceIntegrations.projectId, tenant.projectId))
    expect(rows).toHaveLength(1)
  })

  it('are not for those whom a cache still takes for admins', async () => {
    const tenant = await createTenant({ level: 8 })
    const id = await workspace(tenant)
    await tenant.get(pathOf(tenant))
    await setLevel(tenant, 1)
    const denied = forbidden('Only admins can manage integrations.')
    expect(seen(await tenant.post(pathOf(tenant), body))).toEqual(denied)
    expect(seen(await tenant.delete(`${pathOf(tenant)}${id}/`))).toEqual(denied)
    expect((await tenant.get(pathOf(tenant))).body.results).toHaveLength(1)
  })

  it.each([
    [{}, 'kind', 'This field is required.', 'required'],
    [{ ...body, kind: 'pager' }, 'kind', '"pager" is not a valid choice.', 'invalid_choice'],
    [{ kind: 'chat' }, 'config', 'This field is required.', 'required'],
    [{ kind: 'chat', config: {} }, 'config__chat_team_id', 'This field is required.', 'required'],
  ])('refuse %j', async (sent, attr, detail, code) => {
    const tenant = await createTenant({ level: 8 })
    expect(seen(await tenant.post(pathOf(tenant), sent))).toEqual(refused(attr, detail, code))
  })
})
