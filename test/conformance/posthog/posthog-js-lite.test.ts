// Small browser clients that compress with lz-string, unmodified, sending to the served Worker.
import { JSDOM } from 'jsdom'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PostHog as Lite2 } from 'posthog-js-lite-2'
import { PostHog as Lite3 } from 'posthog-js-lite-3'
import { serveWorker, type ServedWorker } from '../../support/server/served-worker'

let served: ServedWorker

beforeAll(async () => {
  served = await serveWorker()
})
afterAll(() => served.stop())

beforeEach(() => {
  const { localStorage } = new JSDOM('', { url: served.url }).window
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('window', { localStorage, fetch })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each([
  ['2.5.0', Lite2, (client: Lite2) => client.shutdownAsync()],
  ['3.0.0', Lite3, (client: Lite3) => client.shutdown()],
])('posthog-js-lite %s', (version, PostHog, end) => {
  it('captures, and its events arrive as they were sent', async () => {
    const client = new PostHog(served.credentials.projectApiToken, {
      host: served.url,
      persistence: 'memory',
      fetchRetryCount: 0,
    })
    const errors: unknown[] = []
    client.on('error', (error: unknown) => errors.push(error))
    client.identify(`lite ${version}`)
    client.capture('opened', { page: '/é', version })
    await end(client as Lite2 & Lite3)
    expect(errors).toEqual([])
    const events = await served.storedEvents(`lite ${version}`, 2)
    expect(events).toMatchObject([
      { event: '$identify' },
      { event: 'opened', properties: { page: '/é', version } },
    ])
  })
})
