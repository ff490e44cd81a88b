// The official MCP client, unmodified, in both eras of the protocol: it holds every response to the tool's output schema.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Call, trials } from './mcp-arguments'

const { url, projectApiToken, personalApiKey, email, password } = inject('served')

async function connect(era: 'legacy' | 'modern', key: string): Promise<Client> {
  const client = new Client(
    { name: 'conformance', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  )
  return client
}

beforeAll(async () => {
  // Something that properties are known of.
  await fetch(`${url}/capture/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      api_key: projectApiToken,
      event: 'seen',
      distinct_id: 'ada',
      properties: { plan: 'pro' },
    }),
  })
})

describe.each(['legacy', 'modern'] as const)('the official client, %s', (era) => {
  let client: Client
  beforeAll(async () => {
    client = await connect(era, personalApiKey)
  })
  afterAll(() => client.close())

  it('learns what it is talking to', () => {
    expect({
      version: client.getNegotiatedProtocolVersion(),
      server: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
    }).toEqual({
      version: era === 'legacy' ? '2025-11-25' : '2026-07-28',
      server: { name: 'halyard', title: 'Halyard', version: '1' },
      capabilities: { tools: {} },
    })
  })

  it('lists the tools', async () => {
    const { tools, nextCursor } = await client.listTools()
    expect(nextCursor).toBeUndefined()
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(trials).sort())
  })
})

describe('the official client', () => {
  let client: Client
  let call: Call
  beforeAll(async () => {
    client = await connect('modern', personalApiKey)
    await client.listTools()
    call = async (name, given = {}) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
      if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`)
      return structuredContent as Record<string, unknown>
    }
  })
  afterAll(() => client.close())

  it.each(Object.entries(trials))('calls %s', async (name, { given = {}, refusal }) => {
    const { isError, content } = await client.callTool({
      name,
      arguments: typeof given === 'function' ? await given(call) : given,
    })
    const [{ text }] = content as unknown as [{ text: string }]
    if (refusal) expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(refusal) })
    else expect({ isError, text }).toEqual({ isError: undefined, text: expect.any(String) })
  })

  it('takes what an operation refuses for an error of the tool', async () => {
    const response = await client.callTool({ name: 'create-feature-flag', arguments: { key: 'not a key' } })
    expect(response).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('"attr":"key"') }],
    })
  })

  it('is told of a tool that is not there', async () => {
    await expect(client.callTool({ name: 'make-tea', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: make-tea'),
    })
  })

  it('sees only what its key opens', async () => {
    const reader = await connect('modern', await keyWith(['feature_flag:read']))
    const { tools } = await reader.listTools()
    expect(tools.map(({ name }) => name)).toContain('feature-flag-get-all')
    expect(tools.map(({ name }) => name)).not.toContain('create-feature-flag')
    await reader.close()
  })

  it('does not get in without a key', async () => {
    await expect(connect('legacy', 'phx_none')).rejects.toThrow()
  })
})

/** Another key of the first user, made as people make them: signed in. */
async function keyWith(scopes: string[]): Promise<string> {
  const signedIn = await fetch(`${url}/api/login/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
  const csrf = cookies.find((cookie) => cookie.startsWith('posthog_csrftoken='))!.split('=')[1]!
  const made = await fetch(`${url}/api/personal_api_keys/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookies.join('; '), 'X-CSRFToken': csrf },
    body: JSON.stringify({ label: 'mcp', scopes, scoped_teams: [], scoped_organizations: [] }),
  })
  return ((await made.json()) as { value: string }).value
}
