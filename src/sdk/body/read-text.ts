// Reads text from a stream, and inflates gzip. Memory stays within the limit.
import { Buffer } from 'node:buffer'
import { pipeline } from 'node:stream'
import { createGunzip, gunzipSync } from 'node:zlib'
import { ApiError, malformed } from '../../errors'
import { tooLarge } from '../../http/body/body'
import type { MemoryLease } from '../../http/limits/request-memory'

const SMALL_BYTES = 16 * 1024

export const PREFIX_BYTES = 64 * 1024

export interface TextReading {
  lease: MemoryLease
  /** Receives the start of a text longer than PREFIX_BYTES, before the rest is read. @throws to reject the request */
  checkStart(start: string): Promise<void>
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * @param maxBytes limit of the bytes as sent, and of the inflated bytes
 * @throws 413 past `maxBytes`, 400 for broken gzip or UTF-8, and errors of `reading`
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

/** Inflates on demand. `node:zlib` applies backpressure within a piece, while `DecompressionStream` inflates all input into memory. */
async function* inflate(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { taken, rest } = await take(pieces, SMALL_BYTES)
  const small = rest === null ? inflateSmall(taken) : null
  if (small) {
    yield small
    return
  }
  const gunzip = createGunzip({ chunkSize: PREFIX_BYTES })
  // Errors reach the reader through `gunzip`. A reader that stops destroys it, which ends the pipeline.
  pipeline(chain(taken, rest), gunzip, () => {})
  yield* gunzip as AsyncIterable<Uint8Array>
}

/** Reads until more than `maxBytes` are taken. `rest` is null at the end of the stream. */
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

/** Decodes all pieces together, which takes half the time of decoding each. */
async function decode(
  source: AsyncIterable<Uint8Array>,
  { lease, checkStart }: TextReading,
): Promise<string> {
  let pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of source) {
    lease.take(piece.byteLength)
    pieces.push(piece)
    const isPastPrefix = size <= PREFIX_BYTES && size + piece.byteLength > PREFIX_BYTES
    size += piece.byteLength
    if (isPastPrefix) await checkStart(prefixDecoder.decode(Buffer.concat(pieces).subarray(0, PREFIX_BYTES)))
  }
  const bytes = Buffer.concat(pieces)
  pieces = []
  return decodeUtf8(bytes)
}
