// Reads request bodies: JSON of bounded size, depth and number of values, and forms for operations that accept files.
import type { HonoRequest } from 'hono'
import { ApiError, invalid, malformed } from '../../errors'
import { type MemoryLease, BYTES_PER_VALUE } from '../limits/request-memory'
import { bodyPieces } from './body-pieces'
import { checkNumbers } from './exact-integers'
import { checkJsonSize, type JsonLimits } from './json-size'

export const MAX_BODY_BYTES = 1024 * 1024

/**
 * The most values of a body. 100,000 values take 9 MB at worst, and a quarter of a second to parse; 1 MiB could hold five times as many.
 */
export const MAX_JSON_VALUES = 100_000

/** Limits of a JSON body. */
export interface BodySize extends JsonLimits {
  readonly maxBytes: number
}

/** Limits of a body by default. */
export const LIMITS: BodySize = { maxBytes: MAX_BODY_BYTES, maxDepth: 64, maxValues: MAX_JSON_VALUES }

/** The size of lists of ids: the maximum number of different ids in this number of bytes. */
export const LIST_OF_IDS: BodySize = { maxBytes: 8 * MAX_BODY_BYTES, maxDepth: 64, maxValues: 1_250_000 }

const JSON_TYPE = /^application\/([\w.-]+\+)?json$/i

/** @param kind the bodies with this limit */
export const tooLarge = (maxBytes = MAX_BODY_BYTES, kind = '') =>
  new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: `Request body exceeds the maximum of ${maxBytes} bytes${kind}.`,
  })

export const unsupportedType = (type: string) =>
  new ApiError({
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_media_type',
    detail: `Unsupported media type "${type}" in request. Send Content-Type: application/json.`,
  })

const unsupportedEncoding = (encoding: string) =>
  new ApiError({
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_media_type',
    detail: `Unsupported content encoding "${encoding.slice(0, 50)}" in request. Send the body without compression.`,
  })

/** The fields of a form that are JSON text; the others are text. */
export type FormFields = readonly string[]

/** How an operation reads its body. */
export interface BodyRule {
  /** Set if the body may also be a form with files (multipart/form-data): the fields of it that are JSON. */
  form?: FormFields
  /** The size, which is 1 MiB and 100,000 values by default. */
  bodySize?: BodySize
}

const isForm = (request: Request): boolean =>
  /^multipart\/form-data\s*;/i.test(request.headers.get('Content-Type') ?? '')

/**
 * Returns the text of a request's JSON body, which Hono's validators reuse.
 * @param rule of the operation: forms become JSON if it accepts them
 * @throws as `readJsonText` does
 */
export function jsonTextOf(request: HonoRequest, lease: MemoryLease, rule: BodyRule = {}): Promise<string> {
  // Hono stores a promise here, against its type.
  const cache = request.bodyCache as { text?: string | Promise<string> }
  return Promise.resolve((cache.text ??= readJsonText(request, lease, rule)))
}

/**
 * Returns the text of a request's JSON body, or `{}` when there is none.
 * @throws 413 past its size; 415 when the body is something else or compressed; 400 when it is not JSON, nested deeper than 64 levels or
 * has integers that parsing alters; 408 when it arrives too slowly; 503 when the isolate reads too many large bodies
 */
async function readJsonText(
  request: HonoRequest,
  lease: MemoryLease,
  { form, bodySize = LIMITS }: BodyRule,
): Promise<string> {
  const { raw } = request
  const encoding = raw.headers.get('Content-Encoding')?.trim() ?? ''
  if (raw.body && !/^(?:identity)?$/i.test(encoding)) throw unsupportedEncoding(encoding)
  const bytes = await readBytes(raw, lease, bodySize.maxBytes)
  if (form && isForm(raw)) {
    // Validators read the type of the body.
    request.raw = withJsonType(raw)
    return checked(await jsonOfForm(raw, bytes, form), lease, bodySize)
  }
  const text = decoded(bytes)
  if (text === null) throw malformed('the body is not valid UTF-8')
  if (text.trim() === '') return '{}'
  const type = (raw.headers.get('Content-Type') ?? '').split(';')[0]!.trim()
  if (!JSON_TYPE.test(type)) throw unsupportedType(type)
  return checked(text, lease, bodySize)
}

function checked(text: string, lease: MemoryLease, limits: JsonLimits): string {
  lease.take(BYTES_PER_VALUE * checkJsonSize(text, limits))
  try {
    JSON.parse(text)
  } catch (error) {
    throw malformed((error as Error).message)
  }
  checkNumbers(text)
  return text
}

async function readBytes(request: Request, lease: MemoryLease, maxBytes: number): Promise<ArrayBuffer> {
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (!request.body) return new ArrayBuffer(0)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const piece of bodyPieces(request.body) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += piece.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    lease.take(piece.byteLength)
    pieces.push(piece)
  }
  return new Blob(pieces).arrayBuffer()
}

/** Returns null for bytes that are not UTF-8. */
function decoded(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

/** @throws 400 for a malformed form, and for a file that is not UTF-8 */
async function jsonOfForm(request: Request, bytes: ArrayBuffer, jsonFields: FormFields): Promise<string> {
  const headers = { 'Content-Type': request.headers.get('Content-Type')! }
  const form = await new Response(bytes, { headers }).formData().catch(() => {
    throw malformed('the form is malformed')
  })
  const fields = new Map<string, string>()
  for (const [name, value] of form as unknown as Iterable<[string, string | Blob]>) {
    const text = typeof value === 'string' ? value : decoded(await value.arrayBuffer())
    if (text === null)
      throw invalid(
        name,
        'The encoding of the file is not supported. Please save your file as UTF-8 and try again.',
      )
    fields.set(name, jsonFields.includes(name) ? text : JSON.stringify(text))
  }
  return `{${[...fields].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

function withJsonType(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('Content-Type', 'application/json')
  return new Request(request.url, { method: request.method, headers })
}
