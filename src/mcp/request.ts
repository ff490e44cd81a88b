// Converts arguments of a tool to the request of its operation.
import { invalid } from '../errors'
import { LIMITS } from '../http/body/body'
import { checkNumbers } from '../http/body/exact-integers'
import { checkJsonSize } from '../http/body/json-size'
import { requireKnown } from '../http/ignored-parameters'
import type { UnknownObject } from '../json'
import type { Tool, ToolCall } from './tool'

type Arguments = Readonly<Record<string, unknown>>

interface CallContext {
  /** The request to `/mcp`, whose headers about the sender are passed on. */
  outer: Request
  /** Its API key. */
  key: string
  /** Defaults of path arguments that override those of the tool. */
  defaults: Readonly<Record<string, string>>
}

/** @throws ApiError 400 that names a missing, unknown or invalid argument */
export function requestFor(
  { call, describes }: Tool,
  given: Arguments,
  { outer, key, defaults }: CallContext,
): Request {
  const sent = Object.entries(given).filter(([, value]) => value !== undefined)
  const properties = describes.inputSchema.properties as Record<string, UnknownObject>
  const declared = Object.keys(properties)
  // The operation would ignore unknown fields of a body, which may be those of other versions of the API. A model sends an argument for a
  // purpose, so that unknown ones are rejected.
  for (const [name] of sent) requireKnown('argument', name, declared)
  const url = new URL(pathOf(call, given, defaults), outer.url)
  // The query is a separate object, because each change of a URL's parameters writes the whole URL again.
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of sent) {
    if (Object.hasOwn(call.inPath, name)) continue
    if (call.inQuery.includes(name)) {
      if (value !== null) query.set(name, countedText(name, textOf(name, value)))
    } else body[name] = structureOf(value, properties[name]!)
  }
  url.search = query.toString()
  if (call.method === 'patch' && call.takesBody) requireChange(body)
  return new Request(url, {
    method: call.method.toUpperCase(),
    headers: headersFrom(outer, key),
    ...(call.takesBody || call.fixed ? { body: JSON.stringify({ ...body, ...call.fixed }) } : {}),
  })
}

/** What an update is compared with: alone it changes nothing. */
const COMPARED: ReadonlySet<string> = new Set(['version', 'original_flag'])

/** @throws ApiError 400 for an update without a field to change, which the operation accepts */
function requireChange(body: UnknownObject): void {
  const names = Object.keys(body)
  if (names.some((name) => !COMPARED.has(name))) return
  const why =
    names.length === 0
      ? 'Nothing to change: send the fields to change.'
      : 'Nothing to change: it is the version that was read. To return to a version, send filters and active as feature-flags-versions-retrieve shows them.'
  throw invalid(names[0] ?? null, why)
}

/** The minimum of arguments that operations ignore if they are not integers. */
const MIN_COUNTS: Readonly<Record<string, number>> = { limit: 1, offset: 0 }

/** @throws ApiError 400 for a `limit` or `offset` that the operation would ignore */
function countedText(name: string, text: string): string {
  const min = Object.hasOwn(MIN_COUNTS, name) ? MIN_COUNTS[name]! : null
  if (min !== null && !(/^\d{1,15}$/.test(text) && Number(text) >= min))
    throw invalid(name, `Send an integer, at least ${min}.`)
  return text
}

/**
 * Parses an object or a list that a model sent as JSON text, where the schema has one and no text.
 * @throws ApiError as for bodies: nested too deep, too many values, or integers that parsing alters
 */
function structureOf(value: unknown, { type, anyOf = [] }: UnknownObject): unknown {
  const types = new Set([type, ...(anyOf as UnknownObject[]).map((each) => each.type)].flat())
  const isStructure = (types.has('object') || types.has('array')) && !types.has('string')
  if (!isStructure || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  checkJsonSize(value, LIMITS)
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    return value
  }
  checkNumbers(value)
  return parsed
}

const pathOf = ({ path, inPath }: ToolCall, given: Arguments, defaults: CallContext['defaults']): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = (Object.hasOwn(given, name) ? given[name] : null) ?? defaults[name] ?? inPath[name]
    if (value === null || value === undefined || value === '') {
      throw invalid(name, 'This field is required.', 'required')
    }
    return segmentOf(name, textOf(name, value))
  })

/**
 * Encodes a path segment, except for `@current`, so that links stay readable.
 * @throws ApiError 400 for text that would change the path
 */
function segmentOf(name: string, value: string): string {
  if (value === '.' || value === '..') throw invalid(name, `Not a name: ${value}`)
  return encodeURIComponent(value).replaceAll('%40', '@')
}

/** The most characters of an argument that becomes a part of the address, which Cloudflare limits to 16 KB for callers over HTTP. */
const MAX_IN_ADDRESS = 16 * 1024

/**
 * Converts an argument to text. Lists and objects become JSON.
 * @throws ApiError 400 for a lone surrogate, which a URL cannot contain, and for more than an address may have
 */
function textOf(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length > MAX_IN_ADDRESS)
    throw invalid(name, `Ensure this argument has no more than ${MAX_IN_ADDRESS} characters.`, 'max_length')
  if (!text.isWellFormed()) throw invalid(name, 'Lone surrogates are not allowed.')
  return text
}

/** Returns the headers about the sender, without those about the body, the response and MCP. */
function headersFrom({ headers }: Request, key: string): Headers {
  const passed = new Headers(
    [...headers].filter(
      ([name]) => !/^(content-|accept|mcp-|if-|connection|transfer-|cookie$|last-event-id)/.test(name),
    ),
  )
  passed.set('Authorization', `Bearer ${key}`)
  passed.set('Content-Type', 'application/json')
  return passed
}
