// Whatever is posted to `/mcp`, nothing crashes, every message that asks gets its response, and nothing of another tenant shows or changes.
//
// `npm run fuzz` posts 10,000 times. Each day has a seed of its own, unless `FUZZ_SEED` is set: the title of the test has it.
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Documented } from './requests/document'
import { posts } from './messages'
import { dailySeed } from '../support/daily-seed'
import { tools } from '../support/generated'
import { createModel, createSender } from './send'
import { createVictim } from './victim'
import { thingNames } from './world'

const RUNS = Math.ceil(Number(env.FUZZ_RUNS || 400) / 2)
const SEED = Number(env.FUZZ_SEED || dailySeed())

const MCP: Documented = {
  name: 'POST /mcp',
  id: 'mcp',
  method: 'POST',
  path: '/mcp',
  parameters: [],
  body: {},
  responses: {},
  credentials: ['personalApiKey'],
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a message is a request, to which a response belongs. */
const isRequest = (message: unknown): message is Json =>
  isObject(message) &&
  message.jsonrpc === '2.0' &&
  typeof message.method === 'string' &&
  (typeof message.id === 'string' || Number.isSafeInteger(message.id)) &&
  (message.params === undefined ||
    (isObject(message.params) && (message.params._meta === undefined || isObject(message.params._meta))))

/** The posted message; null for a body that is no JSON. */
function messageIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** What is wrong with a response to a request. */
function faultsOf(request: Json, { result, error }: Json): string[] {
  if (isObject(error)) return error.code === -32603 ? ['crashed'] : []
  if (!isObject(result)) return ['has neither result nor error']
  if (request.method !== 'tools/call' || result.isError) return []
  const { structuredContent, content } = result as {
    structuredContent?: unknown
    content: { text: string }[]
  }
  // The operations themselves are held to their schemas by operations.test.ts.
  const text = structuredContent === undefined ? 'Done.' : JSON.stringify(structuredContent)
  return content.length === 1 && content[0]!.text === text ? [] : ['has other text than content']
}

it(`responds to every posted body (FUZZ_SEED=${SEED})`, async () => {
  const victim = await createVictim()
  const sender = await createSender(victim, await createModel(Math.max(500, RUNS * 6)))
  const { tenant } = sender.world
  const before = await victim.rows()
  const done = new Set<string>()

  const property = fc.asyncProperty(posts, async ({ body, headers }) => {
    tenant.lines.length = 0
    const sent = await sender.send(MCP, { as: 'key', prepared: false, path: {}, query: [], body, headers })
    const { answer: response, text } = sent
    // What was deleted is created again for the next one.
    if (/delete|destroy/.test(text)) sender.world.forget(thingNames)

    expect(response.status).toBeLessThan(500)
    expect(tenant.lines.filter((line) => line.level === 'error')).toEqual([])
    expect(victim.leaksIn(JSON.stringify(response.body), sent.said)).toEqual([])
    const message = messageIn(text)
    if (response.status === 202) {
      expect(isRequest(message)).toBe(false)
      return
    }
    const reply = response.body as Json
    expect(Object.keys(reply).sort()).toEqual(['id', 'jsonrpc', 'error' in reply ? 'error' : 'result'].sort())
    expect(reply.jsonrpc).toBe('2.0')
    const isJson = /^application\/([\w.-]+\+)?json(;|$)/.test(body.type ?? '')
    // A body that could not be read has a response to nobody.
    if (reply.id === null && [400, 413, 415].includes(response.status)) return
    expect(isJson && isRequest(message)).toBe(true)
    const request = message as Json
    // As JSON: it does not tell -0 from 0.
    expect(JSON.stringify(reply.id)).toBe(JSON.stringify(request.id))
    expect(faultsOf(request, reply)).toEqual([])
    const { result } = reply as { result?: Json }
    if (request.method === 'tools/call' && result && !result.isError)
      done.add(String((request.params as Json).name))
  })
  await fc.assert(property, { numRuns: RUNS, seed: SEED })

  // Calls that a busy machine ends at their deadline do not count.
  expect(done.size).toBeGreaterThan(tools.length / 12)
  expect(await victim.rows()).toEqual(before)
}, 1_200_000)
