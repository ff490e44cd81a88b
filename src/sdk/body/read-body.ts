// Reads bodies of SDKs: JSON, gzip, lz-string, or base64 in a form field. Content types are ignored, because browsers choose them to
// avoid preflights.
import { ApiError, malformed } from '../../errors'
import { MAX_BODY_BYTES, MAX_JSON_VALUES, tooLarge } from '../../http/body/body'
import { bodyPieces, wholeBody } from '../../http/body/body-pieces'
import { BYTES_PER_VALUE } from '../../http/limits/request-memory'
import { parseExactly } from '../../http/body/exact-integers'
import { checkJsonSize, endOfString, type JsonLimits } from '../../http/body/json-size'
import type { MemoryLease } from '../../http/limits/request-memory'
import { inflateLz } from './lz-string'
import { decodeAtOnce, isGzip, looksLikeJson, PREFIX_BYTES, readText, type TextReading } from './read-text'

export interface BodyLimits extends JsonLimits {
  /** Maximum bytes at every stage: as sent, decoded and inflated. */
  readonly maxBytes: number
}

const MAX_DEPTH = 128

export const SMALL_BODY: BodyLimits = {
  maxBytes: MAX_BODY_BYTES,
  maxDepth: MAX_DEPTH,
  maxValues: MAX_JSON_VALUES,
}

/** Limits of a captured body: 10,000 events with 20 values each. 200,000 values take up to 19 MB, and about two seconds. */
export const MAX_CAPTURE_BYTES = 20 * 1024 * 1024
export const MAX_CAPTURE_VALUES = 200_000
export const CAPTURE_BODY: BodyLimits = {
  maxBytes: MAX_CAPTURE_BYTES,
  maxDepth: MAX_DEPTH,
  maxValues: MAX_CAPTURE_VALUES,
}

export interface BodyReading extends TextReading {
  limits: BodyLimits
}

const unsupported = (what: string) =>
  new ApiError({
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_media_type',
    detail: `Unsupported compression "${what}" in request.`,
  })

/**
 * Parses the JSON of a request. Integers past 2^53 become text, and halves of characters U+FFFD. A GET request, such as that of a pixel,
 * has the JSON in `data` of its query.
 * @param url `compression` in the query is one of `NAMED_COMPRESSIONS`, and so is that field of a form. For gzip and base64 the first
 * bytes take precedence, because proxies inflate bodies and keep the header.
 * @throws 400 when the body is empty or no JSON, 408 when it arrives too slowly, 413 when it is larger than `limits` at any stage, 415 for
 * an unknown compression, 503 when the isolate reads too many large bodies, and errors of `checkStart`
 */
export async function parseSdkBody(request: Request, url: URL, reading: BodyReading): Promise<unknown> {
  const { limits, lease } = reading
  const named = [url.searchParams.get('compression'), request.headers.get('Content-Encoding')]
  for (const name of named) requireKnownCompression(name)
  const { data, compression } = await sentData(request, url, reading)
  requireKnownCompression(compression)
  const isLz = [...named, compression].some((name) => LZ_STRING.has(normalized(name)))
  const json = isLz && !looksLikeJson(data) ? inflateSmall(data, lease) : await decodeBase64(data, reading)
  lease.take(BYTES_PER_VALUE * checkJsonSize(json, limits))
  return parseJson(withoutHalves(json))
}

interface SentData {
  /** The JSON, which may be compressed. */
  data: string
  /** The value of that field in a form. */
  compression: string | null
}

async function sentData(request: Request, url: URL, reading: BodyReading): Promise<SentData> {
  const { limits, lease } = reading
  if (request.method === 'GET') return fieldsOf(url.searchParams, 'the query has no parameter `data`')
  const length = Number(request.headers.get('Content-Length') ?? NaN)
  if (length > limits.maxBytes) throw tooLarge(limits.maxBytes)
  const text = request.body ? (await textOf(request, length, reading)).trim() : ''
  if (text === '') throw malformed('the body is empty')
  // The content type does not suffice, because `curl -d` sends any data as a form.
  const saysForm = /^application\/x-www-form-urlencoded/i.test(request.headers.get('Content-Type') ?? '')
  const isForm = text.startsWith('data=') || (saysForm && !looksLikeJson(text))
  if (!isForm) return { data: text, compression: null }
  // Parsing a form copies its text.
  lease.take(text.length)
  return fieldsOf(new URLSearchParams(text), 'the form has no field `data`')
}

/** Returns the data of a form. An unescaped `+` was decoded as a space, which base64 does not contain. */
function fieldsOf(form: URLSearchParams, missing: string): SentData {
  const data = form.get('data')
  if (data === null) throw malformed(missing)
  return {
    data: looksLikeJson(data) ? data : data.replaceAll(' ', '+'),
    compression: form.get('compression'),
  }
}

/**
 * Reads the text of a body. A small body is read in one piece, which takes a fifth of the time.
 * @param length as declared; NaN when it is unknown
 */
async function textOf(request: Request, length: number, reading: BodyReading): Promise<string> {
  const { maxBytes } = reading.limits
  if (!(length <= PREFIX_BYTES)) return readText(bodyPieces(request.body!), maxBytes, reading)
  const bytes = await wholeBody(request)
  return isGzip(bytes) ? readText([bytes], maxBytes, reading) : decodeAtOnce(bytes, maxBytes, reading)
}

/** Names of compressions, in `compression` and in `Content-Encoding`. */
export const NAMED_COMPRESSIONS = ['gzip', 'gzip-js', 'base64', 'identity', 'lz64', 'lz-string'] as const

const COMPRESSIONS: ReadonlySet<string> = new Set(['', ...NAMED_COMPRESSIONS])
const LZ_STRING: ReadonlySet<string> = new Set(['lz64', 'lz-string'])

const normalized = (name: string | null): string => (name ?? '').trim().toLowerCase()

function requireKnownCompression(name: string | null): void {
  if (!COMPRESSIONS.has(normalized(name))) throw unsupported(name!.slice(0, 50))
}

/** Inflates small texts only, because clients of this compression send small batches. */
function inflateSmall(data: string, lease: MemoryLease): string {
  if (data.length > MAX_BODY_BYTES) throw tooLarge()
  return inflateLz(data, MAX_BODY_BYTES, lease)
}

const NOT_BASE64 = /[^A-Za-z0-9+/_=\s-]/

async function decodeBase64(text: string, reading: BodyReading): Promise<string> {
  if (looksLikeJson(text) || NOT_BASE64.test(text)) return text
  return readText([Buffer.from(text, 'base64')], reading.limits.maxBytes, reading)
}

function parseJson(text: string): unknown {
  try {
    return parseExactly(text)
  } catch (error) {
    return parseLoosely(text, error as Error)
  }
}

/** Parses JSON in which NaN and Infinity, which Python and with it PostHog's SDK write, count as null. */
function parseLoosely(text: string, reason: Error): unknown {
  const json = withoutNotNumbers(text)
  if (json === null) throw malformed(reason.message)
  try {
    return parseExactly(json)
  } catch {
    throw malformed(reason.message)
  }
}

const QUOTE = 0x22
const MINUS = 0x2d
const CAPITAL_N = 0x4e
const CAPITAL_I = 0x49
const NAN = 'NaN'
const INFINITY = 'Infinity'

/** Returns the text with `null` in place of each NaN and Infinity outside of strings, or null when there are none. It takes one pass. */
export function withoutNotNumbers(text: string): string | null {
  if (!text.includes(NAN) && !text.includes(INFINITY)) return null
  let json = ''
  let copied = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    let word: string
    if (unit === QUOTE) {
      at = endOfString(text, at)
      continue
    } else if (unit === CAPITAL_N && text.startsWith(NAN, at)) word = NAN
    else if (unit === CAPITAL_I && text.startsWith(INFINITY, at)) word = INFINITY
    else continue
    const start = text.charCodeAt(at - 1) === MINUS ? at - 1 : at
    json += `${text.slice(copied, start)}null`
    at += word.length - 1
    copied = at + 1
  }
  return json + text.slice(copied)
}

const HALF = /\\u[dD][89a-fA-F]/
const ESCAPES =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g

/**
 * Returns the text with U+FFFD in place of each half of a character, with which text ends that was cut within one. ClickHouse cannot read a document with such a half, and would lose
 * all of its properties. It takes one pass.
 */
export const withoutHalves = (text: string): string =>
  HALF.test(text)
    ? text.replace(ESCAPES, (escape, half: string | undefined) => (half === undefined ? escape : '\\ufffd'))
    : text
