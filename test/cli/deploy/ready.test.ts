// Waiting for a service that was just deployed.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { untilReady } from '../../../src/cli/deploy/ready'

let server: Server | undefined
afterEach(() => server?.close())

/** Responds with these in turn, and then always with the last. */
async function answering(...responses: [status: number, body: string][]) {
  let count = 0
  server = createServer((request, response) => {
    const [status, body] = responses[Math.min(count, responses.length - 1)]!
    count += 1
    response.writeHead(request.url === '/ready' ? status : 404).end(body)
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => count }
}

describe('waiting until a service is ready', () => {
  it('returns when the service is ready', async () => {
    const { url, asked } = await answering([200, '{"status":"ok"}'])
    expect(await untilReady(url)).toBeNull()
    expect(asked()).toBe(1)
  })

  it('repeats while the service is not ready, or only without a shard', async () => {
    const { url, asked } = await answering(
      [522, ''],
      [200, '{"status":"degraded"}'],
      [200, '{"status":"ok"}'],
    )
    expect(await untilReady(url, { timeoutMs: 5_000, intervalMs: 5 })).toBeNull()
    expect(asked()).toBe(3)
  })

  it('returns the last problem when the time is up', async () => {
    const failed = '{"status":"failed","checks":{"database":"failed"}}'
    const { url } = await answering([503, failed])
    expect(await untilReady(url, { timeoutMs: 30, intervalMs: 10 })).toBe(`503 ${failed}`)
    server!.close()
    server!.closeAllConnections()
    expect(await untilReady(url, { timeoutMs: 30, intervalMs: 10 })).toMatch(/ECONNREFUSED/)
  })
})
