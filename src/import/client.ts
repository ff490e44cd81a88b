// Calls of an HTTP API for an import: retried after 429 and 503, and when a read fails.
import { withoutLastSlashes } from '../base-url'
import { sleep } from '../deadline'
import { parseExactly } from '../http/body/exact-integers'
import type { JsonValue } from '../json'
import { CallError, type Headers, type Method, type Reply, type Transport } from './call'
import { printable } from './printable'
import { boundedText } from '../bounded-text'

/** Maximum retries after a 429 or 503, or a failed read. */
const MAX_ATTEMPTS = 8
/** The first delay without Retry-After. It doubles with every attempt. */
const FIRST_WAIT_MS = 1_000
/** Maximum wait, after which a call fails. The wait of an hourly quota is shorter. */
const MAX_WAIT_MS = 3_700_000

export interface Client {
  /** The URL without a slash at its end. */
  url: string
  /** @throws CallError with the answer's explanation. */
  call<Body = JsonValue>(method: Method, path: string, body?: JsonValue): Promise<Body>
  /** Sends a POST that may be sent twice, because it only reads, or stores the same once. It is retried like a GET. @throws CallError */
  repeatable<Body = JsonValue>(path: string, body: JsonValue, more?: Headers): Promise<Body>
}

export interface ClientOptions {
  url: string
  headers: Headers
  /** The key. It is removed from every response. */
  key: string
  /** Says why nothing happens for a while. */
  say(text: string): void
  /** Sends requests; the default is `fetch`. */
  send?: Transport
  wait?(ms: number): Promise<unknown>
}

export function createClient(options: ClientOptions): Client {
  const { headers, key, say } = options
  const url = withoutLastSlashes(options.url)
  const { send = fetchTransport(url), wait = sleep } = options
  const hide = (text: string) => printable(key ? text.replaceAll(key, '[secret]') : text)

  async function once(...call: Parameters<Transport>): Promise<Reply> {
    try {
      return await send(...call)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      throw new CallError(error.status, hide(error.message), error.code)
    }
  }

  let hasResponded = false

  async function patiently(isRepeatable: boolean, ...[method, path, body, more]: Parameters<Transport>) {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === MAX_ATTEMPTS
      let reply: Reply
      try {
        reply = await once(method, path, body, { ...headers, ...more })
      } catch (error) {
        const isTransient = error instanceof CallError && error.status === null
        if (!isTransient || !isRepeatable || isLast || (!hasResponded && isWrongAddress(error))) throw error
        const waitMs = FIRST_WAIT_MS * 2 ** (attempt - 1)
        say(`${error.message}. The next attempt is in ${waitMs / 1000} s.\n`)
        await wait(waitMs)
        continue
      }
      hasResponded = true
      if (reply.status >= 200 && reply.status < 300) return parse(reply.text, `${method} ${url}${path}`)
      const waitMs = isLast ? null : waitAfter(reply, attempt, { isRepeatable })
      if (waitMs === null) {
        throw new CallError(
          reply.status,
          `${method} ${url}${path.split('?')[0]} answered ${reply.status}: ${hide(explanationIn(reply))}`,
          textIn(reply, 'code'),
          textIn(reply, 'change_request_id'),
        )
      }
      if (waitMs >= 5_000)
        say(`${url} answered ${reply.status}. The next attempt is in ${Math.ceil(waitMs / 1000)} s.\n`)
      await wait(waitMs)
    }
  }

  return {
    url,
    call: async <Body>(method: Method, path: string, body?: JsonValue) =>
      (await patiently(method === 'GET', method, path, body, {})) as Body,
    repeatable: async <Body>(path: string, body: JsonValue, more: Headers = {}) =>
      (await patiently(true, 'POST', path, body, more)) as Body,
  }
}

const WRONG_ADDRESS = new Set<string | null>(['ECONNREFUSED', 'ENOTFOUND'])

/** Whether an error is one of the address, if it comes before a first response. Waiting does not help then. */
const isWrongAddress = ({ code }: CallError): boolean => WRONG_ADDRESS.has(code)

/** Statuses of faults between the client and the service, or of one instance. A write may nevertheless have succeeded. */
const FAULTS = new Set([500, 502, 504])

/** Returns how long to wait before the same call is repeated, or null to give up. */
export function waitAfter(
  { status, retryAfter }: Pick<Reply, 'status' | 'retryAfter'>,
  attempt: number,
  { isRepeatable = false, now = Date.now() }: { isRepeatable?: boolean; now?: number } = {},
): number | null {
  if (status !== 429 && status !== 503 && !(isRepeatable && FAULTS.has(status))) return null
  if (retryAfter === null) return FIRST_WAIT_MS * 2 ** (attempt - 1)
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  if (Number.isNaN(ms)) return FIRST_WAIT_MS * 2 ** (attempt - 1)
  return ms > MAX_WAIT_MS ? null : Math.max(ms, 0)
}

function parse(text: string, call: string): unknown {
  if (text === '') return null
  try {
    return parseExactly(text)
  } catch {
    throw new CallError(null, `${call} did not answer with JSON: is the URL that of the API?`)
  }
}

const MAX_EXPLANATION = 500

/** A field of an error body. */
function textIn({ text }: Reply, field: string): string | undefined {
  try {
    const { [field]: value } = JSON.parse(text) as Record<string, unknown>
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** The sentence of an error body. */
function explanationIn({ status, text, location }: Reply): string {
  if (status >= 300 && status < 400) return `a redirect to ${location}. Use the URL that it leads to.`
  try {
    const { detail, error, message, attr, details } = JSON.parse(text) as Record<string, unknown>
    const first = Array.isArray(details)
      ? (details[0] as { message?: unknown } | undefined)?.message
      : undefined
    const said = [detail, error, first, message].find((each) => typeof each === 'string')
    if (said !== undefined) return `${typeof attr === 'string' ? `${attr}: ` : ''}${String(said)}`
  } catch {
    // Text that is not JSON is shown unchanged.
  }
  return text.slice(0, MAX_EXPLANATION) || 'an empty body'
}

const TIMEOUT_MS = 60_000
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/** @param url without a slash at its end. */
const fetchTransport =
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
