// A client for Cloudflare's API.
// https://developers.cloudflare.com/api
import { setTimeout as sleep } from 'node:timers/promises'
import { PreflightError } from '../command'

const TIMEOUT_MS = 30_000
/** The number of items of a page, which is the maximum for the list of accounts. */
const PAGE_SIZE = 50

export class CloudflareError extends Error {
  override readonly name = 'CloudflareError'
  constructor(
    readonly status: number,
    /** Cloudflare's error code. */
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

interface Envelope {
  success: boolean
  result: unknown
  errors?: { code: number; message: string }[]
  /** It is set only for paginated lists. */
  result_info?: { total_count?: number }
}

export interface Cloudflare {
  get<T>(path: string): Promise<T>
  list<T>(path: string): Promise<T[]>
  post<T>(path: string, body: unknown): Promise<T>
  /** Returns the bytes of a file, or null for 404. */
  download(path: string): Promise<Uint8Array | null>
  put<T>(path: string, body: unknown): Promise<T>
  /** Deletes a resource. A missing one counts as deleted. */
  delete(path: string): Promise<void>
}

/**
 * @param base URL of the API
 * @param headers with the credentials
 */
export function createCloudflare(base: string, headers: Record<string, string>): Cloudflare {
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(base + path, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const { message } = (error.cause ?? error) as Error
      throw new Error(`Cloudflare cannot be reached at ${new URL(base).host}: ${message}`)
    })

  async function request(method: string, path: string, body?: unknown): Promise<Envelope> {
    const response = await send(method, path, body)
    const envelope = (await response.json().catch(() => null)) as Envelope | null
    if (response.ok && envelope?.success) return envelope
    const { code = 0, message = `status ${response.status}` } = envelope?.errors?.[0] ?? {}
    throw new CloudflareError(
      response.status,
      code,
      `Cloudflare's response to ${method} ${path}: ${message} (${code})`,
    )
  }

  return {
    get: async <T>(path: string) => (await request('GET', path)).result as T,
    post: async <T>(path: string, body: unknown) => (await request('POST', path, body)).result as T,
    async download(path) {
      const response = await send('GET', path)
      if (response.status === 404) return null
      if (!response.ok)
        throw new CloudflareError(
          response.status,
          0,
          `Cloudflare's response to GET ${path}: status ${response.status}`,
        )
      return new Uint8Array(await response.arrayBuffer())
    },
    put: async <T>(path: string, body: unknown) => (await request('PUT', path, body)).result as T,
    delete: async (path: string) => void (await nullIfMissing(request('DELETE', path))),
    async list<T>(path: string) {
      const all: T[] = []
      const separator = path.includes('?') ? '&' : '?'
      for (let page = 1; ; page += 1) {
        const response = await request('GET', `${path}${separator}page=${page}&per_page=${PAGE_SIZE}`)
        const found = response.result as T[]
        all.push(...found)
        if (found.length === 0 || all.length >= (response.result_info?.total_count ?? 0)) return all
      }
    },
  }
}

/** Returns null for 404. */
export async function nullIfMissing<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response
  } catch (error) {
    if (error instanceof CloudflareError && error.status === 404) return null
    throw error
  }
}

/** Adds the permission that a token lacks to the error. */
export async function withPermission<T>(permission: string, response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    if (!(error instanceof CloudflareError) || (error.status !== 401 && error.status !== 403)) throw error
    throw new PreflightError(
      `Cloudflare does not let this login see what it has to (${error.message}). ` +
        `The token needs the permission "${permission}"; with \`wrangler login\`, log in again.`,
    )
  }
}

/** The pauses before retries, in seconds. A token that exceeds 1,200 calls in five minutes is blocked for five minutes. */
const PAUSES = [1, 2, 4, 8, 16, 32, 64, 128, 128]

/** Returns whether Cloudflare rejected the call because of the number of calls. The call was then not executed. */
export const isRateLimited = (error: unknown): boolean =>
  error instanceof CloudflareError && error.status === 429

/**
 * Returns whether the call may succeed later. It is unknown whether it was executed, so that this is only for calls that may be executed
 * twice.
 */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof CloudflareError) || error.status === 429 || error.status >= 500

/**
 * Repeats a call while it fails with an error that is retryable, for some minutes.
 * @throws the last error
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  isRetryable: (error: unknown) => boolean,
): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await call()
    } catch (error) {
      if (!isRetryable(error)) throw error
      await sleep(pause * 1_000)
    }
  }
  return call()
}
