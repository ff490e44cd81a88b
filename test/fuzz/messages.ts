// What is posted to `/mcp`: messages, sound and spoiled, with calls of every tool. Placeholders stand in them as in requests.
import * as fc from 'fast-check'
import { templateOf } from '../../src/docs/describe'
import { tools } from '../support/generated'
import type { Tool } from '../../src/mcp/tool'
import { ENVELOPE, NEW } from '../mcp/support'
import { type Schema, valuesOf } from './requests/arbitrary'
import { type SentBody, soundBodies, spoiledBodies } from './requests/bodies'
import { type Documented, documented } from './requests/document'
import { knownOf, wholeBodyOf } from './requests/known'
import { segments } from './requests/segments'
import { spoil, spoilings } from './requests/spoil'
import { weighted } from './requests/weighted'

/** The operation behind a tool, as the document has it. */
function behind({ call }: Tool): Documented {
  const path = templateOf(call.path)
  return documented.find((each) => each.path === path && each.method === call.method.toUpperCase())!
}

/** Arguments for a tool: what is in its path mostly names something, the rest is what its schema takes. */
function argumentsFor(tool: Tool): fc.Arbitrary<Record<string, unknown>> {
  const { $defs = {}, ...schema } = JSON.parse(
    JSON.stringify(tool.describes.inputSchema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { $defs?: Record<string, Schema> } & Schema
  const operation = behind(tool)
  const inPath = Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => [
        parameter.name,
        segments(operation, parameter).map((piece) => (typeof piece === 'string' ? piece : piece.raw)),
      ]),
  )
  const named = fc.record(inPath, {
    requiredKeys: Object.entries(tool.call.inPath).flatMap(([name, value]) => (value === null ? [name] : [])),
    noNullPrototype: true,
  })
  const sound = valuesOf(schema, { schemas: $defs, known: knownOf(operation.id) }) as fc.Arbitrary<object>
  const whole = wholeBodyOf(operation.id) as fc.Arbitrary<object> | undefined
  const others = whole && tool.call.takesBody ? fc.oneof(sound, whole) : sound
  return fc.tuple(others, named).map(([most, path]) => {
    const rest = Object.entries(most).filter(([name]) => !(name in inPath))
    return { ...Object.fromEntries(rest), ...path }
  })
}

const calls = fc.oneof(
  ...tools.map((tool) =>
    fc.record(
      { name: fc.constant(tool.describes.name), arguments: argumentsFor(tool) },
      { noNullPrototype: true },
    ),
  ),
)
/** Some of the arguments are spoiled, and nothing else: the message is one that is looked at. */
const spoiledCalls = fc
  .tuple(calls, spoilings)
  .map(([call, change]) => ({ ...call, arguments: spoil(call.arguments, change) }))

const others = fc.constantFrom<{ method: string; params?: unknown }>(
  {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a' } },
  },
  { method: 'notifications/initialized' },
  { method: 'ping' },
  { method: 'tools/list' },
  { method: 'server/discover' },
  { method: 'resources/list', params: {} },
)

const ids = weighted<unknown>([
  [20, fc.nat(99)],
  [5, fc.string({ maxLength: 8, unit: 'binary' })],
  [1, fc.constantFrom<unknown>(null, 1.5, 2 ** 53, -1, '', [], true)],
])

/** A message: mostly the call of a tool, and with an id. */
const messages = fc
  .tuple(
    weighted<{ method: string; params?: unknown }>([
      [10, calls.map((params) => ({ method: 'tools/call', params }))],
      [8, spoiledCalls.map((params) => ({ method: 'tools/call', params }))],
      [4, others],
    ]),
    ids,
    fc.nat(19),
  )
  .map(([{ method, params }, id, lot]) => {
    const message = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }
    if (lot === 0) return message
    if (lot > 2) return { ...message, id }
    return { ...message, id, params: { ...(params as object | undefined), _meta: ENVELOPE } }
  })

const exchanges = weighted<unknown>([
  [16, messages],
  [4, fc.tuple(messages, spoilings).map(([message, change]) => spoil(message, change) ?? null)],
  [1, fc.array(messages, { maxLength: 3 })],
])

/** What is posted. */
export const posts: fc.Arbitrary<{ body: SentBody; headers: Record<string, string> }> = fc.record({
  body: weighted([
    [14, soundBodies(exchanges)],
    [6, spoiledBodies(exchanges)],
  ]),
  headers: weighted<Record<string, string>>([
    [20, fc.constant({})],
    [
      3,
      fc.constantFrom<Record<string, string>>(
        { 'MCP-Protocol-Version': NEW, 'Mcp-Method': 'tools/list' },
        { 'MCP-Protocol-Version': NEW, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'projects-list' },
        { 'MCP-Protocol-Version': '2025-11-25' },
        { 'MCP-Protocol-Version': 'nothing' },
        { 'Mcp-Method': '=?base64?%?=' },
        { Accept: 'text/event-stream', 'Last-Event-ID': '1' },
        { 'If-None-Match': '*' },
      ),
    ],
  ]),
})
