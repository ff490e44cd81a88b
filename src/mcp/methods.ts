// The methods of a stateless MCP server with tools.
import { apiErrorIn } from '../errors'
import { renderError } from '../http/render-error'
import type { UnknownObject } from '../json'
import { type HintContext, likelyTools, withHint } from './hints'
import { CODES, type Message, RpcError } from './message'
import { defaultsOf, describedFor, opens, type Reach, withReach } from './reach'
import { requestFor } from './request'
import { failed, resultOf, type ToolResult } from './result'
import { CURRENT_REVISION, PREVIOUS_REVISION, REVISIONS } from './revision'
import type { Tool } from './tool'

export interface Server {
  /** Tools by name. */
  tools: ReadonlyMap<string, Tool>
  /** The access of the caller's key. */
  reach: Reach
  /** The request to `/mcp`, and its API key. */
  request: Request
  key: string
  /** Handles a request to the service. */
  dispatch(request: Request): Promise<Response>
}

const CAPABILITIES = { tools: {} }

const INSTRUCTIONS = `Feature flags, saved queries and accounts of one organization. Every tool has the scopes of the API key of this connection. \
Tools inside a project take project_id; the default is the only project of a restricted key, or else the current project of its user. \
organization_id defaults to the current organization of that user, and uuid to the user. \
Find a flag with feature-flag-get-all, read it with feature-flag-get-definition, and evaluate it for a person with feature-flags-test-evaluation-create, which explains each condition. \
Errors name the argument in attr and the problem in detail.`

const IDENTITY = { name: 'halyard', title: 'Halyard', version: '1' }

/** Caching of the list of tools, which depends on the key only. */
const CACHEABLE = { ttlMs: 300_000, cacheScope: 'private' }

type Method = (message: Message, server: Server) => object | Promise<object>

/** The method `initialize`, which only clients of the previous revision call. */
const initialize: Method = () => ({
  protocolVersion: PREVIOUS_REVISION,
  capabilities: CAPABILITIES,
  serverInfo: IDENTITY,
  instructions: INSTRUCTIONS,
})

const discover: Method = () => ({
  supportedVersions: REVISIONS,
  capabilities: CAPABILITIES,
  instructions: INSTRUCTIONS,
})

const listTools: Method = ({ params }, { tools, reach }) => {
  if (params?.cursor !== undefined)
    throw new RpcError(CODES.invalidParams, 'Unknown cursor: there is one page')
  const open = [...tools.values()].filter((tool) => opens(reach, tool))
  return { tools: open.map((tool) => describedFor(reach, tool)) }
}

/** Calls a tool, also outside the scopes of the key: the error of the operation names the scope. */
const callTool: Method = async (
  { params },
  { tools, reach, request, key, dispatch },
): Promise<ToolResult> => {
  const { name, arguments: given = {} } = params ?? {}
  if (typeof name !== 'string') throw new RpcError(CODES.invalidParams, 'name must be a string')
  const tool = tools.get(name)
  if (!tool) {
    const open = [...tools.values()].filter((each) => opens(reach, each))
    const likely = likelyTools(
      name,
      open.map(({ describes }) => describes.name),
    )
    const hint = likely.length > 0 ? `. Did you mean ${likely.join(', ')}?` : ''
    throw new RpcError(CODES.invalidParams, `Unknown tool: ${name}${hint}`)
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new RpcError(CODES.invalidParams, 'arguments must be an object')
  }
  const context: HintContext = { tool, given: given as UnknownObject, tools, reach }
  try {
    const defaults = defaultsOf(reach)
    const outgoing = requestFor(tool, context.given, {
      outer: request,
      key,
      defaults,
    })
    const { url } = outgoing
    const response = await dispatch(outgoing)
    const result = withHint(await resultOf(response, tool.call), response.status, context)
    return response.status === 403 && tool.inProject ? withReach(result, reach, url) : result
  } catch (error) {
    const known = apiErrorIn(error)
    if (known) return withHint(failed(await renderError(error).text()), known.status, context)
    throw error
  }
}

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', () => ({})],
  ['server/discover', discover],
  ['tools/list', listTools],
  ['tools/call', callTool],
])

/** @throws RpcError for an unknown method or invalid parameters */
export async function respond(message: Message, revision: string, server: Server): Promise<object> {
  const isCurrent = revision === CURRENT_REVISION
  const method = METHODS.get(message.method)
  if (!method) {
    throw new RpcError(CODES.methodNotFound, `Method not found: ${message.method}`, isCurrent ? 404 : 200)
  }
  const result = await method(message, server)
  if (!isCurrent) return result
  return {
    resultType: 'complete',
    ...(message.method === 'tools/call' ? {} : CACHEABLE),
    ...result,
    _meta: { 'io.modelcontextprotocol/serverInfo': IDENTITY },
  }
}
