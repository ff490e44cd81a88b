// JSON-RPC 2.0, as far as MCP over HTTP needs it: what comes in, and the two forms of an answer.
import * as z from 'zod'

const Id = z.union([z.string(), z.int()])

/** A request, or without an id a notification. */
export const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id.optional(),
  method: z.string(),
  params: z.looseObject({ _meta: z.looseObject({}).optional() }).optional(),
})
export type Message = z.output<typeof Message>
export type MessageId = z.output<typeof Id> | null

/** Codes of JSON-RPC, and those that MCP adds. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** A request that gets an error for an answer. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** Of the HTTP response: errors that a method answers with are no failures of HTTP. */
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
