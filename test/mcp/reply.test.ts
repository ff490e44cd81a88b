// A message that crashes fails by itself, and the log knows why.
import { expect, it } from 'vitest'
import type { Server } from '../../src/mcp/methods'
import { replyTo } from '../../src/mcp/serve'

const tool = {
  describes: { inputSchema: { properties: {} } } as never,
  scope: 'any',
  inProject: false,
  call: { method: 'get', path: '/', inPath: {}, inQuery: [], takesBody: false },
}

const server: Server = {
  tools: new Map([['crash', tool]]),
  reach: { scopes: [], scopedTeams: [] },
  request: new Request('https://halyard.test/mcp'),
  key: 'phx_key',
  dispatch: () => Promise.reject(new TypeError('the secret of the inside')),
}

it('answers a crash as an internal error of its message, and logs the cause', async () => {
  const lines: object[] = []
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'crash' } }
  const reply = await replyTo(message, server, (line) => lines.push(line))
  expect(reply).toEqual({
    status: 500,
    body: { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'Internal error' } },
  })
  expect(lines).toEqual([
    {
      level: 'error',
      message: 'a message to /mcp failed',
      error: expect.stringContaining('the secret of the inside'),
    },
  ])
})
