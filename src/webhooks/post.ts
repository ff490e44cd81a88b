// One call of a receiver, bounded in time and in what is read.

/** Until when a receiver must have responded. */
export const RECEIVER_DEADLINE_MS = 10_000

/** Bytes of a response that are read and stored. */
export const MAX_RESPONSE_BYTES = 4 * 1024

export interface Reply {
  /** Null without a response. */
  status: number | null
  /** Its first MAX_RESPONSE_BYTES. */
  body: string | null
  /** Why there is no response, or why it does not count; null for a delivery. */
  error: string | null
  durationMs: number
}

/** Never throws. Redirects are not followed. */
export async function postTo(
  url: string,
  headers: Record<string, string>,
  body: string,
  deadlineMs = RECEIVER_DEADLINE_MS,
): Promise<Reply> {
  const started = Date.now()
  const ended = (reply: Omit<Reply, 'durationMs'>): Reply => ({ ...reply, durationMs: Date.now() - started })
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'Halyard-Webhooks/1', ...headers },
      body,
      redirect: 'manual',
      signal,
    })
    const { status } = response
    // The status counts, whatever becomes of the body.
    return ended({ status, body: await readStart(response.body).catch(() => ''), error: errorOf(status) })
  } catch {
    // The platform's own text may name what only it can see.
    const error = signal.aborted
      ? `The receiver did not respond within ${deadlineMs / 1000} seconds.`
      : 'The receiver could not be reached.'
    return ended({ status: null, body: null, error })
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `The receiver redirects (${status}). Enter the final URL.`
    : `The receiver responded with ${status}.`
}

async function readStart(stream: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let left = MAX_RESPONSE_BYTES
  for await (const chunk of stream ?? []) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true })
    left -= chunk.byteLength
    // Leaving the loop cancels the body.
    if (left <= 0) return text
  }
  return text + decoder.decode()
}
