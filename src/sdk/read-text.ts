// Text out of bytes that come piece by piece, inflated when they are gzip. Nothing is held beyond a limit, and the start is looked at before
// the rest is asked for.
import { ApiError, malformed } from '../errors'
import { tooLarge } from '../http/body'
import type { MemoryLease } from '../http/request-memory'

/** Bytes of a text after which its start is shown to `admit`. */
export const PREFIX_BYTES = 64 * 1024

export interface TextReading {
  /** Counts the bytes of the text. */
  lease: MemoryLease
  /**
   * Is given the start of a text that is longer than PREFIX_BYTES, before the rest is read.
   * @throws to refuse the request.
   */
  admit(start: string): Promise<void>
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * The text of a stream, or of pieces that are there.
 * @param maxBytes as they come, and inflated.
 * @throws 413 past `maxBytes`, 400 for broken gzip or UTF-8, and what `reading` throws.
 */
export async function readText(source: Pieces, maxBytes: number, reading: TextReading): Promise<string> {
  const { start, pieces } = await peek(counted(source, maxBytes))
  if (!isGzip(start)) return decode(pieces, reading)
  try {
    return await decode(counted(inflated(pieces), maxBytes), reading)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw malformed('the body is not valid gzip')
  }
}

const isGzip = ([first, second]: readonly number[]) => first === 0x1f && second === 0x8b

/** The same pieces, as far as they are within the limit. */
async function* counted(pieces: Pieces, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of pieces) {
    size += piece.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

/** The first two bytes, or as many as there are, and all pieces as if none had been taken. */
async function peek(
  source: AsyncGenerator<Uint8Array>,
): Promise<{ start: readonly number[]; pieces: AsyncGenerator<Uint8Array> }> {
  const taken: Uint8Array[] = []
  const start: number[] = []
  while (start.length < 2) {
    const { done, value } = await source.next()
    if (done) break
    taken.push(value)
    start.push(...value.subarray(0, 2))
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* taken
    yield* source
  }
  return { start, pieces: all() }
}

async function* inflated(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip')
  const written = write(pieces, writable as WritableStream<Uint8Array>)
  // Whoever stops reading cancels the stream, and with it the writing: what that throws then is of no interest.
  written.catch(() => {})
  yield* readable as unknown as AsyncIterable<Uint8Array>
  await written
}

async function write(pieces: AsyncIterable<Uint8Array>, to: WritableStream<Uint8Array>): Promise<void> {
  const writer = to.getWriter()
  try {
    for await (const piece of pieces) await writer.write(piece)
    await writer.close()
  } catch (error) {
    await writer.abort(error)
    throw error
  }
}

/** The text of UTF-8. */
async function decode(pieces: AsyncIterable<Uint8Array>, { lease, admit }: TextReading): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  const decoded = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch {
      throw malformed('the body is not valid UTF-8')
    }
  }
  let text = ''
  let size = 0
  for await (const piece of pieces) {
    lease.take(piece.byteLength)
    text += decoded(piece)
    if (size <= PREFIX_BYTES && size + piece.byteLength > PREFIX_BYTES)
      await admit(text.slice(0, PREFIX_BYTES))
    size += piece.byteLength
  }
  return text + decoded()
}
