// JSON-RPC 2.0 messages, as far as MCP over HTTP needs them.
import * as z from 'zod'

const Id = z.union([z.string(), z.int()])

/** A request, or a notification, which has no `id`. */
export const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id.optional(),
  method: z.string(),
  params: z.looseObject({ _meta: z.looseObject({}).optional() }).optional(),
})
export type Message = z.output<typeof Message>
export type MessageId = z.output<typeof Id> | null

/** Error codes of JSON-RPC and MCP. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** An error response. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** The HTTP status, which is 200 for errors of a method. */
    readonly status = 200,
    readonly data?: Record<string, unknown>,
  ) {
    super(message)
  }
}

export const resultBody = (id: MessageId, result: object) => ({ jsonrpc: '2.0', id, result })

export const errorBody = (id: MessageId, { code, message, data }: RpcError) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data ? { data } : {}) },
})
