// Messages to `/mcp`, valid and invalid, in both revisions of the protocol.
import { describe, expect, it } from 'vitest'
import { createTenant } from '../support/tenant'
import { ask, askAnew, ENVELOPE, NEW, post } from './support'

const SUPPORTED = [NEW, '2025-11-25']
const IDENTITY = { name: 'halyard', title: 'Halyard', version: '1' }

const failure = (code: number, message: string, id: number | null = 1) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

describe('POST /mcp', () => {
  it('responds to initialize in the previous revision', async () => {
    const { status, body, line } = await ask(await createTenant(), 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: IDENTITY,
          instructions: expect.stringContaining('feature-flag-get-all'),
        },
      },
    })
    expect(line).toMatchObject({ route: '/mcp', actor: 'apiKey', status: 200 })
  })

  it.each(['1999-01-01', '2025-06-18'])('offers the previous revision for %s', async (protocolVersion) => {
    const { body } = await ask(await createTenant(), 'initialize', { protocolVersion })
    expect(body.result.protocolVersion).toBe('2025-11-25')
  })

  it('answers a ping', async () => {
    const { body } = await ask(await createTenant(), 'ping')
    expect(body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('accepts notifications with an empty response', async () => {
    const { status, body } = await post(await createTenant(), {
      jsonrpc: '2.0',
      method: 'notifications/initialized',
    })
    expect({ status, body }).toEqual({ status: 202, body: null })
  })

  it('accepts an unexpected response with an empty response', async () => {
    const { status, body } = await post(await createTenant(), { jsonrpc: '2.0', id: 7, result: {} })
    expect({ status, body }).toEqual({ status: 202, body: null })
  })

  it.each([
    ['no object', 5],
    ['a list of messages', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    ['another protocol', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['an id that is a list', { jsonrpc: '2.0', id: [], method: 'ping' }],
    ['parameters that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }],
  ])('refuses %s', async (_, body) => {
    const response = await post(await createTenant(), body)
    expect(response.status).toBe(400)
    expect(response.body).toEqual(failure(-32600, 'Not a JSON-RPC 2.0 message', null))
  })

  it('rejects invalid JSON', async () => {
    const tenant = await createTenant()
    const { status, body } = await tenant.send('POST', '/mcp', {
      raw: '{"jsonrpc"',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
    })
    expect({ status, code: body.error.code, message: body.error.message }).toEqual({
      status: 400,
      code: -32700,
      message: expect.stringMatching(/^JSON parse error - /),
    })
  })

  it.each(['1999-01-01', '2025-06-18'])('rejects the revision %s', async (requested) => {
    const { status, body } = await post(
      await createTenant(),
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { 'MCP-Protocol-Version': requested },
    )
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32022,
          message: `Unsupported protocol version: ${requested}`,
          data: { supported: SUPPORTED, requested },
        },
      },
    })
  })

  it.each([
    ['no cursor', 'tools/list', { cursor: 'x' }, -32602, 'Unknown cursor: there is one page'],
    ['no such tool', 'tools/call', { name: 'make-tea' }, -32602, 'Unknown tool: make-tea'],
    ['a tool without a name', 'tools/call', {}, -32602, 'name must be a string'],
    [
      'a name that no text can be made of',
      'tools/call',
      { name: { toString: 1, valueOf: 1 } },
      -32602,
      'name must be a string',
    ],
    ['a tool of Object', 'tools/call', { name: 'constructor' }, -32602, 'Unknown tool: constructor'],
    [
      'a list of arguments',
      'tools/call',
      { name: 'projects-list', arguments: [] },
      -32602,
      'arguments must be an object',
    ],
    ['resources', 'resources/list', {}, -32601, 'Method not found: resources/list'],
  ])('knows %s', async (_, method, params, code, message) => {
    const { status, body } = await ask(await createTenant(), method, params)
    expect({ status, body }).toEqual({ status: 200, body: failure(code, message) })
  })
})

describe('POST /mcp since 2026-07-28', () => {
  it('describes the server', async () => {
    const { status, body } = await askAnew(await createTenant(), 'server/discover')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          ttlMs: 300_000,
          cacheScope: 'private',
          supportedVersions: SUPPORTED,
          capabilities: { tools: {} },
          instructions: expect.any(String),
          _meta: { 'io.modelcontextprotocol/serverInfo': IDENTITY },
        },
      },
    })
  })

  it('rejects an unknown method with 404', async () => {
    const { status, body } = await askAnew(await createTenant(), 'resources/list')
    expect({ status, body }).toEqual({
      status: 404,
      body: failure(-32601, 'Method not found: resources/list'),
    })
  })

  it('has the same results as the revision before', async () => {
    const tenant = await createTenant()
    const call = { name: 'projects-list', arguments: {} }
    const current = await askAnew(tenant, 'tools/call', call, { 'Mcp-Name': call.name })
    const previous = await ask(tenant, 'tools/call', call)
    expect(current.body.result.structuredContent.count).toBe(1)
    expect(current.body.result).toEqual({
      resultType: 'complete',
      ...previous.body.result,
      _meta: { 'io.modelcontextprotocol/serverInfo': IDENTITY },
    })
  })

  it('takes a name that a header cannot hold in base64', async () => {
    const { body } = await askAnew(
      await createTenant(),
      'tools/call',
      { name: 'projects-list' },
      { 'Mcp-Name': `=?base64?${btoa('projects-list')}?=` },
    )
    expect(body.result.structuredContent.count).toBe(1)
  })

  it.each([
    [
      'the method of another request',
      { 'Mcp-Method': 'tools/list' },
      -32020,
      'The header Mcp-Method has "tools/list", the body "server/discover"',
    ],
    ['no method', { 'Mcp-Method': '' }, -32020, 'The header Mcp-Method has "", the body "server/discover"'],
    [
      'another revision',
      { 'MCP-Protocol-Version': '2025-11-25' },
      -32020,
      `The header MCP-Protocol-Version has "2025-11-25", the body "${NEW}"`,
    ],
  ])('refuses headers with %s', async (_, headers, code, message) => {
    const { status, body } = await askAnew(await createTenant(), 'server/discover', {}, headers)
    expect({ status, body }).toEqual({ status: 400, body: failure(code, message) })
  })

  it('rejects a call whose header does not name the tool', async () => {
    const { status, body } = await askAnew(await createTenant(), 'tools/call', { name: 'projects-list' })
    expect({ status, body }).toEqual({
      status: 400,
      body: failure(-32020, 'The header Mcp-Name has no value, the body "projects-list"'),
    })
  })

  it.each([
    ['no envelope', undefined, 'Missing _meta field: io.modelcontextprotocol/protocolVersion'],
    [
      'half an envelope',
      { 'io.modelcontextprotocol/protocolVersion': NEW },
      'Missing _meta field: io.modelcontextprotocol/clientCapabilities',
    ],
    [
      'a revision that is no text',
      { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': 2026 },
      'Not a string: _meta field io.modelcontextprotocol/protocolVersion',
    ],
  ])('refuses %s', async (_, meta, message) => {
    const { status, body } = await post(
      await createTenant(),
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: meta ? { _meta: meta } : {} },
      { 'MCP-Protocol-Version': NEW, 'Mcp-Method': 'tools/list' },
    )
    expect({ status, body }).toEqual({ status: 400, body: failure(-32602, message) })
  })
})

describe('who may speak to /mcp', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('rejects callers without a key', async () => {
    const { status, body, headers } = await (await createTenant()).send('POST', '/mcp', { body: ping })
    expect({ status, body, challenge: headers.get('WWW-Authenticate') }).toEqual({
      status: 401,
      body: {
        type: 'authentication_error',
        code: 'not_authenticated',
        detail: 'Authentication credentials were not provided.',
        attr: null,
      },
      challenge: 'Bearer',
    })
  })

  it('rejects an unknown key', async () => {
    const { status, body } = await post(await createTenant(), ping, { Authorization: 'Bearer phx_none' })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'authentication_failed' })
  })

  it('lets pages of any origin call it, which need a key', async () => {
    const tenant = await createTenant()
    const from = { Origin: 'https://app.example.com' }
    const asked = 'authorization,content-type,mcp-protocol-version'
    const preflight = await tenant.send('OPTIONS', '/mcp', {
      headers: {
        ...from,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': asked,
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('POST')
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe(asked)
    expect(preflight.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    for (const key of [`Bearer ${tenant.key}`, 'Bearer phx_none']) {
      const { headers } = await post(tenant, ping, { ...from, Authorization: key })
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    }
  })

  it.each(['GET', 'DELETE'])('has no sessions: %s is rejected', async (method) => {
    const tenant = await createTenant()
    const { status, headers } = await tenant.send(method, '/mcp', {
      headers: { Authorization: `Bearer ${tenant.key}` },
    })
    expect({ status, allow: headers.get('Allow') }).toEqual({ status: 405, allow: 'POST' })
  })
})
