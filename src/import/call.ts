// One call of an HTTP API, and why it failed.
import type { JsonValue } from '../json'

export type Method = 'GET' | 'POST' | 'PATCH'

/** A call was answered with an error. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** Of the error body, or of the connection’s error, such as `ECONNREFUSED`. */
  readonly code: string | null
  /** Of the service; null where the call did not get that far. */
  readonly url: string | null
  /** The request that a change of a flag has become. */
  readonly changeRequestId: string | null

  constructor(
    /** Null: there was no answer. */
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

/** What a service responds to a call. */
export interface Reply {
  status: number
  text: string
  /** Of the headers of these names. */
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
