// Responds with text of any length. A long one counts as memory until it is sent: a client that does not read would keep it there.
import { createRequestMemory, type MemoryLease } from './limits/request-memory'

/** Maximum bytes of long responses that an isolate sends at the same time. */
export const MAX_RESPONSE_MEMORY = 8 * 1024 * 1024
/** How long a client may take to read a long response. */
export const MAX_SEND_MS = 30_000
/** Responses of this length are sent at once, and not counted. */
const SHORT_LENGTH = 64 * 1024
const CHUNK_BYTES = 256 * 1024

const encoder = new TextEncoder()

export function createTextResponses() {
  const memory = createRequestMemory(MAX_RESPONSE_MEMORY)
  /** Responses that are being sent, with the time at which their memory is free. */
  const sending = new Map<MemoryLease, number>()

  function release(lease: MemoryLease): void {
    lease.release()
    sending.delete(lease)
  }

  /** The runtime does not always report that a client has disconnected: then neither `cancel` nor a timer runs. */
  function releaseExpired(now: number): void {
    for (const [lease, until] of sending) if (until <= now) release(lease)
  }

  function reserve(bytes: number): MemoryLease {
    const now = Date.now()
    releaseExpired(now)
    const lease = memory.open()
    lease.take(bytes)
    sending.set(lease, now + MAX_SEND_MS)
    return lease
  }

  function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
    const lease = reserve(bytes.byteLength)
    let left = bytes
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      release(lease)
      left = new Uint8Array()
    }
    return new ReadableStream<Uint8Array>({
      start(controller) {
        timer = setTimeout(() => {
          end()
          controller.error(new Error('the client did not read the response in time'))
        }, MAX_SEND_MS)
      },
      pull(controller) {
        if (left.byteLength === 0) {
          end()
          controller.close()
          return
        }
        controller.enqueue(left.slice(0, CHUNK_BYTES))
        left = left.subarray(CHUNK_BYTES)
      },
      cancel: end,
    })
  }

  return {
    get reserved() {
      return memory.reserved
    },
    /** @throws 503 when too many long responses are being sent; one alone always succeeds */
    respond(text: string, headers: HeadersInit, status = 200): Response {
      const body = text.length <= SHORT_LENGTH ? text : streamOf(encoder.encode(text))
      return new Response(body, { headers, status })
    },
  }
}

/** The responses of this isolate. */
const responses = createTextResponses()
export const textResponse = responses.respond

/** Responds with JSON. @throws 503 as `textResponse` does */
export const jsonResponse = (value: unknown, status?: number): Response =>
  textResponse(JSON.stringify(value), { 'Content-Type': 'application/json' }, status)
