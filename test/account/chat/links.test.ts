// The links that there are, and what goes with them (docs/reference/accounts.md#chat-links).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { workspaceIntegrations } from '../../../drizzle'
import { chatLink, workspace } from '../../support/database/account-rows'
import { forbidden, refused, seen } from '../../support/responses'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'

const PATH = '/api/users/@me/integrations/'

const gate = (tenant: Tenant, body: Record<string, unknown> = {}) =>
  tenant.flag({ key: 'chat-app-oauth', filters: { groups: [{ rollout_percentage: 100 }] }, ...body })

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

  it('returns no other kinds', async () => {
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

  it("deletes only the user's own link", async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    for (const each of [tenant, other]) await chatLink(each)
    await gate(tenant, { active: false })
    expect(seen(await tenant.delete(`${PATH}chat/U1/`))).toEqual({ status: 204, body: null })
    expect(seen(await tenant.delete(`${PATH}chat/U1/`))).toEqual(NOT_FOUND)
    expect((await other.get(`${PATH}?kind=chat`)).body.results).toHaveLength(1)
    expect(seen(await tenant.delete(`${PATH}chat/start/`))).toMatchObject({ status: 405 })
  })
})

describe('the integrations of a project', () => {
  const pathOf = ({ projectId }: Tenant) => `/api/projects/${projectId}/integrations/`
  const body = {
    kind: 'chat',
    config: { chat_team_id: 'T1', chat_team_name: 'Harbour', scopes: ['users:read', 'users:read.email'] },
  }

  it('are connected, updated, listed and disconnected by admins', async () => {
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

  it('are at most 100', async () => {
    const tenant = await createTenant({ level: 8 })
    for (let number = 1; number <= 100; number += 1) await workspace(tenant, { workspaceId: `W${number}` })
    const full = refused(
      null,
      'A project has at most 100 connected workspaces. Disconnect one to connect another.',
    )
    expect(seen(await tenant.post(pathOf(tenant), body))).toEqual(full)
    const again = { kind: 'chat', config: { chat_team_id: 'W7', chat_team_name: 'Quay' } }
    expect((await tenant.post(pathOf(tenant), again)).body.display_name).toBe('Quay')
    await setLevel(tenant, 1)
    expect(seen(await tenant.post(pathOf(tenant), body))).toEqual(
      forbidden('Only admins can manage integrations.'),
    )
  })

  it('are read-only for members', async () => {
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

  it('reject demoted admins despite a cached actor', async () => {
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
    [
      { ...body, kind: 'pager' },
      'kind',
      '"pager" is not a valid choice. Valid choices: chat.',
      'invalid_choice',
    ],
    [{ kind: 'chat' }, 'config', 'This field is required.', 'required'],
    [{ kind: 'chat', config: {} }, 'config__chat_team_id', 'This field is required.', 'required'],
  ])('refuse %j', async (sent, attr, detail, code) => {
    const tenant = await createTenant({ level: 8 })
    expect(seen(await tenant.post(pathOf(tenant), sent))).toEqual(refused(attr, detail, code))
  })
})
