// From a tool's arguments to the request that its operation takes.
import { invalid } from '../errors'
import type { ToolCall } from './tool'

type Arguments = Readonly<Record<string, unknown>>

/** What a tool is called with besides its arguments. */
interface Surroundings {
  /** What came to `/mcp`: what it says of its sender goes along. */
  outer: Request
  /** The personal API key that it carried. */
  key: string
  /** What counts for the key where an argument of the path is left out, before what the tool says. */
  defaults: Readonly<Record<string, string>>
}

/**
 * The request for a tool's arguments.
 * @throws ApiError 400 that names the argument which is missing, which no URL can hold, or which the operation has no place for
 */
export function requestFor(
  call: ToolCall,
  given: Arguments,
  { outer, key, defaults }: Surroundings,
): Request {
  const sent = Object.entries(given).filter(([, value]) => value !== undefined)
  const url = new URL(pathOf(call, given, defaults), outer.url)
  const body: Record<string, unknown> = {}
  for (const [name, value] of sent) {
    if (Object.hasOwn(call.inPath, name)) continue
    if (call.inQuery.includes(name)) {
      if (value !== null) url.searchParams.set(name, textOf(name, value))
    } else if (call.takesBody) body[name] = value
    else throw invalid(name, `Unknown argument: ${name}`, 'unknown_field')
  }
  return new Request(url, {
    method: call.method.toUpperCase(),
    headers: headersFrom(outer, key),
    ...(call.takesBody || call.fixed ? { body: JSON.stringify({ ...body, ...call.fixed }) } : {}),
  })
}

const pathOf = ({ path, inPath }: ToolCall, given: Arguments, defaults: Surroundings['defaults']): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = (Object.hasOwn(given, name) ? given[name] : null) ?? defaults[name] ?? inPath[name]
    if (value === null || value === undefined || value === '') {
      throw invalid(name, 'This field is required.', 'required')
    }
    return segmentOf(name, textOf(name, value))
  })

/**
 * One segment of a path. `@current` may stand as it is: pages lead on to links that people read.
 * @throws ApiError 400 for what would lead to another path, however it is written
 */
function segmentOf(name: string, value: string): string {
  if (value === '.' || value === '..') throw invalid(name, `Not a name: ${value}`)
  return encodeURIComponent(value).replaceAll('%40', '@')
}

/**
 * Lists and objects travel as JSON, as the operations take them in a query.
 * @throws ApiError 400 for half of a surrogate pair, which a URL cannot hold
 */
function textOf(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (!text.isWellFormed()) throw invalid(name, 'Not a text: it holds half of a surrogate pair.')
  return text
}

/** Of the outer request: who sends it. Not what was said of its body and of its answer, and of the protocol that it was wrapped in. */
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
