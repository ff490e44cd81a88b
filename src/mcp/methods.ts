// The methods of MCP that are served: what a server of tools has to answer, and nothing that would need memory.
import { apiErrorIn } from '../errors'
import { renderError } from '../http/render-error'
import { CODES, type Message, RpcError } from './message'
import { defaultsOf, describedFor, opens, type Reach, withReach } from './reach'
import { requestFor } from './request'
import { failed, resultOf, type ToolResult } from './result'
import { ALL_REVISIONS, type Era, HANDSHAKE_REVISIONS } from './revision'
import type { Tool } from './tool'

/** What a method works with. */
export interface Server {
  /** Every tool, by name. */
  tools: ReadonlyMap<string, Tool>
  /** What the caller's key opens. */
  reach: Reach
  /** What came to `/mcp`, and the key that it carried. */
  request: Request
  key: string
  /** Has the service answer a request as if it had come from outside. */
  dispatch(request: Request): Promise<Response>
}

const CAPABILITIES = { tools: {} }

const INSTRUCTIONS = `Feature flags, saved queries and accounts of one organization. Every tool acts with the scopes of the key that this connection was made with. \
Tools inside a project take project_id; without it they act in the one project that the key is restricted to, or else in the one that its user works in. \
A flag is found with feature-flag-get-all, read whole with feature-flag-get-definition, and tried for one person with feature-flags-test-evaluation-create, which says why each condition holds or not. \
Errors name the argument in attr and what is wrong with it in detail.`

const IDENTITY = { name: 'halyard', title: 'Halyard', version: '1' }

/** How long a client may keep what does not depend on the moment; the list of tools changes with the key alone. */
const CACHEABLE = { ttlMs: 300_000, cacheScope: 'private' }

type Method = (message: Message, server: Server) => object | Promise<object>

const initialize: Method = ({ params }) => {
  const wanted = params?.protocolVersion
  return {
    protocolVersion: HANDSHAKE_REVISIONS.find((revision) => revision === wanted) ?? HANDSHAKE_REVISIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: IDENTITY,
    instructions: INSTRUCTIONS,
  }
}

const discover: Method = () => ({
  ...CACHEABLE,
  supportedVersions: ALL_REVISIONS,
  capabilities: CAPABILITIES,
  instructions: INSTRUCTIONS,
})

const listTools =
  (extra: object): Method =>
  ({ params }, { tools, reach }) => {
    if (params?.cursor !== undefined)
      throw new RpcError(CODES.invalidParams, 'Unknown cursor: there is one page')
    const open = [...tools.values()].filter((tool) => opens(reach, tool))
    return { ...extra, tools: open.map((tool) => describedFor(reach, tool)) }
  }

/** A tool that the key does not open is called all the same: the operation says which scope it takes. */
const callTool: Method = async (
  { params },
  { tools, reach, request, key, dispatch },
): Promise<ToolResult> => {
  const { name, arguments: given = {} } = params ?? {}
  // No text can be made of whatever else it may be.
  if (typeof name !== 'string') throw new RpcError(CODES.invalidParams, 'name must be a string')
  const tool = tools.get(name)
  if (!tool) throw new RpcError(CODES.invalidParams, `Unknown tool: ${name}`)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new RpcError(CODES.invalidParams, 'arguments must be an object')
  }
  try {
    const defaults = defaultsOf(reach)
    const outgoing = requestFor(tool.call, given as Record<string, unknown>, {
      outer: request,
      key,
      defaults,
    })
    const { url } = outgoing
    const response = await dispatch(outgoing)
    const result = await resultOf(response, tool.call)
    return response.status === 403 && tool.inProject ? withReach(result, reach, url) : result
  } catch (error) {
    if (apiErrorIn(error)) return failed(await renderError(error).text())
    throw error
  }
}

const METHODS: Record<Era, ReadonlyMap<string, Method>> = {
  handshake: new Map<string, Method>([
    ['initialize', initialize],
    ['ping', () => ({})],
    ['tools/list', listTools({})],
    ['tools/call', callTool],
  ]),
  'self-contained': new Map<string, Method>([
    ['server/discover', discover],
    ['tools/list', listTools(CACHEABLE)],
    ['tools/call', callTool],
  ]),
}

/**
 * Answers a request.
 * @throws RpcError when there is no such method, or its parameters are not acceptable
 */
export async function answer(message: Message, era: Era, server: Server): Promise<object> {
  const method = METHODS[era].get(message.method)
  const isNew = era === 'self-contained'
  if (!method) {
    throw new RpcError(CODES.methodNotFound, `Method not found: ${message.method}`, isNew ? 404 : 200)
  }
  const result = await method(message, server)
  return isNew
    ? { resultType: 'complete', ...result, _meta: { 'io.modelcontextprotocol/serverInfo': IDENTITY } }
    : result
}
