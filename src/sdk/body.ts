// Bodies in the forms that SDKs send: JSON, gzip, base64 in a form field. Content types say little: browsers avoid preflights by lying.
import { depthOf } from '../http/body'
import { ApiError, malformed } from '../errors'

/** Bytes that a body may have after it is inflated. */
const MAX_SDK_BODY_BYTES = 20 * 1024 * 1024
const MAX_DEPTH = 128

const tooLarge = (maxBytes: number) =>
  new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: `Request body exceeds the maximum of ${maxBytes} bytes.`,
  })

const unsupported = (what: string) =>
  new ApiError({
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_media_type',
    detail: `Unsupported compression "${what}" in request.`,
  })

/**
 * The JSON that a request carries.
 * @param url its address: `compression` in the query says how the body is packed (`gzip`, `gzip-js`, `base64`). What it starts with counts
 * for more, because proxies inflate bodies and keep the header.
 * @throws 400 when the body is empty or cannot be read as JSON, 413 when it is larger than `maxBytes` at any stage, 415 for a
 * compression that is not known.
 */
export async function readSdkBody(
  request: Request,
  url: URL,
  maxBytes = MAX_SDK_BODY_BYTES,
): Promise<unknown> {
  refuseUnknownCompression(request, url)
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const packed = request.body ? await collect(request.body, maxBytes) : new Uint8Array()
  const text = textOf(await inflated(packed, maxBytes)).trim()
  if (text === '') throw malformed('the body is empty')
  // What `curl -d` sends calls itself a form, whatever it is.
  const saysForm = /^application\/x-www-form-urlencoded/i.test(request.headers.get('Content-Type') ?? '')
  const isForm = text.startsWith('data=') || (saysForm && !looksLikeJson(text))
  return parseJson(await unpacked(isForm ? formField(text) : text, maxBytes))
}

const KNOWN_COMPRESSIONS = new Set(['', 'gzip', 'gzip-js', 'base64', 'identity'])

function refuseUnknownCompression(request: Request, url: URL): void {
  const named = [url.searchParams.get('compression'), request.headers.get('Content-Encoding')]
  const unknown = named.find((name) => !KNOWN_COMPRESSIONS.has((name ?? '').trim().toLowerCase()))
  if (unknown) throw unsupported(unknown.slice(0, 50))
}

/** Reads a stream to its end, counting as it goes: what is too large is never held. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b

async function inflated(bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (!isGzip(bytes)) return bytes
  try {
    return await collect(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')), maxBytes)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw malformed('the body is not valid gzip')
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw malformed('the body is not valid UTF-8')
  }
}

/** The `data` field of a form. A `+` that the sender did not escape has become a space; base64 has no spaces. */
function formField(text: string): string {
  const data = new URLSearchParams(text).get('data')
  if (data === null) throw malformed('the form has no field `data`')
  return looksLikeJson(data) ? data : data.replaceAll(' ', '+')
}

const looksLikeJson = (text: string) => /^\s*[[{]/.test(text)

const NOT_BASE64 = /[^A-Za-z0-9+/_=\s-]/

async function unpacked(text: string, maxBytes: number): Promise<string> {
  if (looksLikeJson(text) || NOT_BASE64.test(text)) return text
  return textOf(await inflated(new Uint8Array(Buffer.from(text, 'base64')), maxBytes))
}

function parseJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) throw malformed(`nested deeper than ${MAX_DEPTH} levels`)
  try {
    return JSON.parse(text)
  } catch (error) {
    return parseLoosely(text, error as Error)
  }
}

const NOT_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g

/** Some languages write NaN and Infinity into JSON; they count as null (reference/flags-evaluation.md §8.1). */
function parseLoosely(text: string, reason: Error): unknown {
  if (!/\b(?:NaN|Infinity)\b/.test(text)) throw malformed(reason.message)
  try {
    return JSON.parse(text.replace(NOT_NUMBERS, (match) => (match.startsWith('"') ? match : 'null')))
  } catch {
    throw malformed(reason.message)
  }
}
