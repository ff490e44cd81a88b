// Receivers of webhooks that respond just within the deadline, on the queue of a served Worker, beside those of another organization.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addOrganization, type Organization } from '../support/faults/attacks'
import { serveWorker, type ServedWorker } from '../support/server/served-worker'

const SLOW_MS = 9_900
const SLOW_WEBHOOKS = 10
/** A twentieth of what the slow receivers of one change take, one after the other. */
const SOON_MS = 5_000

let served: ServedWorker
let receiver: Server
/** When each path was called. */
const calls = new Map<string, number[]>()

beforeAll(async () => {
  served = await serveWorker()
  receiver = createServer((request, response) => {
    const path = request.url!
    calls.set(path, [...(calls.get(path) ?? []), Date.now()])
    setTimeout(() => response.end('received'), path.startsWith('/slow') ? SLOW_MS : 0)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await served.stop()
})

async function post({ credentials, projectId }: Organization, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${served.url}/api/projects/${projectId}/${path}/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${credentials.personalApiKey}` },
    body: JSON.stringify(body),
  })
  expect(response.status, await response.text()).toBe(201)
}

const addWebhook = (organization: Organization, path: string) =>
  post(organization, 'webhooks', {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`,
    events: ['FeatureFlag.created'],
  })

const addFlag = (organization: Organization, key: string) =>
  post(organization, 'feature_flags', { key, filters: { groups: [{ properties: [] }] } })

it('receivers that take 9.9 seconds do not delay deliveries of another organization', async () => {
  const slow = await addOrganization(served, 'slow@example.com')
  const other: Organization = served
  for (let index = 0; index < SLOW_WEBHOOKS; index += 1) await addWebhook(slow, `/slow/${index}`)
  await addWebhook(other, '/other')
  await addFlag(slow, 'first')
  await addFlag(slow, 'second')
  await expect.poll(() => calls.size, { timeout: 30_000 }).toBeGreaterThan(0)
  const started = Date.now()
  await addFlag(other, 'mine')
  await expect.poll(() => calls.get('/other')?.length, { timeout: 120_000, interval: 20 }).toBe(1)
  expect(calls.get('/other')![0]! - started).toBeLessThan(SOON_MS)
  // Those of the slow receivers are delivered as well: the deadline is longer than they take.
  const countDelivered = () =>
    served.database
      .prepare(`SELECT count(*) AS n FROM webhook_deliveries WHERE status = 'delivered' AND attempts = 1`)
      .first<number>('n')
  await expect
    .poll(countDelivered, { timeout: SLOW_MS + 10_000, interval: 200 })
    .toBeGreaterThan(SLOW_WEBHOOKS)
})
