// Makes one call of an HTTP API, and says why it failed.
import type { JsonValue } from '../json'

export type Method = 'GET' | 'POST' | 'PATCH'

/** A call was answered with an error. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** The code in the error body, or of the connection's error, such as `ECONNREFUSED`. */
  readonly code: string | null
  /** The URL in the error body. It is null where the call did not reach the service. */
  readonly url: string | null
  /** The request that a change of a flag has become. */
  readonly changeRequestId: string | null

  constructor(
    /** The status is null without a response. */
    readonly status: number | null,
    message: string,
    {
      code = null,
      url = null,
      changeRequestId = null,
    }: { code?: string | null; url?: string | null; changeRequestId?: string | null } = {},
  ) {
    super(message)
    this.code = code
    this.url = url
    this.changeRequestId = changeRequestId
  }
}

export type Headers = Readonly<Record<string, string>>

/** The response of a service. */
export interface Reply {
  status: number
  text: string
  /** The values of the headers with these names. */
  retryAfter: string | null
  location: string | null
}

/** Sends a call once. @throws CallError without a status where no answer came. */
export type Transport = (
  method: Method,
  path: string,
  body: JsonValue | undefined,
  headers: Headers,
) => Promise<Reply>
