// posthog-node of every major since 2, and the newest one's other ways to capture.
import { PostHog as PostHog2 } from 'posthog-node-2'
import { PostHog as PostHog3 } from 'posthog-node-3'
import { PostHog as PostHog4 } from 'posthog-node-4'
import { PostHog as PostHog5, type PostHogOptions } from 'posthog-node'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { open } from '../../support/filters'
import { serveWorker, type ServedWorker } from '../../support/server/served-worker'
import { flagsApi } from './flags-api'

let served: ServedWorker

beforeAll(async () => {
  served = await serveWorker()
  const flags = flagsApi({ url: served.url, projectId: served.projectId, ...served.credentials })
  await flags.create({ key: 'majors', filters: open({ payloads: { true: '{"a":1}' } }) })
})
afterAll(() => served.stop())
afterEach(() => vi.unstubAllEnvs())

/** What the majors have in common. */
interface Client {
  capture(event: { distinctId: string; event: string; properties?: Record<string, unknown> }): void
  identify(person: { distinctId: string; properties: Record<string, unknown> }): void
  isFeatureEnabled(key: string, distinctId: string): Promise<boolean | undefined>
  getFeatureFlagPayload(key: string, distinctId: string): Promise<unknown>
  on(event: string, listener: (error: unknown) => void): unknown
  shutdown?(): unknown
  shutdownAsync?(): Promise<void>
}

const MAJORS: Record<string, (token: string, options: object) => Client> = {
  2: (token, options) => new PostHog2(token, options) as Client,
  3: (token, options) => new PostHog3(token, options) as Client,
  4: (token, options) => new PostHog4(token, options) as Client,
  5: (token, options) => new PostHog5(token, options) as Client,
}

/** Runs `work` with a client. @throws what the client could not send */
async function withClient<C extends Client>(client: C, work: (client: C) => unknown): Promise<void> {
  const errors: unknown[] = []
  client.on('error', (error: unknown) => errors.push(error))
  await work(client)
  await (client.shutdownAsync?.() ?? client.shutdown?.())
  expect(errors).toEqual([])
}

const newest = (options: PostHogOptions = {}) =>
  new PostHog5(served.credentials.projectApiToken, { host: served.url, fetchRetryCount: 0, ...options })

describe.each(Object.keys(MAJORS))('posthog-node %s', (major) => {
  it('captures, identifies and evaluates flags', async () => {
    const id = `major-${major}`
    const client = MAJORS[major]!(served.credentials.projectApiToken, { host: served.url })
    await withClient(client, async () => {
      client.capture({ distinctId: id, event: 'opened', properties: { page: '/é' } })
      client.identify({ distinctId: id, properties: { plan: 'paid' } })
      expect(await client.isFeatureEnabled('majors', id)).toBe(true)
      expect(await client.getFeatureFlagPayload('majors', id)).toEqual({ a: 1 })
    })
    const events = await served.storedEvents(id, 3)
    // Early majors report a flag twice: for its value and for its payload.
    expect(new Set(events.map(({ event }) => event))).toEqual(
      new Set(['$feature_flag_called', '$identify', 'opened']),
    )
    expect(events.find(({ event }) => event === 'opened')!.properties).toMatchObject({
      page: '/é',
      $lib: 'posthog-node',
    })
  })
})

describe('the newest posthog-node', () => {
  it('captures events of language models at their own path', async () => {
    await withClient(newest(), (client) => {
      client.captureAi({
        distinctId: 'ai-ada',
        event: '$ai_generation',
        properties: { $ai_model: 'a-model' },
      })
    })
    expect(await served.storedEvents('ai-ada')).toMatchObject([
      { event: '$ai_generation', properties: { $ai_model: 'a-model' } },
    ])
  })

  it('captures with version 1 of the protocol, and reports dropped events', async () => {
    vi.stubEnv('POSTHOG_CAPTURE_MODE', 'v1')
    const timestamp = new Date(Date.now() - 60_000)
    await withClient(newest(), (client) => {
      client.capture({
        distinctId: 'v1-ada',
        event: 'opened',
        properties: { page: '/', $session_id: 's1', $set: { plan: 'paid' } },
        timestamp,
      })
      client.capture({
        distinctId: 'v1-bob',
        event: 'anonymous',
        properties: { $process_person_profile: false },
      })
    })
    const [event] = await served.storedEvents('v1-ada')
    expect(event).toMatchObject({
      event: 'opened',
      properties: { page: '/', $session_id: 's1', $lib: 'posthog-node', $set: { plan: 'paid' } },
    })
    expect(Math.abs(Date.parse(event!.timestamp) - timestamp.getTime())).toBeLessThan(5_000)
    expect((await served.storedEvents('v1-bob'))[0]!.properties).toMatchObject({
      $process_person_profile: false,
    })

    const errors: unknown[] = []
    const client = newest()
    client.on('error', (error: unknown) => errors.push(error))
    client.capture({ distinctId: ' ', event: 'opened' })
    client.capture({ distinctId: 'v1-eve', event: 'kept' })
    await client.shutdown()
    expect(errors).toMatchObject([
      { name: 'CaptureV1Error', drops: [{ details: 'This field may not be blank.' }] },
    ])
    expect(await served.storedEvents('v1-eve')).toHaveLength(1)
  })

  it('sends logs without repeating them', async () => {
    await withClient(newest(), (client) => client.captureLog({ body: 'something happened', level: 'info' }))
    const response = await fetch(`${served.url}/i/v1/logs`, { method: 'POST', body: '{"resourceLogs":[]}' })
    expect([response.status, await response.json()]).toEqual([
      200,
      { partialSuccess: { errorMessage: expect.any(String) } },
    ])
  })
})
