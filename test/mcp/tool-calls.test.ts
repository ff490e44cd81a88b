// Tools are the operations themselves: the same answers, rejections and tenants.
import { describe, expect, it } from 'vitest'
import { ORIGIN } from '../support/harness'
import { tools } from '../support/generated'
import { createTenant } from '../support/tenant'
import { ask, callTool } from './support'

/** The description of an argument, as an error about it has it. */
function described(tool: string, name: string): string {
  const { inputSchema } = tools.find(({ describes }) => describes.name === tool)!.describes
  const { description } = (inputSchema.properties as Record<string, { description: string }>)[name]!
  return `${name}: ${description}`
}

describe('tools/call', () => {
  it('creates, finds, changes and deletes a flag', async () => {
    const tenant = await createTenant()
    const created = await callTool(tenant, 'create-feature-flag', {
      key: 'new-checkout',
      filters: { groups: [{ rollout_percentage: 50 }] },
      tags: ['web'],
    })
    const flag = created.body.result.structuredContent
    expect(flag).toMatchObject({ key: 'new-checkout', active: true, tags: ['web'] })
    expect(JSON.parse(created.body.result.content[0].text)).toEqual(flag)

    const list = await callTool(tenant, 'feature-flag-get-all', {
      search: 'checkout',
      limit: 5,
      tags: ['web'],
    })
    expect(list.body.result.structuredContent).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          id: flag.id,
          key: 'new-checkout',
          name: '',
          active: true,
          updated_at: flag.updated_at,
          status: 'ACTIVE',
          tags: ['web'],
        },
      ],
    })

    const updated = await callTool(tenant, 'update-feature-flag', { id: String(flag.id), active: false })
    expect(updated.body.result.structuredContent).toMatchObject({ id: flag.id, active: false, version: 2 })

    const deleted = await callTool(tenant, 'delete-feature-flag', { id: flag.id })
    expect(deleted.body.result.structuredContent).toMatchObject({ id: flag.id, deleted: true })
    const { body } = await tenant.get(tenant.flags(flag.id))
    expect(body).toMatchObject({ id: flag.id, deleted: true })
  })

  it('answers a viewer as the operation does', async () => {
    const tenant = await createTenant({ level: 0 })
    const { body } = await callTool(tenant, 'create-feature-flag', { key: 'mine' })
    expect(body.result).toMatchObject({ isError: true })
    expect(body.result.content[0].text).toContain(
      'is read-only (viewer). Admins and owners can change your level.',
    )
    const list = await callTool(tenant, 'feature-flag-get-all')
    expect(list.body.result.structuredContent).toMatchObject({ count: 0, results: [] })
  })

  it('acts in the project that is named', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'here' })
    const { body } = await callTool(tenant, 'feature-flag-get-definition', {
      project_id: tenant.projectId,
      id: flag.id,
    })
    expect(body.result.structuredContent).toEqual((await tenant.get(tenant.flags(flag.id))).body)
  })

  it('leads on from a page by the path as people write it', async () => {
    const tenant = await createTenant()
    for (const key of ['one', 'two']) await tenant.flag({ key })
    const { body } = await callTool(tenant, 'feature-flag-get-all', { limit: 1 })
    expect(body.result.structuredContent.next).toBe(
      `${ORIGIN}/api/projects/@current/feature_flags/?limit=1&offset=1`,
    )
  })

  it('wraps values that are not objects', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const { body } = await callTool(tenant, 'feature-flags-dependent-flags-retrieve', { id: flag.id })
    expect(body.result).toEqual({
      content: [{ type: 'text', text: '{"result":[]}' }],
      structuredContent: { result: [] },
    })
  })

  it('reports success for a response without a body', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'top-events' })
    const { body } = await callTool(tenant, 'endpoint-delete', { name: 'top-events' })
    expect(body.result).toEqual({ content: [{ type: 'text', text: 'Done.' }] })
  })

  const refused = (error: unknown) => ({
    content: [{ type: 'text', text: JSON.stringify(error) }],
    isError: true,
  })

  it('returns errors of an operation as errors of the tool', async () => {
    const { status, body } = await callTool(await createTenant(), 'create-feature-flag', {
      key: 'new checkout',
    })
    expect({ status, result: body.result }).toEqual({
      status: 200,
      result: refused({
        type: 'validation_error',
        code: 'invalid_key',
        detail: 'Only letters, numbers, hyphens (-) & underscores (_) are allowed.',
        attr: 'key',
        hint: described('create-feature-flag', 'key'),
      }),
    })
  })

  it('names the argument that the path lacks', async () => {
    const { body } = await callTool(await createTenant(), 'feature-flag-get-definition')
    expect(body.result).toEqual(
      refused({
        type: 'validation_error',
        code: 'required',
        detail: 'This field is required.',
        attr: 'id',
        hint: 'Find id with feature-flag-get-all.',
      }),
    )
  })

  it('names the argument that an operation has no place for', async () => {
    const { body } = await callTool(await createTenant(), 'feature-flag-get-definition', { id: 1, key: 'x' })
    expect(body.result).toEqual(
      refused({
        type: 'validation_error',
        code: 'unknown_field',
        detail: 'Unknown argument: key. Known arguments: project_id, id.',
        attr: 'key',
      }),
    )
  })

  it.each([
    ['create-feature-flag', { key: 'new', enabled: false }, 'enabled'],
    ['create-feature-flag', { key: 'new', rollout_percentage: 10 }, 'rollout_percentage'],
    ['webhooks-create', { url: 'https://hooks.example.com/', events: ['*'], secret: 'x' }, 'secret'],
    ['feature-flags-dashboard-create', { id: 1, name: 'x' }, 'name'],
    ['local-evaluation', { send_cohorts: false }, 'send_cohorts'],
  ])(
    'names the argument of %s that it does not declare, although bodies ignore it: %o',
    async (tool, given, attr) => {
      const tenant = await createTenant()
      const { body } = await callTool(tenant, tool, given)
      expect(body.result.isError).toBe(true)
      expect(JSON.parse(body.result.content[0].text)).toMatchObject({
        type: 'validation_error',
        code: 'unknown_field',
        detail: expect.stringMatching(
          new RegExp(`^Unknown argument: ${attr}\\. Known arguments: (project_id|token)`),
        ),
        attr,
      })
      expect((await tenant.get(tenant.flags())).body.count).toBe(0)
    },
  )

  it('suggests the declared argument that an undeclared one is close to', async () => {
    const { body } = await callTool(await createTenant(), 'feature-flag-get-all', { serch: 'x' })
    expect(body.result).toEqual(
      refused({
        type: 'validation_error',
        code: 'unknown_field',
        detail: 'Unknown argument: serch. Did you mean search?',
        attr: 'serch',
      }),
    )
  })

  it('deletes a flag, and changes nothing else on the way', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const { body } = await callTool(tenant, 'delete-feature-flag', { id: flag.id, name: 'changed' })
    expect(body.result).toEqual(
      refused({
        type: 'validation_error',
        code: 'unknown_field',
        detail: 'Unknown argument: name. Known arguments: project_id, id.',
        attr: 'name',
      }),
    )
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(flag)
  })

  it.each(['../../../users/@me', '%2e%2e', '1/activity', '1?x=1', '1#x'])(
    'keeps %s within its segment of the path',
    async (id) => {
      const { body } = await callTool(await createTenant(), 'feature-flag-get-definition', { id })
      expect(JSON.parse(body.result.content[0].text)).toMatchObject({ code: 'not_found' })
    },
  )

  it.each(['.', '..'])('takes %s for no segment at all', async (id) => {
    const { body } = await callTool(await createTenant(), 'feature-flags-activity-retrieve', { id })
    expect(body.result).toEqual(
      refused({
        type: 'validation_error',
        code: 'invalid_input',
        detail: `Not a name: ${id}`,
        attr: 'id',
        hint: 'Find id with feature-flag-get-all.',
      }),
    )
  })

  it.each([
    ['feature-flag-get-definition', 'id', 'Find id with feature-flag-get-all.'],
    ['feature-flag-get-all', 'search', described('feature-flag-get-all', 'search')],
  ])('names the argument of %s that no URL can hold', async (tool, name, hint) => {
    const { body } = await callTool(await createTenant(), tool, { [name]: 'a\ud800' })
    expect(body.result).toEqual(
      refused({
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'Lone surrogates are not allowed.',
        attr: name,
        hint,
      }),
    )
  })

  it('rejects an argument that is longer than an address may be', async () => {
    const { body } = await callTool(await createTenant(), 'feature-flag-get-all', {
      search: 'x'.repeat(16 * 1024 + 1),
    })
    expect(body.result).toEqual(
      refused({
        type: 'validation_error',
        code: 'max_length',
        detail: 'Ensure this argument has no more than 16384 characters.',
        attr: 'search',
        hint: described('feature-flag-get-all', 'search'),
      }),
    )
  })

  it('calls with the key that came in the query', async () => {
    const tenant = await createTenant()
    const { body } = await tenant.send('POST', `/mcp?personal_api_key=${tenant.key}`, {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects-list' } },
    })
    expect(body.result.structuredContent.count).toBe(1)
  })

  it('rejects what the scopes of the key do not allow, and changes nothing', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const reader = await tenant.withKey({ scopes: ['feature_flag:read'] })
    const { body } = await callTool(reader, 'delete-feature-flag', { id: flag.id })
    expect(body.result).toEqual(
      refused({
        type: 'authentication_error',
        code: 'permission_denied',
        detail: "API key missing required scope 'feature_flag:write'",
        attr: null,
      }),
    )
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(flag)
  })

  it('acts in the one project that its key is restricted to', async () => {
    const tenant = await createTenant({ level: 8 })
    const other = await tenant.post('/api/projects/', { name: 'Other' })
    await tenant.patch('/api/users/@me/', { set_current_team: tenant.projectId })
    const flags = `/api/projects/${other.body.id}/feature_flags/`
    await tenant.flag({ key: 'here' })
    await tenant.post(flags, { key: 'there' })
    const restricted = await tenant.withKey({ scopedTeams: [other.body.id] })
    const { body } = await callTool(restricted, 'feature-flag-get-all')
    expect(body.result.structuredContent.results).toMatchObject([{ key: 'there' }])
    const elsewhere = await callTool(restricted, 'feature-flag-get-all', { project_id: '@current' })
    expect(elsewhere.body.result.content).toEqual([
      {
        type: 'text',
        text: JSON.stringify({
          type: 'authentication_error',
          code: 'permission_denied',
          detail: 'API key does not have access to the requested project.',
          attr: null,
        }),
      },
      { type: 'text', text: `This key has access to these projects only: ${other.body.id}.` },
    ])
  })

  it('names the projects of a restricted key that excludes the current one', async () => {
    const tenant = await createTenant()
    const restricted = await tenant.withKey({ scopedTeams: [7, 9] })
    const { body } = await callTool(restricted, 'feature-flag-get-all')
    expect(body.result).toMatchObject({
      isError: true,
      content: [{}, { text: 'This key has access to these projects only: 7, 9.' }],
    })
  })

  it('gives definitions for evaluation in an SDK', async () => {
    const tenant = await createTenant()
    const { key } = await tenant.flag()
    const { body } = await callTool(tenant, 'local-evaluation', { token: tenant.projectToken })
    expect(body.result.structuredContent.flags).toMatchObject([{ key }])
  })

  it('finds nothing of another tenant', async () => {
    const [mine, theirs] = [await createTenant(), await createTenant()]
    const flag = await theirs.flag()
    const here = await callTool(mine, 'delete-feature-flag', { id: flag.id })
    expect(JSON.parse(here.body.result.content[0].text)).toMatchObject({ code: 'not_found' })
    const there = await callTool(mine, 'delete-feature-flag', { project_id: theirs.projectId, id: flag.id })
    expect(JSON.parse(there.body.result.content[0].text)).toMatchObject({ code: 'permission_denied' })
    expect((await theirs.get(theirs.flags(flag.id))).body).toEqual(flag)
  })

  it('does not pass a session on', async () => {
    const tenant = await createTenant()
    const { body } = await ask(tenant, 'tools/call', { name: 'user-get' })
    expect(body.result.structuredContent).toMatchObject({
      email: tenant.user.email,
      sensitive_session_expires_at: null,
    })
  })
})
