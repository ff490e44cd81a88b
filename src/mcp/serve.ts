// Handles a POST to `/mcp`, which has one message. The first call loads this module.
//
// The official SDK is 50 KB after gzip; a stateless server needs five methods (methods.ts). test/conformance runs its client against them.
import type { HonoRequest } from 'hono'
import type { ApiKeyActor } from '../auth/actor'
import { authorizeKey } from '../auth/authorize'
import { findKeyCredential } from '../auth/key-credential'
import type { Deps } from '../deps'
import { apiErrorIn, notAuthenticated } from '../errors'
import { jsonTextOf } from '../http/body/body'
import { countKey } from '../http/limits/throttle'
import { jsonResponse } from '../http/text-response'
import { describeError, type Log } from '../http/log/request-log'
import { CODES, errorBody, Message, type MessageId, resultBody, RpcError } from './message'
import { respond, type Server } from './methods'
import { revisionOf } from './revision'
import type { Tool } from './tool'

export interface Exchange {
  deps: Deps
  request: HonoRequest
  dispatch: Server['dispatch']
  /** Reports the caller, for the log. */
  recognised(actor: ApiKeyActor): void
}

/**
 * Counts at least one call of the key; the operations of tools count theirs.
 * @throws ApiError 401 without a valid personal API key; 429 above the rate limit
 */
export async function serve({ deps, request, dispatch, recognised }: Exchange): Promise<Response> {
  const credential = await findKeyCredential(request, () => null)
  if (!credential) throw notAuthenticated()
  const { actor } = await authorizeKey(deps, credential, 'any', { kind: 'none' })
  if (actor.kind !== 'apiKey') throw notAuthenticated()
  recognised(actor)

  const posted = await bodyOf(request, deps)
  const tools = await toolsOf(deps.env.ASSETS)
  const tool = 'json' in posted ? toolIn(posted.json, tools) : undefined
  let isCounted = tool === undefined
  if (isCounted) await countKey(deps, actor)
  if (!('json' in posted)) return Response.json(posted.body, { status: posted.status })

  const server: Server = {
    tools,
    reach: actor,
    request: request.raw,
    key: credential.value,
    async dispatch(call) {
      const response = await dispatch(call)
      // Operations check permissions before they count.
      isCounted ||= !REFUSED_AT_THE_DOOR.has(response.status)
      return response
    },
  }
  const reply = await replyTo(posted.json, server, deps.log)
  // A finished call is not undone: the limit applies to the next request.
  if (!isCounted) await countKey(deps, actor).catch(unlessThrottled)
  if (!reply) return new Response(null, { status: 202 })
  const isOfChange = tool !== undefined && !tool.describes.annotations.readOnlyHint
  return jsonResponse(reply.body, reply.status, isOfChange)
}

interface Reply {
  status: number
  body: object
}

/** @returns null for notifications and responses */
export async function replyTo(message: unknown, server: Server, log: Log): Promise<Reply | null> {
  if (isResponse(message)) return null
  const parsed = Message.safeParse(message)
  if (!parsed.success)
    return errorReply(null, new RpcError(CODES.invalidRequest, 'Not a JSON-RPC 2.0 message', 400))
  const id = parsed.data.id ?? null
  try {
    const revision = revisionOf(parsed.data, server.request.headers)
    if (id === null) return null
    return { status: 200, body: resultBody(id, await respond(parsed.data, revision, server)) }
  } catch (error) {
    if (error instanceof RpcError) return errorReply(id, error)
    log({ level: 'error', message: 'a message to /mcp failed', error: describeError(error) })
    return errorReply(id, new RpcError(CODES.internal, 'Internal error', 500))
  }
}

const errorReply = (id: MessageId, error: RpcError): Reply => ({
  status: error.status,
  body: errorBody(id, error),
})

const isResponse = (message: unknown) =>
  typeof message === 'object' &&
  message !== null &&
  !('method' in message) &&
  ('result' in message || 'error' in message)

/** Returns the posted JSON, or the error response. */
async function bodyOf(request: HonoRequest, { memory }: Deps): Promise<{ json: unknown } | Reply> {
  try {
    return { json: JSON.parse(await jsonTextOf(request, memory)) as unknown }
  } catch (error) {
    const known = apiErrorIn(error)
    if (!known) throw error
    return { status: known.status, body: errorBody(null, new RpcError(CODES.parse, known.detail)) }
  }
}

/** Statuses with which an operation may fail before it counts. */
const REFUSED_AT_THE_DOOR = new Set([401, 403, 404])

function unlessThrottled(error: unknown): void {
  if (apiErrorIn(error)?.status !== 429) throw error
}

let loaded: Promise<ReadonlyMap<string, Tool>> | undefined

/** Returns tools by name, from the file that `npm run openapi` writes. They are read once per isolate. */
function toolsOf(assets: Fetcher): Promise<ReadonlyMap<string, Tool>> {
  return (loaded ??= readTools(assets).catch((error: unknown) => {
    loaded = undefined
    throw error
  }))
}

async function readTools(assets: Fetcher): Promise<ReadonlyMap<string, Tool>> {
  const file = await assets.fetch('https://assets/mcp.json')
  const list = (await file.json()) as Tool[]
  return new Map(list.map((tool) => [tool.describes.name, tool]))
}

/** Returns the tool that the message calls, whose operation counts the call. */
function toolIn(message: unknown, tools: Server['tools']): Tool | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  return method === 'tools/call' ? tools.get(params?.name as string) : undefined
}
