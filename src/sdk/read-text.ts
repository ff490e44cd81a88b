// Text out of bytes that come piece by piece, inflated when they are gzip. Nothing is held beyond a limit, and the start is looked at before
// the rest is asked for.
import { Buffer } from 'node:buffer'
import { pipeline } from 'node:stream'
import { createGunzip, gunzipSync } from 'node:zlib'
import { ApiError, malformed } from '../errors'
import { tooLarge } from '../http/body'
import type { MemoryLease } from '../http/request-memory'

/** Bytes of a compressed body that is inflated at once. */
const SMALL_BYTES = 16 * 1024

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
  const { start, pieces } = await peek(limitBytes(source, maxBytes))
  if (!isGzip(start)) return decode(pieces, reading)
  try {
    return await decode(limitBytes(inflate(pieces), maxBytes), reading)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw malformed('the body is not valid gzip')
  }
}

const isGzip = ([first, second]: readonly number[]) => first === 0x1f && second === 0x8b

/** The same pieces, as far as they are within the limit. */
async function* limitBytes(pieces: Pieces, maxBytes: number): AsyncGenerator<Uint8Array> {
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
  return { start, pieces: chain(taken, source) }
}

/**
 * Inflates pieces as they are asked for. The streams of `node:zlib` wait for their reader in the middle of a piece; a `DecompressionStream`
 * of the platform inflates all that is written at once, whatever is read of it.
 */
async function* inflate(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { taken, rest } = await take(pieces, SMALL_BYTES)
  const small = rest === null ? inflateSmall(taken) : null
  if (small) {
    yield small
    return
  }
  const gunzip = createGunzip()
  // An error reaches the reader through the stream; a reader that stops ends the pipeline.
  pipeline(chain(taken, rest), gunzip, () => {})
  yield* gunzip as AsyncIterable<Uint8Array>
}

/** Pieces up to a number of bytes, and the others; null when there are none. */
async function take(
  pieces: AsyncGenerator<Uint8Array>,
  maxBytes: number,
): Promise<{ taken: Uint8Array[]; rest: AsyncGenerator<Uint8Array> | null }> {
  const taken: Uint8Array[] = []
  for (let size = 0; size <= maxBytes;) {
    const { done, value } = await pieces.next()
    if (done) return { taken, rest: null }
    taken.push(value)
    size += value.byteLength
  }
  return { taken, rest: pieces }
}

async function* chain(
  taken: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array> | null,
): AsyncGenerator<Uint8Array> {
  yield* taken
  if (rest) yield* rest
}

/** What most bodies inflate to, at a fifth of the cost of a stream; null when it is too large for that, or broken. */
function inflateSmall(pieces: readonly Uint8Array[]): Uint8Array | null {
  try {
    return gunzipSync(Buffer.concat(pieces), { maxOutputLength: PREFIX_BYTES })
  } catch {
    return null
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
