// Sends calls with `fetch`: with a deadline, and a limit of what is read.
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
      return {
        status: response.status,
        text: await textOf(response, url),
        retryAfter: response.headers.get('retry-after'),
        location: response.headers.get('location'),
      }
    } catch (error) {
      if (error instanceof CallError) throw error
      const { message, code } = ((error as Error).cause ?? error) as { message: string; code?: string }
      throw new CallError(null, `${url} cannot be reached: ${message}`, { code })
    }
  }

async function textOf({ status, body }: Response, url: string): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done || !value) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > MAX_RESPONSE_BYTES) {
      await reader!.cancel()
      throw new CallError(status, `${url} answered with more than ${MAX_RESPONSE_BYTES} bytes.`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
