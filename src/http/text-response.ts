// Responds with text of any length. A long one is in memory until it is sent: a client that does not read keeps it there.
import { overloaded } from './limits/request-memory'

/** Maximum bytes of long responses that an isolate sends at the same time. */
export const MAX_RESPONSE_MEMORY = 12 * 1024 * 1024
/** How long a client may read nothing of a long response whose memory another one of its size or more needs. */
export const MAX_STALL_MS = 500
/** Responses of this length are sent at once, and not counted. */
const SHORT_LENGTH = 64 * 1024
const CHUNK_BYTES = 256 * 1024

const encoder = new TextEncoder()

interface Sending {
  readonly bytes: number
  readonly isOfChange: boolean
  /** When the client last read a part of it. */
  readAt: number
  /** Frees the memory. The client then gets an error for the rest. */
  abort(): void
}

export function createTextResponses() {
  const sending = new Set<Sending>()
  const reserved = () => [...sending].reduce((total, { bytes }) => total + bytes, 0)

  /**
   * Ends responses that are larger than the new one or that are not read, the largest first, where that makes room. (The runtime does not
   * always report that a client has disconnected.) The response of a change also ends the others: those of changes, and then those of reads.
   * @throws 503 where that makes no room; the response of a change and a response alone always succeed
   */
  function makeRoom(bytes: number, isOfChange: boolean): void {
    const since = Date.now() - MAX_STALL_MS
    const yields = (each: Sending) => each.bytes > bytes || each.readAt <= since
    const rank = (each: Sending) => (yields(each) ? 2 : Number(each.isOfChange))
    const yielding = [...sending]
      .filter((each) => isOfChange || yields(each))
      .toSorted((a, b) => rank(b) - rank(a) || b.bytes - a.bytes)
    const ended: Sending[] = []
    const hasRoom = () => {
      const left = reserved() - ended.reduce((total, each) => total + each.bytes, 0)
      return left === 0 || left + bytes <= MAX_RESPONSE_MEMORY
    }
    while (!hasRoom()) {
      const largest = yielding.shift()
      if (largest === undefined) throw overloaded()
      ended.push(largest)
    }
    for (const each of ended) each.abort()
  }

  function streamOf(bytes: Uint8Array, isOfChange: boolean): ReadableStream<Uint8Array> {
    makeRoom(bytes.byteLength, isOfChange)
    let left: Uint8Array | null = bytes
    const end = () => {
      left = null
      sending.delete(response)
    }
    const response: Sending = { bytes: bytes.byteLength, isOfChange, readAt: Date.now(), abort: end }
    sending.add(response)
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          response.readAt = Date.now()
          if (left === null) {
            controller.error(new Error('another response needed the memory of this one'))
            return
          }
          controller.enqueue(left.slice(0, CHUNK_BYTES))
          left = left.subarray(CHUNK_BYTES)
          if (left.byteLength > 0) return
          end()
          controller.close()
        },
        cancel: end,
      },
      // A part is taken when it is read: a queued one would be in memory, but neither counted nor freed.
      { highWaterMark: 0 },
    )
  }

  return {
    get reserved() {
      return reserved()
    },
    /**
     * @param isOfChange whether it says what was changed: refusing it would say that nothing was
     * @throws 503 when too many long responses are being read; that of a change and one alone always succeed
     */
    respond(text: string, headers: HeadersInit, status = 200, isOfChange = false): Response {
      const body = text.length <= SHORT_LENGTH ? text : streamOf(encoder.encode(text), isOfChange)
      return new Response(body, { headers, status })
    },
  }
}

/** The responses of this isolate. */
const responses = createTextResponses()
export const textResponse = responses.respond

/** Responds with JSON. @throws 503 as `textResponse` does */
export const jsonResponse = (value: unknown, status?: number, isOfChange?: boolean): Response =>
  textResponse(JSON.stringify(value), { 'Content-Type': 'application/json' }, status, isOfChange)
