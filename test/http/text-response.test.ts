import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTextResponses, MAX_RESPONSE_MEMORY, MAX_SEND_MS } from '../../src/http/text-response'

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
    const unread = [1, 2].map(() => responses.respond('x'.repeat(3 * MIB), JSON_TYPE))
    expect(responses.reserved).toBeGreaterThan(5 * MIB)
    expect(() => responses.respond('x'.repeat(3 * MIB), JSON_TYPE)).toThrow(overloaded)
    expect(responses.reserved).toBeLessThanOrEqual(MAX_RESPONSE_MEMORY)
    expect(await responses.respond('{}', JSON_TYPE).text()).toBe('{}')
    await unread[0]!.text()
    await unread[1]!.body!.cancel()
    expect(responses.reserved).toBe(0)
  })

  it('ends when it is not read in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const responses = createTextResponses()
    const { body } = responses.respond('x'.repeat(2 * MIB), JSON_TYPE)
    vi.advanceTimersByTime(MAX_SEND_MS)
    expect(responses.reserved).toBe(0)
    const reader = body!.getReader()
    await expect(reader.read()).rejects.toThrow('the client did not read the response in time')
  })
})
