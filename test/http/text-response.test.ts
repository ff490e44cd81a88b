import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createTextResponses,
  MAX_RESPONSE_MEMORY,
  MAX_STALL_MS,
  textResponse,
} from '../../src/http/text-response'
import { ask, callTool } from '../mcp/support'
import type { TestResponse } from '../support/harness'
import { createTenant, type Tenant } from '../support/tenant'

const MIB = 1024 * 1024
const JSON_TYPE = { 'Content-Type': 'application/json' }
const overloaded = expect.objectContaining({ status: 503, code: 'overloaded' })

describe('a response of text', () => {
  afterEach(() => void vi.useRealTimers())

  it('has the text and the headers, whatever its length', async () => {
    const responses = createTextResponses()
    for (const text of ['{}', '😀'.repeat(40_000), `é${'😀'.repeat(500_000)}`]) {
      const response = responses.respond(text, JSON_TYPE)
      expect(response.headers.get('Content-Type')).toBe('application/json')
      expect(await response.text()).toBe(text)
      expect(responses.reserved).toBe(0)
    }
  })

  it('counts until it is read, if it is long', async () => {
    const responses = createTextResponses()
    const unread = [1, 2].map(() => responses.respond('x'.repeat(5 * MIB), JSON_TYPE))
    expect(() => responses.respond('x'.repeat(5 * MIB), JSON_TYPE)).toThrow(overloaded)
    expect(responses.reserved).toBe(10 * MIB)
    expect(await responses.respond('{}', JSON_TYPE).text()).toBe('{}')
    await unread[0]!.text()
    await unread[1]!.body!.cancel()
    expect(responses.reserved).toBe(0)
  })

  it.each([64 * 1024 + 1, 256 * 1024, 256 * 1024 + 1, MIB])(
    'counts %i bytes until they are read',
    async (bytes) => {
      const responses = createTextResponses()
      const unread = responses.respond('x'.repeat(bytes), JSON_TYPE)
      // A stream begins to pull in a later microtask.
      await new Promise((resolve) => setTimeout(resolve))
      expect(responses.reserved).toBe(bytes)
      expect(await unread.text()).toHaveLength(bytes)
      expect(responses.reserved).toBe(0)
    },
  )

  it('keeps nothing of a response that is ended for room', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const responses = createTextResponses()
    const ended = responses.respond('x'.repeat(7 * MIB), JSON_TYPE).body!.getReader()
    await new Promise((resolve) => setTimeout(resolve))
    vi.advanceTimersByTime(MAX_STALL_MS)
    responses.respond('x'.repeat(7 * MIB), JSON_TYPE)
    await expect(ended.read()).rejects.toThrow('another response needed the memory')
  })

  it('gives way to smaller ones, and to others once its client reads nothing of it, the largest first', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const responses = createTextResponses()
    const open = (size: number) => responses.respond('x'.repeat(size * MIB), JSON_TYPE).body!.getReader()
    const [large, small, read] = [5, 2, 4].map(open)
    const next = open(3)
    await expect(endOf(large!)).rejects.toThrow('another response needed the memory')
    expect(responses.reserved).toBe(9 * MIB)
    vi.advanceTimersByTime(MAX_STALL_MS)
    await read!.read()
    const last = open(5)
    await expect(endOf(next)).rejects.toThrow('another response needed the memory')
    expect(await endOf(small!)).toBe(2 * MIB)
    expect(await endOf(last)).toBe(5 * MIB)
    expect(await endOf(read!)).toBeLessThan(4 * MIB)
    expect(responses.reserved).toBe(0)
  })

  it('ends none where that makes no room', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const responses = createTextResponses()
    const [stalled, read] = [1, 7].map((size) =>
      responses.respond('x'.repeat(size * MIB), JSON_TYPE).body!.getReader(),
    )
    vi.advanceTimersByTime(MAX_STALL_MS)
    await read!.read()
    expect(() => responses.respond('x'.repeat(7 * MIB), JSON_TYPE)).toThrow(overloaded)
    expect(await endOf(stalled!)).toBe(1 * MIB)
    await read!.cancel()
    expect(responses.reserved).toBe(0)
  })

  it('of a change is never refused, and ends others last', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const responses = createTextResponses()
    const open = (size: number, isOfChange = false) =>
      responses.respond('x'.repeat(size * MIB), JSON_TYPE, 200, isOfChange).body!.getReader()
    const stalled = open(1)
    vi.advanceTimersByTime(MAX_STALL_MS)
    const [small, large] = [open(4), open(6)]
    const first = open(6, true)
    await expect(endOf(stalled)).rejects.toThrow('another response needed the memory')
    await expect(endOf(large)).rejects.toThrow('another response needed the memory')
    expect(responses.reserved).toBe(10 * MIB)
    const read = open(2)
    // Of the others, those of changes end first.
    const second = open(6, true)
    await expect(endOf(first)).rejects.toThrow('another response needed the memory')
    const third = open(6, true)
    await expect(endOf(second)).rejects.toThrow('another response needed the memory')
    expect(await endOf(small)).toBe(4 * MIB)
    expect(await endOf(read)).toBe(2 * MIB)
    expect(await endOf(third)).toBe(6 * MIB)
    expect(responses.reserved).toBe(0)
  })
})

describe('a long response', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(async () => {
    vi.useRealTimers()
    await Promise.allSettled(held.splice(0).map((reader) => reader.cancel()))
  })

  const held: ReadableStreamDefaultReader<Uint8Array>[] = []
  const text = 'x'.repeat(400_000)
  const name = 'A changed description'
  const bulkKeys = (tenant: Tenant) => tenant.post(tenant.flags('bulk_keys'), { ids: [1, text] })

  it.each<[string, (tenant: Tenant, flag: { id: number }) => Promise<TestResponse>]>([
    ['a record', (tenant, { id }) => tenant.get(tenant.flags(id))],
    ['a read by POST', bulkKeys],
    ['the tools of MCP', (tenant) => ask(tenant, 'tools/list')],
  ])('of %s is refused for want of memory', async (_, send) => {
    const { tenant, flag } = await longFlag(text)
    held.push(...fill())
    const { status, body } = await send(tenant, flag)
    expect([status, body.code]).toEqual([503, 'overloaded'])
    const ends = await Promise.allSettled(held.map(endOf))
    expect(ends.every((end) => end.status === 'fulfilled')).toBe(true)
  })

  it.each<[string, (tenant: Tenant, flag: { id: number }) => Promise<TestResponse>]>([
    ['a change', (tenant, { id }) => tenant.patch(tenant.flags(id), { name })],
    [
      'a change by MCP',
      (tenant, { id }) => callTool(tenant, 'update-feature-flag', { id, project_id: tenant.projectId, name }),
    ],
  ])('of %s ends others', async (_, send) => {
    const { tenant, flag } = await longFlag(text)
    held.push(...fill())
    const changed = await send(tenant, flag)
    expect([changed.status, changed.text.includes(name)]).toEqual([200, true])
    const ends = await Promise.allSettled(held.map(endOf))
    expect(ends.some((end) => end.status === 'rejected')).toBe(true)
  })
})

async function longFlag(text: string) {
  const tenant = await createTenant()
  const payloads = { true: JSON.stringify(text) }
  const flag = await tenant.flag({ filters: { groups: [{ properties: [] }], payloads } })
  return { tenant, flag }
}

/** Holds as many responses as there may be, each shorter than the others of these tests. @returns their readers */
function fill(): ReadableStreamDefaultReader<Uint8Array>[] {
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = []
  const length = 66 * 1024
  for (let left = MAX_RESPONSE_MEMORY; left >= length; left -= length)
    readers.push(textResponse('x'.repeat(length), JSON_TYPE).body!.getReader())
  return readers
}

/** Reads the rest of a response. @returns its bytes */
async function endOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  let bytes = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.byteLength
  return bytes
}
