// Calls of an HTTP API for an import: with deadlines, a limit of their size, and patience where the service asks for it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonValue } from '../../json'
import { printable } from './report'

const TIMEOUT_MS = 60_000
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024
/** Repeated at most as often: after a 429 or 503, or a read that failed on the way. */
const MAX_ATTEMPTS = 8
/** Where the service does not say how long. Doubles with every attempt. */
const FIRST_WAIT_MS = 1_000
/** A service that asks for more is not waited for: an hourly quota is. */
const MAX_WAIT_MS = 3_700_000

export type Method = 'GET' | 'POST' | 'PATCH'

/** A call was answered with an error. */
export class CallError extends Error {
  override readonly name = 'CallError'
  constructor(
    /** Null: there was no answer. */
    readonly status: number | null,
    message: string,
    /** Of the error body, or of the connection's error, such as `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(message)
  }
}

type Headers = Readonly<Record<string, string>>

export interface Client {
  /** Without a slash at its end. */
  url: string
  /** @throws CallError with the answer's explanation. */
  call<Body = JsonValue>(method: Method, path: string, body?: JsonValue, more?: Headers): Promise<Body>
}

export interface ClientOptions {
  url: string
  headers: Headers
  /** Removed from whatever the service answers. */
  secret: string
  /** Says why nothing happens for a while. */
  say(text: string): void
  /** Waits as many milliseconds. */
  wait?(ms: number): Promise<unknown>
}

export function createClient({ url, headers, secret, say, wait = (ms) => sleep(ms) }: ClientOptions): Client {
  const base = url.replace(/\/+$/, '')
  const hide = (text: string) => printable(secret ? text.replaceAll(secret, '[secret]') : text)

  async function once(
    method: Method,
    path: string,
    body: JsonValue | undefined,
    more: Headers,
  ): Promise<Response> {
    try {
      return await fetch(`${base}${path}`, {
        method,
        headers: { ...headers, ...more, Accept: 'application/json', 'Content-Type': 'application/json' },
        // A redirect would carry the key to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    } catch (error) {
      const { message, code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
      throw new CallError(null, `${base} cannot be reached: ${hide(message)}`, code)
    }
  }

  let hasResponded = false
  return {
    url: base,
    async call<Body>(method: Method, path: string, body?: JsonValue, more: Headers = {}): Promise<Body> {
      for (let attempt = 1; ; attempt++) {
        const isLast = attempt === MAX_ATTEMPTS
        let response: Response
        try {
          response = await once(method, path, body, more)
        } catch (error) {
          if (method !== 'GET' || isLast || (!hasResponded && isWrongAddress(error))) throw error
          const waitMs = FIRST_WAIT_MS * 2 ** (attempt - 1)
          say(`${(error as CallError).message}. The next attempt is in ${waitMs / 1000} s.\n`)
          await wait(waitMs)
          continue
        }
        hasResponded = true
        const text = await textOf(response)
        if (response.ok) return parse(text, `${method} ${base}${path}`) as Body
        const waitMs = isLast ? null : waitAfter(response, attempt)
        if (waitMs === null) {
          throw new CallError(
            response.status,
            `${method} ${base}${path.split('?')[0]} answered ${response.status}: ${hide(explanationIn(text, response))}`,
            codeIn(text),
          )
        }
        if (waitMs >= 5_000) say(`${base} asks to wait ${Math.ceil(waitMs / 1000)} s.\n`)
        await wait(waitMs)
      }
    },
  }
}

/** Before a first response, such an error is one of the address: waiting does not help. */
const isWrongAddress = (error: unknown): boolean =>
  error instanceof CallError && (error.code === 'ECONNREFUSED' || error.code === 'ENOTFOUND')

/** How long to wait before the same call again; null for not at all. */
export function waitAfter({ status, headers }: Response, attempt: number, now = Date.now()): number | null {
  if (status !== 429 && status !== 503) return null
  const asked = headers.get('retry-after')
  if (asked === null) return FIRST_WAIT_MS * 2 ** (attempt - 1)
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - now
  if (Number.isNaN(ms)) return FIRST_WAIT_MS * 2 ** (attempt - 1)
  return ms > MAX_WAIT_MS ? null : Math.max(ms, 0)
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).byteLength
    if (bytes > MAX_RESPONSE_BYTES)
      throw new CallError(
        response.status,
        `${response.url} answered with more than ${MAX_RESPONSE_BYTES} bytes.`,
      )
    text += decoder.decode(chunk as Uint8Array, { stream: true })
  }
  return text + decoder.decode()
}

function parse(text: string, call: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw new CallError(null, `${call} did not answer with JSON: is the URL that of the API?`)
  }
}

/** The code of an error body. */
function codeIn(text: string): string | undefined {
  try {
    const { code } = JSON.parse(text) as { code?: unknown }
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}

const MAX_EXPLANATION = 500

/** The sentence of an error body. */
function explanationIn(text: string, { status, headers }: Response): string {
  if (status >= 300 && status < 400)
    return `a redirect to ${headers.get('location')}. Use the URL that it leads to.`
  try {
    const { detail, error, message, attr, details } = JSON.parse(text) as Record<string, unknown>
    const first = Array.isArray(details)
      ? (details[0] as { message?: unknown } | undefined)?.message
      : undefined
    const said = [detail, error, first, message].find((each) => typeof each === 'string')
    if (said !== undefined) return `${typeof attr === 'string' ? `${attr}: ` : ''}${String(said)}`
  } catch {
    // Not JSON: shown as it is.
  }
  return text.slice(0, MAX_EXPLANATION) || 'an empty body'
}
