// Messages to /mcp: as JSON-RPC, and as arguments of tools up to the request of their operation.
import { readFileSync } from 'node:fs'
import { MAX_BODY_BYTES } from '../../../../src/http/body/body'
import type { Server } from '../../../../src/mcp/methods'
import { replyTo } from '../../../../src/mcp/serve'
import type { Tool } from '../../../../src/mcp/tool'
import { itGrowsLinearly } from '../entry-growth'
import { type Entry, entry, mapped, type Shapes, TEXTS, texts, VALUES } from '../shapes'

const tools = new Map(
  (JSON.parse(readFileSync('src/public/mcp.json', 'utf8')) as Tool[]).map((tool) => [
    tool.describes.name,
    tool,
  ]),
)

const server: Server = {
  tools,
  reach: { scopes: ['*'], scopedTeams: [] },
  request: new Request('http://localhost/mcp', { method: 'POST' }),
  key: 'phx_example',
  // The work of operations has entries of its own.
  dispatch: async (request) => {
    await request.text()
    return Response.json({ url: request.url, results: [] })
  },
}

/** What is done with a body after the caller is known. */
async function readMessage(text: string): Promise<unknown> {
  const reply = await replyTo(JSON.parse(text), server, (line) => {
    throw new TypeError(`a message failed: ${JSON.stringify(line)}`)
  })
  return JSON.stringify(reply)
}

const call = (name: string, given: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
})

/** Of a message, which is measured whole, too: as much as shows how the work grows. */
const MAX_PART = MAX_BODY_BYTES / 4

/** With a body, with a query, and with arguments in the path. */
const CALLED = ['create-feature-flag', 'feature-flag-get-all', 'feature-flags-test-evaluation-create']

/** The names of a tool's arguments; a value in each of them. */
const argumentsOf = (name: string): string[] =>
  Object.keys(tools.get(name)!.describes.inputSchema.properties as object)

/** Texts that a URL, a message or JSON has longer; the parser of messages meets all of them in a whole message. */
const values: Shapes = {
  ...VALUES,
  ...texts('percents', 'broken percents', 'slashes', 'quotes', 'half characters', 'names of members'),
}

const calls = CALLED.flatMap((name) => {
  const names = argumentsOf(name)
  const inEach: Shapes = Object.fromEntries(
    Object.entries(values).map(([shape, valueOf]) => [
      shape,
      (size: number) => Object.fromEntries(names.map((each) => [each, valueOf(size / names.length)])),
    ]),
  )
  const textOf = (given: unknown) => JSON.stringify(call(name, given))
  return [
    entry(`the arguments of ${name}`, MAX_PART, mapped(values, textOf), readMessage),
    entry(`each argument of ${name}`, MAX_PART, mapped(inEach, textOf), readMessage),
  ]
})

/** A part of a message that has any value. */
const PARTS: Record<string, (value: unknown) => object> = {
  'the id': (id) => ({ ...call('a', {}), id }),
  'the method': (method) => ({ jsonrpc: '2.0', id: 1, method }),
  'the parameters': (params) => ({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  'the revision': (protocolVersion) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, _meta: { a: protocolVersion } },
  }),
  'the name of the tool': (name) => call(name as string, {}),
}

const parts = Object.entries(PARTS).map(([name, messageOf]) =>
  entry(
    `${name} of a message`,
    MAX_PART,
    mapped(values, (value) => JSON.stringify(messageOf(value))),
    readMessage,
  ),
)

const ENTRIES: readonly Entry[] = [
  ...calls,
  ...parts,
  entry(
    'a message',
    MAX_BODY_BYTES,
    mapped({ ...VALUES, ...TEXTS }, JSON.stringify as (value: unknown) => string),
    readMessage,
  ),
]

itGrowsLinearly('MCP', ENTRIES)
