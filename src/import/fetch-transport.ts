// Sends calls with `fetch`: with a deadline, and a limit of what is read.
import { boundedText } from '../bounded-text'
import { CallError, type Transport } from './call'

const TIMEOUT_MS = 60_000
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/** @param url without a slash at its end. */
export const fetchTransport =
  (url: string): Transport =>
  async (method, path, body, headers) => {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, Accept: 'application/json', 'Content-Type': 'application/json' },
        // A redirect would carry the key to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await boundedText(response.body, MAX_RESPONSE_BYTES)
      if (text === null)
        throw new CallError(response.status, `${url} answered with more than ${MAX_RESPONSE_BYTES} bytes.`)
      return {
        status: response.status,
        text,
        retryAfter: response.headers.get('retry-after'),
        location: response.headers.get('location'),
      }
    } catch (error) {
      if (error instanceof CallError) throw error
      const { message, code } = ((error as Error).cause ?? error) as { message: string; code?: string }
      throw new CallError(null, `${url} cannot be reached: ${message}`, code)
    }
  }
