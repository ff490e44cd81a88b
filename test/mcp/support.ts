// A client of `/mcp` that says exactly what it is told to.
import type { TestResponse } from '../support/harness'
import type { Tenant } from '../support/tenant'

export const NEW = '2026-07-28'

/** Posts a message with a tenant's key. */
export const post = (
  tenant: Tenant,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  tenant.send('POST', '/mcp', { body, headers: { Authorization: `Bearer ${tenant.key}`, ...headers } })

/** A request of the handshake era. */
export const ask = (tenant: Tenant, method: string, params?: unknown): Promise<TestResponse> =>
  post(tenant, { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })

/** A request of the newer era, with all that it has to carry. */
export const askAnew = (
  tenant: Tenant,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  post(
    tenant,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } },
    { 'MCP-Protocol-Version': NEW, 'Mcp-Method': method, ...headers },
  )

export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': NEW,
  'io.modelcontextprotocol/clientCapabilities': {},
}

export const callTool = (
  tenant: Tenant,
  name: string,
  given: Record<string, unknown> = {},
): Promise<TestResponse> => ask(tenant, 'tools/call', { name, arguments: given })

/** Names of the tools that a tenant's key sees. */
export async function toolNames(tenant: Tenant): Promise<string[]> {
  const { body } = await ask(tenant, 'tools/list')
  return (body.result.tools as { name: string }[]).map(({ name }) => name)
}
