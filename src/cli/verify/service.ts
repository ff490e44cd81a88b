// Calls the service that is verified. A response, whatever its status, is distinguished from a call without one.
import { isLoopback } from '../../auth/client'
import { Failure, NetworkError } from './outcome'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** @throws Failure when the body is not JSON */
  json<T>(): T
}

export interface CallOptions {
  /** The body, which is sent as JSON. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface Service {
  /** The origin, without a slash at the end. */
  url: string
  isLocal: boolean
  /**
   * Sends a call without a key, and follows no redirect.
   * @param path or a whole address
   * @throws NetworkError
   */
  send(method: string, path: string, options?: CallOptions): Promise<Answer>
  /**
   * Reads a page or a file without a key.
   * @throws Failure for a status other than 200
   */
  read(path: string, headers?: CallOptions['headers']): Promise<Answer>
  /** Sends a call with the personal API key. */
  sendWithKey(method: string, path: string, options?: CallOptions): Promise<Answer>
  /**
   * Sends a call with the key.
   * @returns the body of the response
   * @throws Failure for a status other than 2xx
   */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Opens a response that does not end, until `signal` is aborted. */
  open(path: string, signal: AbortSignal): Promise<Response>
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ServiceOptions {
  url: string
  key: string
  fetch: Fetch
  wait(ms: number): Promise<unknown>
  /** No call begins after this signal is aborted. */
  signal: AbortSignal
}

const TIMEOUT_MS = 30_000
/** The longest wait before a retry, because call limits are counted in windows of a minute. */
const MAX_RETRY_SECONDS = 65
const MAX_TEXT = 300

export function createService({ url: given, key, fetch, wait, signal }: ServiceOptions): Service {
  const { origin: url } = new URL(given)

  async function request(path: string, init: RequestInit, end: AbortSignal): Promise<Response> {
    try {
      return await fetch(new URL(path, url).href, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.any([signal, end]),
      })
    } catch (error) {
      throw networkError(path, error)
    }
  }

  function networkError(path: string, error: unknown): Error {
    if (signal.aborted) return signal.reason as Error
    const { message } = ((error as Error).cause ?? error) as Error
    return new NetworkError(`${new URL(path, url).href.split('?')[0]!} did not answer: ${message}`)
  }

  async function once(method: string, path: string, { body, headers }: CallOptions): Promise<Answer> {
    const response = await request(
      path,
      {
        method,
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      AbortSignal.timeout(TIMEOUT_MS),
    )
    const text = await response.text().catch((error: unknown) => {
      throw networkError(path, error)
    })
    const json = <T>(): T => {
      try {
        return JSON.parse(text) as T
      } catch {
        throw new Failure(
          `${method} ${path} answered ${response.status} without JSON: ${text.slice(0, MAX_TEXT)}`,
        )
      }
    }
    return { status: response.status, headers: response.headers, text, json }
  }

  const send: Service['send'] = async (method, path, options = {}) => {
    const answer = await once(method, path, options)
    const seconds = Number(answer.headers.get('Retry-After') ?? Infinity)
    // A 429 is retried, because applications may use the same key.
    if (answer.status !== 429 || !(seconds <= MAX_RETRY_SECONDS)) return answer
    await wait(seconds * 1000)
    return once(method, path, options)
  }

  const sendWithKey: Service['send'] = (method, path, options = {}) =>
    send(method, path, { ...options, headers: { ...options.headers, Authorization: `Bearer ${key}` } })

  return {
    url,
    isLocal: isLoopback(new URL(url)),
    send,
    async read(path, headers) {
      const answer = await send('GET', path, { headers })
      if (answer.status !== 200) throw new Failure(describe(`GET ${path}`, answer))
      return answer
    },
    sendWithKey,
    async call<T>(method: string, path: string, body?: unknown) {
      const answer = await sendWithKey(method, path, { body })
      if (answer.status < 200 || answer.status > 299) throw new Failure(describe(`${method} ${path}`, answer))
      return (answer.text === '' ? null : answer.json()) as T
    },
    open: (path, end) => request(path, {}, end),
  }
}

/** Describes a response in a failure. */
export const describe = (call: string, { status, text }: Pick<Answer, 'status' | 'text'>): string =>
  `${call} answered ${status}${text === '' ? '' : `: ${text.slice(0, MAX_TEXT)}`}`
