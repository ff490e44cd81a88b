// One exchange at `/mcp`: a message, or a batch of them, and the JSON that answers it. Loaded when the first one comes.
//
// The protocol's own SDK is 50 KB of code after gzip, five times what the budget has left; stateless, over one POST, MCP is the five methods in
// methods.ts. Its client tries them all in test/conformance.
import type { HonoRequest } from 'hono'
import type { ApiKeyActor } from '../auth/actor'
import { authorizeKey } from '../auth/authorize'
import { findCredential } from '../auth/credential'
import type { Deps } from '../deps'
import { apiErrorIn, notAuthenticated } from '../errors'
import { jsonTextOf } from '../http/body'
import { countKey } from '../http/throttle'
import { CODES, errorBody, RpcError } from './message'
import type { Server } from './methods'
import { refuseTooLarge, type Reply, replyTo } from './reply'
import { toolsOf } from './tools'

/** Messages that a batch may hold (MCP 2025-03-26 has them). */
const MAX_BATCH = 20
/** Characters of the replies to a batch after which the other messages are not answered. */
export const MAX_REPLIES_LENGTH = 8 * 1024 * 1024

export interface Exchange {
  deps: Deps
  request: HonoRequest
  dispatch: Server['dispatch']
  /** Told who calls, for the log. */
  recognised(actor: ApiKeyActor): void
}

/**
 * Answers what was posted to `/mcp`. It counts for its key once at least, whatever comes of it: what its tools call is counted there.
 * @throws ApiError 401 when no personal API key, or none that is one, came along; 429 when it calls too often
 */
export async function serve({ deps, request, dispatch, recognised }: Exchange): Promise<Response> {
  const credential = await findCredential(request, () => null)
  if (!credential) throw notAuthenticated()
  const { actor } = await authorizeKey(deps, credential, 'any', { kind: 'nothing' })
  if (actor.kind !== 'apiKey') throw notAuthenticated()
  recognised(actor)

  const posted = await bodyOf(request, deps)
  const messages = 'json' in posted ? [posted.json].flat() : []
  const isTooMany = messages.length === 0 || messages.length > MAX_BATCH
  const tools = await toolsOf(deps.env.ASSETS)
  let isCounted = isTooMany || !messages.some((message) => calledTool(message, tools))
  if (isCounted) await countKey(deps, actor)

  if (!('json' in posted)) return Response.json(posted.body, { status: posted.status })
  if (isTooMany) {
    const refusal = new RpcError(CODES.invalidRequest, `A batch holds 1 to ${MAX_BATCH} messages`, 400)
    return Response.json(errorBody(null, refusal), { status: refusal.status })
  }
  const server: Server = {
    tools,
    reach: actor,
    request: request.raw,
    key: credential.value,
    async dispatch(call) {
      const response = await dispatch(call)
      // Who may not call an operation is told so before it counts.
      isCounted ||= !REFUSED_AT_THE_DOOR.has(response.status)
      return response
    },
  }
  const replies: Reply[] = []
  let length = 0
  for (const message of messages) {
    const reply =
      length > MAX_REPLIES_LENGTH ? refuseTooLarge(message) : await replyTo(message, server, deps.log)
    if (!reply) continue
    replies.push(reply)
    if (messages.length > 1) length += JSON.stringify(reply.body).length
  }
  // What is answered by now stays answered: the next request is the one too many.
  if (!isCounted) await countKey(deps, actor).catch(unlessThrottled)
  if (replies.length === 0) return new Response(null, { status: 202 })
  if (Array.isArray(posted.json)) return Response.json(replies.map(({ body }) => body))
  return Response.json(replies[0]!.body, { status: replies[0]!.status })
}

/** The JSON that was posted, or the answer to what is none. */
async function bodyOf(request: HonoRequest, { memory }: Deps): Promise<{ json: unknown } | Reply> {
  try {
    return { json: JSON.parse(await jsonTextOf(request, memory)) as unknown }
  } catch (error) {
    const known = apiErrorIn(error)
    if (!known) throw error
    return { status: known.status, body: errorBody(null, new RpcError(CODES.parse, known.detail)) }
  }
}

/** Statuses of what an operation refuses before it counts, among others. */
const REFUSED_AT_THE_DOOR = new Set([401, 403, 404])

function unlessThrottled(error: unknown): void {
  if (apiErrorIn(error)?.status !== 429) throw error
}

/** The tool whose operation may count a message yet. */
function calledTool(message: unknown, tools: Server['tools']) {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  return method === 'tools/call' ? tools.get(params?.name as string) : undefined
}
