// Official MCP clients, unmodified: the newest SDK of version 1, and that of version 2 in both revisions of the protocol.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Call, trialsFor } from './mcp-arguments'

const { url, projectApiToken, personalApiKey, email, password } = inject('served')

/** What the clients of all versions have in common. */
interface ToolClient {
  listTools(): Promise<{ tools: { name: string }[]; nextCursor?: string | undefined }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

interface ToolResult {
  isError?: boolean
  content: [{ type: string; text: string }]
  structuredContent?: Record<string, unknown>
}

const IDENTITY = { name: 'conformance', version: '1' }
const ENDPOINT = new URL('/mcp', url)
const withKey = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })

async function connect(era: 'legacy' | 'modern', key: string): Promise<Client> {
  const client = new Client(IDENTITY, {
    versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
  })
  await client.connect(new StreamableHTTPClientTransport(ENDPOINT, withKey(key)))
  return client
}

const CLIENTS: Record<string, () => Promise<ToolClient>> = {
  'sdk-1': async () => {
    const client = new Client1(IDENTITY)
    await client.connect(new Transport1(ENDPOINT, withKey(personalApiKey)))
    return client
  },
  'sdk-2-legacy': () => connect('legacy', personalApiKey),
  'sdk-2': () => connect('modern', personalApiKey),
}

/** Calls every tool; the others, whose messages differ from its own in their frame alone, call some. */
const FULLY_TRIED = 'sdk-2'
const SOME_TOOLS = new Set([
  'projects-list',
  'create-feature-flag',
  'feature-flag-get-all',
  'endpoint-create',
  'cohorts-list',
])

beforeAll(async () => {
  // Property definitions, persons and groups exist from their first events on.
  const batch = [
    { event: 'seen', distinct_id: 'ada', properties: { plan: 'pro' } },
    {
      event: '$groupidentify',
      distinct_id: 'ada',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'pro' } },
    },
  ]
  await fetch(`${url}/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: projectApiToken, batch }),
  })
})

describe.each(Object.keys(CLIENTS))('the official client %s', (version) => {
  let client: ToolClient
  let call: Call
  const trials = trialsFor(version)
  beforeAll(async () => {
    client = await CLIENTS[version]!()
    call = async (name, given = {}) => {
      const { isError, content, structuredContent } = (await client.callTool({
        name,
        arguments: given,
      })) as ToolResult
      if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`)
      return structuredContent as Record<string, unknown>
    }
  })
  afterAll(() => client?.close())

  it('lists the tools', async () => {
    const { tools, nextCursor } = await client.listTools()
    expect(nextCursor).toBeUndefined()
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(trials).sort())
  })

  const tried = Object.entries(trials).filter(([name]) => version === FULLY_TRIED || SOME_TOOLS.has(name))
  it.each(tried)('calls %s', async (name, { given = {}, refusal }) => {
    const result = (await client.callTool({
      name,
      arguments: typeof given === 'function' ? await given(call) : given,
    })) as ToolResult
    const { isError } = result
    const [{ text }] = result.content
    if (refusal) expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(refusal) })
    else expect({ isError, text }).toEqual({ isError: undefined, text: expect.any(String) })
  })
})

describe.each(['legacy', 'modern'] as const)('the official client of version 2, %s', (era) => {
  it('reads version, server and capabilities', async () => {
    const client = await connect(era, personalApiKey)
    expect({
      version: client.getNegotiatedProtocolVersion(),
      server: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
    }).toEqual({
      version: era === 'legacy' ? '2025-11-25' : '2026-07-28',
      server: { name: 'halyard', title: 'Halyard', version: '1' },
      capabilities: { tools: {} },
    })
    await client.close()
  })
})

describe('the official client of version 2', () => {
  let client: Client
  beforeAll(async () => {
    client = await connect('modern', personalApiKey)
  })
  afterAll(() => client.close())

  it('reads what an operation rejects as an error of the tool', async () => {
    const result = await client.callTool({ name: 'create-feature-flag', arguments: { key: 'not a key' } })
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('"attr":"key"') }],
    })
  })

  it('gets an error for an unknown tool', async () => {
    await expect(client.callTool({ name: 'make-tea', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: make-tea'),
    })
  })

  it('lists only the tools of its key', async () => {
    const reader = await connect('modern', await keyWith(['feature_flag:read']))
    const { tools } = await reader.listTools()
    expect(tools.map(({ name }) => name)).toContain('feature-flag-get-all')
    expect(tools.map(({ name }) => name)).not.toContain('create-feature-flag')
    await reader.close()
  })

  it('does not connect without a key', async () => {
    await expect(connect('legacy', 'phx_none')).rejects.toThrow()
  })
})

describe("the MCP Inspector's command line", () => {
  const inspect = async (...args: string[]) => {
    const program = createRequire(import.meta.url).resolve(
      '@modelcontextprotocol/inspector-cli/build/index.js',
    )
    const target = [
      ENDPOINT.href,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${personalApiKey}`,
    ]
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...target, ...args], {
      // It looks for its own package.json from the current folder.
      cwd: dirname(program),
    })
    return JSON.parse(stdout) as { tools: unknown[]; structuredContent: unknown }
  }

  it('lists and calls tools', async () => {
    const { tools } = await inspect('--method', 'tools/list')
    expect(tools).toHaveLength(Object.keys(trialsFor('inspector')).length)
    const called = await inspect('--method', 'tools/call', '--tool-name', 'projects-list')
    expect(called.structuredContent).toMatchObject({ results: expect.any(Array) })
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
