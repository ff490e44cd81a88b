// Makes one call of a receiver, bounded in time and in what is read.
import { apiErrorIn } from '../errors'
import { WEBHOOK_AGENT } from '../http/own-webhooks'
import { publicUrl } from '../http/public-url'

/** The time within which a receiver must respond. */
export const RECEIVER_DEADLINE_MS = 10_000

/** The time for which the body is read after the status. A body that does not end delays nothing else. */
const BODY_DEADLINE_MS = 1_000

/** The most bytes of a response that are read and stored. */
export const MAX_RESPONSE_BYTES = 4 * 1024

export interface Reply {
  /** The status, or null without a response. */
  status: number | null
  /** The part of the response that arrives within BODY_DEADLINE_MS, of at most MAX_RESPONSE_BYTES. */
  body: string | null
  /** Why there is no response, or why the response is a failure. It is null for a delivery. */
  error: string | null
  durationMs: number
}

/** Returns why an address that was stored earlier may not be called now, or null. */
function problemOf(url: string, env: Pick<Env, 'ALLOW_PRIVATE_HOSTS'>): string | null {
  if (env.ALLOW_PRIVATE_HOSTS === 'on') return null
  try {
    publicUrl(url, env, new URL('https://queue/'))
    return null
  } catch (error) {
    const rejection = apiErrorIn(error)
    if (!rejection) throw error
    return rejection.detail
  }
}

/** Posts a message to the address of a webhook, unless it may not be called any more. It never throws, and follows no redirects. */
export async function postToWebhook(
  env: Pick<Env, 'ALLOW_PRIVATE_HOSTS'>,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Reply> {
  const problem = problemOf(url, env)
  if (problem !== null) return { status: null, body: null, error: problem, durationMs: 0 }
  const started = Date.now()
  const ended = (reply: Omit<Reply, 'durationMs'>): Reply => ({ ...reply, durationMs: Date.now() - started })
  const controller = new AbortController()
  const { signal } = controller
  let timer = setTimeout(() => controller.abort(), RECEIVER_DEADLINE_MS)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': WEBHOOK_AGENT, ...headers },
      body,
      redirect: 'manual',
      signal,
    })
    const { status } = response
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(), BODY_DEADLINE_MS)
    // The status counts even if the body cannot be read.
    return ended({ status, body: await readStart(response.body), error: errorOf(status) })
  } catch {
    // The platform's own text may name internal details.
    const error = signal.aborted
      ? `The receiver did not respond within ${RECEIVER_DEADLINE_MS / 1000} seconds.`
      : 'The receiver could not be reached.'
    return ended({ status: null, body: null, error })
  } finally {
    clearTimeout(timer)
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `The receiver redirects (${status}). Enter the final URL.`
    : `The receiver responded with ${status}.`
}

/** Reads the start of a response. It never throws, and returns the part that has arrived. */
async function readStart(stream: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let left = MAX_RESPONSE_BYTES
  try {
    for await (const chunk of stream ?? []) {
      text += decoder.decode(chunk.subarray(0, left), { stream: true })
      left -= chunk.byteLength
      // Leaving the loop cancels the body.
      if (left <= 0) return text
    }
  } catch {
    return text
  }
  return text + decoder.decode()
}
