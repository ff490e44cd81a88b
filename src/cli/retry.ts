// Repeating calls to Cloudflare's API.
import { setTimeout as sleep } from 'node:timers/promises'
import { CloudflareError } from './deploy/cloudflare'

/** Pauses before each retry, in seconds. A token that exceeds 1,200 calls in five minutes is blocked for five minutes. */
const PAUSES = [1, 2, 4, 8, 16, 32, 64, 128, 128]

/** Cloudflare refused the call because of the number of calls: it was not executed. */
export const isRateLimited = (error: unknown): boolean =>
  error instanceof CloudflareError && error.status === 429

/** The call may succeed later. Whether it was executed is not known: only for calls that may be executed twice. */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof CloudflareError) || error.status === 429 || error.status >= 500

/** Repeats a call while it fails with an error that is retryable, for some minutes. @throws the last error. */
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
