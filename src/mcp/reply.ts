// One message that came to `/mcp`, and what is said to it.
import { describeError, type Log } from '../http/request-log'
import { CODES, errorBody, Message, type MessageId, resultBody, RpcError } from './message'
import { answer, type Server } from './methods'
import { eraOf } from './revision'

export interface Reply {
  /** Of the HTTP response, where the message came alone. */
  status: number
  body: object
}

/**
 * The reply to one message; null to what wants none: a notification, or the answer to something that was never asked. A crash is the failure
 * of its message alone: the others of a batch are answered.
 */
export async function replyTo(message: unknown, server: Server, log: Log): Promise<Reply | null> {
  if (isAnswer(message)) return null
  const parsed = Message.safeParse(message)
  if (!parsed.success)
    return refuse(null, new RpcError(CODES.invalidRequest, 'Not a JSON-RPC 2.0 message', 400))
  const id = parsed.data.id ?? null
  try {
    const era = eraOf(parsed.data, server.request.headers)
    if (id === null) return null
    return { status: 200, body: resultBody(id, await answer(parsed.data, era, server)) }
  } catch (error) {
    if (error instanceof RpcError) return refuse(id, error)
    log({ level: 'error', message: 'a message to /mcp failed', error: describeError(error) })
    return refuse(id, new RpcError(CODES.internal, 'Internal error', 500))
  }
}

const refuse = (id: MessageId, error: RpcError): Reply => ({
  status: error.status,
  body: errorBody(id, error),
})

/** The reply to a message of a batch whose other replies are large already. */
export const refuseTooLarge = (message: unknown): Reply | null => {
  const parsed = Message.safeParse(message)
  if (!parsed.success || parsed.data.id === undefined) return null
  return refuse(
    parsed.data.id,
    new RpcError(CODES.internal, 'The replies to this batch are too large: send fewer messages', 413),
  )
}

const isAnswer = (message: unknown) =>
  typeof message === 'object' &&
  message !== null &&
  !('method' in message) &&
  ('result' in message || 'error' in message)
