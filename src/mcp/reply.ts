// Replies to single messages.
import { describeError, type Log } from '../http/log/request-log'
import { CODES, errorBody, Message, type MessageId, resultBody, RpcError } from './message'
import { respond, type Server } from './methods'
import { revisionOf } from './revision'

export interface Reply {
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
