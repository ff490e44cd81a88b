// Reads the body of a request in pieces and within deadlines, so that memory is not reserved for a client that stalls.
import { within } from '../../deadline'
import { ApiError, malformed } from '../../errors'

/** How long a request waits for the next piece of its body. */
export const MAX_PIECE_WAIT_MS = 5_000
/** How long a request waits for all pieces of its body. Time in which pieces are processed does not count. */
export const MAX_BODY_WAIT_MS = 30_000

/** @throws 408 past a deadline, and 400 when the connection ends before the body does */
export async function* bodyPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let leftMs = MAX_BODY_WAIT_MS
  try {
    for (;;) {
      const started = performance.now()
      const piece = reader.read().catch(rejectIncomplete)
      const { done, value } = await within(piece, Math.min(MAX_PIECE_WAIT_MS, leftMs), timedOut)
      if (done) return
      leftMs -= performance.now() - started
      yield value
    }
  } finally {
    // This ends an unfinished read, too.
    reader.cancel().catch(() => {})
  }
}

/** The most bytes of a body that are read without a use. */
const MAX_UNUSED_BYTES = 64 * 1024

/**
 * Reads what is left of a small body that no one has read: the runtime closes the connection after a response to an unread request, without
 * saying so, and the next request on it, which may be another caller's behind a proxy, is lost.
 */
export async function readUnused({ body, bodyUsed, headers }: Request): Promise<void> {
  if (!body || bodyUsed || Number(headers.get('Content-Length') ?? 0) > MAX_UNUSED_BYTES) return
  let left = MAX_UNUSED_BYTES
  try {
    for await (const piece of bodyPieces(body)) {
      left -= piece.byteLength
      if (left < 0) return
    }
  } catch {
    // The response says enough.
  }
}

/** Reads a body in one piece. @throws 400 when the connection ends before the body does */
export const wholeBody = async (request: Request): Promise<Uint8Array> =>
  new Uint8Array(await request.arrayBuffer().catch(rejectIncomplete))

/** A client that disconnects is not an error of the service. */
function rejectIncomplete(): never {
  throw malformed('the connection was closed before the end of the body')
}

export const timedOut = () =>
  new ApiError({
    status: 408,
    type: 'invalid_request',
    code: 'request_timeout',
    detail: `The request body was not received in time: it may pause for ${MAX_PIECE_WAIT_MS / 1000} seconds, and take ${MAX_BODY_WAIT_MS / 1000} seconds together.`,
  })
