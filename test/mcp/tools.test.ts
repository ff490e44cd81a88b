// The tools: which there are, who sees them, and that they are the operations themselves.
import { describe, expect, it } from 'vitest'
import { areas } from '../../src/areas'
import { glossary } from '../../src/docs/glossary'
import { toolCatalogue } from '../../src/mcp/catalogue'
import { ORIGIN } from '../support/harness'
import { createTenant } from '../support/tenant'
import { ask, callTool, toolNames } from './support'

const catalogue = toolCatalogue(areas, glossary)

/** The specification's nine. */
const NAMED = [
  'feature-flag-get-all',
  'create-feature-flag',
  'feature-flag-get-definition',
  'update-feature-flag',
  'delete-feature-flag',
  'feature-flags-activity-retrieve',
  'feature-flags-status-retrieve',
  'feature-flags-test-evaluation-create',
  'feature-flags-evaluation-reasons-retrieve',
]

describe('the catalogue', () => {
  it('has each name once, in characters that every client takes', () => {
    const names = catalogue.map(({ describes }) => describes.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z0-9-]{1,64}$/.test(name))).toEqual([])
    expect(NAMED.filter((name) => !names.includes(name))).toEqual([])
  })

  it('has a tool for every operation that a key may call and that can succeed', () => {
    const callable = areas
      .flatMap(({ operations }) => operations)
      .filter(({ scope, access, id }) => scope && !access && !id.startsWith('environments_'))
      .filter(({ responses }) => Object.keys(responses).some((status) => Number(status) < 300))
    // Deleting a flag never succeeds, and yet is a tool.
    expect(catalogue.length).toBe(callable.length + 1)
  })

  it('refers to nothing outside of a schema', () => {
    const text = JSON.stringify(catalogue)
    expect(text).not.toContain('#/components')
    for (const { describes } of catalogue) {
      for (const schema of [describes.inputSchema, describes.outputSchema ?? {}]) {
        const wanted = [...JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name]) => name)
        expect(Object.keys((schema.$defs as object | undefined) ?? {})).toEqual(
          expect.arrayContaining(wanted as string[]),
        )
        expect(schema.type ?? 'object').toBe('object')
      }
    }
  })

  it('tells what only reads from what may take away', () => {
    const hints = Object.fromEntries(
      catalogue.map(({ describes }) => [describes.name, describes.annotations]),
    )
    const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
    const takes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }
    expect(hints).toMatchObject({
      'feature-flag-get-all': reads,
      'feature-flags-test-evaluation-create': reads,
      'endpoint-run': reads,
      'create-feature-flag': adds,
      'endpoint-create': adds,
      'update-feature-flag': takes,
      'delete-feature-flag': takes,
      'endpoint-delete': takes,
      'feature-flags-bulk-delete-create': { ...takes, idempotentHint: false },
    })
  })
})

describe('tools/list', () => {
  it('shows a key with all scopes everything, as it was written', async () => {
    const { body } = await ask(await createTenant(), 'tools/list')
    expect(body.result).toEqual({
      tools: JSON.parse(JSON.stringify(catalogue.map(({ describes }) => describes))),
    })
  })

  it('shows a key only what it opens', async () => {
    const tenant = await createTenant()
    const reader = await tenant.withKey({ scopes: ['feature_flag:read'] })
    const seen = await toolNames(reader)
    const expected = catalogue.filter(({ scope }) => scope === 'any' || scope === 'feature_flag:read')
    expect(seen).toEqual(expected.map(({ describes }) => describes.name))
    expect(seen).toContain('feature-flag-get-all')
    expect(seen).not.toContain('create-feature-flag')
    expect(seen).not.toContain('endpoint-run')
  })

  it('shows the holder of a write scope what reads, too', async () => {
    const writer = await (await createTenant()).withKey({ scopes: ['feature_flag:write'] })
    const seen = await toolNames(writer)
    expect(seen).toContain('feature-flag-get-all')
    expect(seen).toContain('delete-feature-flag')
    expect(seen).not.toContain('feature-flags-activity-retrieve')
  })
})

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

  it('wraps what is no object', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const { body } = await callTool(tenant, 'feature-flags-dependent-flags-retrieve', { id: flag.id })
    expect(body.result).toEqual({
      content: [{ type: 'text', text: '{"result":[]}' }],
      structuredContent: { result: [] },
    })
  })

  it('says that what has no body is done', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'top-events' })
    const { body } = await callTool(tenant, 'endpoint-delete', { name: 'top-events' })
    expect(body.result).toEqual({ content: [{ type: 'text', text: 'Done.' }] })
  })

  const refused = (error: unknown) => ({
    content: [{ type: 'text', text: JSON.stringify(error) }],
    isError: true,
  })

  it('tells what an operation refuses as an error of the tool', async () => {
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
      }),
    })
  })

  it('names the argument that the path lacks', async () => {
    const { body } = await callTool(await createTenant(), 'feature-flag-get-definition')
    expect(body.result).toEqual(
      refused({ type: 'validation_error', code: 'required', detail: 'This field is required.', attr: 'id' }),
    )
  })

  it('names the argument that an operation has no place for', async () => {
    const { body } = await callTool(await createTenant(), 'feature-flag-get-definition', { id: 1, key: 'x' })
    expect(body.result).toEqual(
      refused({
        type: 'validation_error',
        code: 'unknown_field',
        detail: 'Unknown argument: key',
        attr: 'key',
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
        detail: 'Unknown argument: name',
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
      refused({ type: 'validation_error', code: 'invalid_input', detail: `Not a name: ${id}`, attr: 'id' }),
    )
  })

  it('calls with the key that came in the query', async () => {
    const tenant = await createTenant()
    const { body } = await tenant.send('POST', `/mcp?personal_api_key=${tenant.key}`, {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects-list' } },
    })
    expect(body.result.structuredContent.count).toBe(1)
  })

  it('refuses what the key does not open, and changes nothing', async () => {
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
    const { body } = await ask(tenant, 'tools/call', { name: 'users-retrieve' })
    expect(body.result.structuredContent).toMatchObject({
      email: tenant.user.email,
      sensitive_session_expires_at: null,
    })
  })
})
