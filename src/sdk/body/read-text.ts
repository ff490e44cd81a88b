// Reads text from a stream, and inflates gzip. Memory stays within the limit.
import { Buffer } from 'node:buffer'
import { pipeline } from 'node:stream'
import { createGunzip, gunzipSync } from 'node:zlib'
import { ApiError, malformed } from '../../errors'
import { tooLarge } from '../../http/body/body'
import type { MemoryLease } from '../../http/limits/request-memory'

const SMALL_BYTES = 16 * 1024

export const PREFIX_BYTES = 64 * 1024

/** Maximum of a JSON text without a known token at its start. posthog-python sends up to 5.9 MiB with the token at the end. */
export const MAX_UNKNOWN_BYTES = 6 * 1024 * 1024
/** Maximum of any other such text. Browsers send events in forms and in base64, whose token is encoded. */
export const MAX_UNKNOWN_ENCODED_BYTES = 1024 * 1024

export interface TextReading {
  lease: MemoryLease
  /**
   * Receives the start of a text longer than PREFIX_BYTES, before the rest is read.
   * @returns whether a token is known
   * @throws to reject the request
   */
  checkStart(start: string): Promise<boolean>
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Reads a text. What is compressed is inflated once it has arrived, so that a slow client holds no more memory than it has sent.
 * @param maxBytes limit of the bytes as sent, and of the inflated bytes
 * @throws 413 past a limit, 400 for broken gzip or UTF-8, and errors of `reading`
 */
export async function readText(source: Pieces, maxBytes: number, reading: TextReading): Promise<string> {
  const { start, pieces } = await peek(limitBytes(source, maxBytes))
  if (!isGzip(start)) return decode(pieces, reading)
  const compressed = await collect(pieces, reading.lease)
  try {
    return await decode(limitBytes(inflate(compressed), maxBytes), reading)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw malformed('the body is not valid gzip')
  }
}

export const isGzip = (bytes: ArrayLike<number>): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** @throws 413 past the limit. */
async function* limitBytes(pieces: Pieces, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of pieces) {
    size += piece.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

/** Reads the first two bytes, which `pieces` still contains. */
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

async function* chain(
  taken: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* taken
  yield* rest
}

async function collect(pieces: AsyncIterable<Uint8Array>, lease: MemoryLease): Promise<Uint8Array[]> {
  const collected: Uint8Array[] = []
  for await (const piece of pieces) {
    lease.take(piece.byteLength)
    collected.push(piece)
  }
  return collected
}

/** Inflates on demand. `node:zlib` applies backpressure within a piece, while `DecompressionStream` inflates all input into memory. */
async function* inflate(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const small = size <= SMALL_BYTES ? inflateSmall(pieces) : null
  if (small) {
    yield small
    return
  }
  const gunzip = createGunzip({ chunkSize: PREFIX_BYTES })
  // Errors reach the reader through `gunzip`. A reader that stops destroys it, which ends the pipeline.
  pipeline(pieces, gunzip, () => {})
  yield* gunzip as AsyncIterable<Uint8Array>
}

/** Inflates in one call, which costs a fifth of a stream. Returns null when the body is too large or broken. */
function inflateSmall(pieces: readonly Uint8Array[]): Uint8Array | null {
  try {
    return gunzipSync(Buffer.concat(pieces), { maxOutputLength: PREFIX_BYTES })
  } catch {
    return null
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** @throws 400 for broken UTF-8 */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw malformed('the body is not valid UTF-8')
  }
}

/**
 * Decodes a body that is not inflated.
 * @throws 413 past `maxBytes`, 400 for broken UTF-8
 */
export function decodeAtOnce(bytes: Uint8Array, maxBytes: number, { lease }: TextReading): string {
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  lease.take(bytes.byteLength)
  return decodeUtf8(bytes)
}

const prefixDecoder = new TextDecoder()

/**
 * Decodes all pieces together, which takes half the time of decoding each.
 * @throws 413 past the maximum without a known token, 400 for broken UTF-8, and errors of `checkStart`
 */
async function decode(
  source: AsyncIterable<Uint8Array>,
  { lease, checkStart }: TextReading,
): Promise<string> {
  let pieces: Uint8Array[] = []
  let size = 0
  let maxUnknown = Infinity
  for await (const piece of source) {
    lease.take(piece.byteLength)
    pieces.push(piece)
    const isPastPrefix = size <= PREFIX_BYTES && size + piece.byteLength > PREFIX_BYTES
    size += piece.byteLength
    if (isPastPrefix) {
      const start = prefixDecoder.decode(Buffer.concat(pieces).subarray(0, PREFIX_BYTES))
      if (!(await checkStart(start)))
        maxUnknown = looksLikeJson(start) ? MAX_UNKNOWN_BYTES : MAX_UNKNOWN_ENCODED_BYTES
    }
    if (size > maxUnknown) throw tooLarge(maxUnknown, ' without a known token in its first 64 KiB')
  }
  const bytes = Buffer.concat(pieces)
  pieces = []
  return decodeUtf8(bytes)
}

export const looksLikeJson = (text: string) => /^\s*[[{]/.test(text)
