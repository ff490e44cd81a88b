// Request bodies: JSON only, of bearable size and depth (decision 7).
import type { HonoRequest } from 'hono'
import { ApiError, malformed } from '../errors'

const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 64
const JSON_TYPE = /^application\/([\w.-]+\+)?json$/i

/** 413. */
export const tooLarge = () =>
  new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: 'Request body exceeds the maximum of 1048576 bytes.',
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
 * The text of a request's JSON body, read once: validators that come later find it where Hono keeps bodies.
 * @throws as `readJsonText` does.
 */
export function jsonTextOf(request: HonoRequest): Promise<string> {
  // Hono declares the text here, and keeps a promise of it.
  const cache = request.bodyCache as { text?: string | Promise<string> }
  return Promise.resolve((cache.text ??= readJsonText(request.raw)))
}

/**
 * The text of a request's JSON body; `{}` when there is none.
 * @throws 413 past 1 MiB, 415 when the body is something else, 400 when it is not JSON, or nested deeper than 64 levels.
 */
async function readJsonText(request: Request): Promise<string> {
  const text = await readText(request)
  if (text.trim() === '') return '{}'
  const type = (request.headers.get('Content-Type') ?? '').split(';')[0]!.trim()
  if (!JSON_TYPE.test(type)) throw unsupportedType(type)
  if (depthOf(text) > MAX_DEPTH) throw malformed(`nested deeper than ${MAX_DEPTH} levels`)
  try {
    JSON.parse(text)
  } catch (error) {
    throw malformed((error as Error).message)
  }
  return text
}

async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('Content-Length') ?? 0) > MAX_BYTES) throw tooLarge()
  if (!request.body) return ''
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw tooLarge()
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

/** How deep brackets nest in JSON text. Counted before parsing, so that a hostile body costs one pass. */
export function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') deepest = Math.max(deepest, (depth += 1))
    else if (char === '}' || char === ']') depth -= 1
  }
  return deepest
}
