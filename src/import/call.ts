// Makes one call of an HTTP API, and says why it failed.
import type { JsonValue } from '../json'

export type Method = 'GET' | 'POST' | 'PATCH'

/** A call was answered with an error. */
export class CallError extends Error {
  override readonly name = 'CallError'

  constructor(
    /** The status is null without a response. */
    readonly status: number | null,
    message: string,
    /** The code in the error body, or of the connection's error, such as `ECONNREFUSED`. */
    readonly code: string | null = null,
    /** The request that a change of a flag has become. */
    readonly changeRequestId: string | null = null,
  ) {
    super(message)
  }
}

/** Returns null for what a service does not have, or does not show to the key. */
export async function ifVisible<T>(
  read: Promise<T>,
  hidden: readonly number[] = [403, 404],
): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (error instanceof CallError && hidden.includes(error.status ?? 0)) return null
    throw error
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
