// Request bodies: JSON only, of bounded size, depth and number of values (decision 7).
import type { HonoRequest } from 'hono'
import { ApiError, malformed } from '../errors'
import { type MemoryLease, BYTES_PER_VALUE } from './request-memory'
import { checkIntegers } from './exact-integers'
import { checkJsonSize, type JsonLimits } from './json-size'

export const MAX_BODY_BYTES = 1024 * 1024

/**
 * Values of a body. 100,000 values take 9 MB at worst, and a quarter of a second to parse; 1 MiB could hold five times as many.
 */
export const MAX_JSON_VALUES = 100_000
const LIMITS: JsonLimits = { maxDepth: 64, maxValues: MAX_JSON_VALUES }

const JSON_TYPE = /^application\/([\w.-]+\+)?json$/i

/** 413. */
export const tooLarge = (maxBytes = MAX_BODY_BYTES) =>
  new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: `Request body exceeds the maximum of ${maxBytes} bytes.`,
  })

/** 415. */
export const unsupportedType = (type: string) =>
  new ApiError({
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_media_type',
    detail: `Unsupported media type "${type}" in request.`,
  })

/**
 * The text of a request's JSON body. Hono's validators reuse it.
 * @throws as `readJsonText` does.
 */
export function jsonTextOf(request: HonoRequest, lease: MemoryLease): Promise<string> {
  // Hono stores a promise here, against its type.
  const cache = request.bodyCache as { text?: string | Promise<string> }
  return Promise.resolve((cache.text ??= readJsonText(request.raw, lease)))
}

/**
 * The text of a request's JSON body; `{}` when there is none.
 * @throws 413 past MAX_BODY_BYTES or MAX_JSON_VALUES, 415 when the body is something else, 400 when it is not JSON, nested deeper than 64
 * levels or has integers that parsing alters, 503 when the isolate reads too many large bodies.
 */
async function readJsonText(request: Request, lease: MemoryLease): Promise<string> {
  const text = await readText(request, lease)
  if (text.trim() === '') return '{}'
  const type = (request.headers.get('Content-Type') ?? '').split(';')[0]!.trim()
  if (!JSON_TYPE.test(type)) throw unsupportedType(type)
  lease.take(BYTES_PER_VALUE * checkJsonSize(text, LIMITS))
  try {
    JSON.parse(text)
  } catch (error) {
    throw malformed((error as Error).message)
  }
  checkIntegers(text)
  return text
}

async function readText(request: Request, lease: MemoryLease): Promise<string> {
  if (Number(request.headers.get('Content-Length') ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  if (!request.body) return ''
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw tooLarge()
    lease.take(chunk.byteLength)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(
      await new Blob(chunks).arrayBuffer(),
    )
  } catch {
    throw malformed('the body is not valid UTF-8')
  }
}
