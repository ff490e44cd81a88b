// Responds with JSON text that is built while it is sent, so that the whole text is never in memory.

/** The characters that are sent at once. */
const CHUNK_LENGTH = 64 * 1024

/** @param parts the parts of one JSON text, in order; each is built after the parts before it are sent */
export function streamJson(parts: Iterable<string>): Response {
  const left = Iterator.from(parts)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      let chunk = ''
      while (chunk.length < CHUNK_LENGTH) {
        const { value, done } = left.next()
        if (done) break
        chunk += value
      }
      if (chunk === '') controller.close()
      else controller.enqueue(encoder.encode(chunk))
    },
  })
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}
