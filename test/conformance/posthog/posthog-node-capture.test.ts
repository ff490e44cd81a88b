// posthog-node, unmodified, sending to the served Worker; what it sent is found again in the Worker's database.
import { PostHog, type PostHogOptions } from 'posthog-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveWorker, type ServedWorker } from '../../support/server/served-worker'

let served: ServedWorker

beforeAll(async () => {
  served = await serveWorker()
})
afterAll(() => served.stop())

/** Runs `work` with a client, and ends the client as a process would. Throws whatever the client could not send. */
async function withClient(work: (client: PostHog) => unknown, options: PostHogOptions = {}): Promise<void> {
  const client = new PostHog(served.credentials.projectApiToken, {
    host: served.url,
    fetchRetryCount: 0,
    ...options,
  })
  const errors: unknown[] = []
  client.on('error', (error: unknown) => errors.push(error))
  await work(client)
  await client.shutdown()
  expect(errors).toEqual([])
}

interface Row {
  [column: string]: unknown
}

const rows = async (query: string, ...values: unknown[]): Promise<Row[]> =>
  (
    await served.database
      .prepare(query)
      .bind(...values)
      .all<Row>()
  ).results

async function personOf(distinctId: string) {
  const [person] = await rows(
    `SELECT p.id, p.properties, p.is_identified FROM persons p
      JOIN person_distinct_ids d ON d.person_id = p.id WHERE d.distinct_id = ?`,
    distinctId,
  )
  if (!person) return null
  const ids = await rows(
    'SELECT distinct_id FROM person_distinct_ids WHERE person_id = ? ORDER BY 1',
    person.id,
  )
  return {
    distinctIds: ids.map((row) => row.distinct_id),
    properties: JSON.parse(person.properties as string),
    isIdentified: person.is_identified === 1,
  }
}

const eventsOf = (distinctId: string, count?: number) => served.storedEvents(distinctId, count)

describe('posthog-node', () => {
  it('captures, and its events arrive as they were sent', async () => {
    const timestamp = new Date(Date.now() - 60_000)
    const uuid = '01961234-5678-7abc-8def-0123456789ab'
    await withClient((client) => {
      client.capture({ distinctId: 'ada', event: 'opened', properties: { page: '/é' }, timestamp, uuid })
    })
    const [event] = await eventsOf('ada')
    expect(event).toMatchObject({ event: 'opened', uuid, properties: { page: '/é', $lib: 'posthog-node' } })
    // Put right by the clock of the request, which is the same machine's.
    expect(Math.abs(Date.parse(event!.timestamp as string) - timestamp.getTime())).toBeLessThan(5_000)
  })

  it('captures immediately', async () => {
    await withClient(async (client) => {
      await client.captureImmediate({ distinctId: 'hasty', event: 'opened' })
      expect(await eventsOf('hasty')).toMatchObject([{ event: 'opened' }])
    })
  })

  it('captures without compressing', async () => {
    await withClient(
      (client) =>
        client.capture({ distinctId: 'plain', event: 'opened', properties: { blob: 'x'.repeat(5_000) } }),
      { disableCompression: true },
    )
    expect(await eventsOf('plain')).toHaveLength(1)
  })

  it('flushes many events in batches, in their order', async () => {
    await withClient(
      async (client) => {
        for (let number = 0; number < 250; number += 1) {
          client.capture({ distinctId: 'busy', event: `event ${number}`, properties: { $set: { number } } })
        }
        await client.flush()
      },
      { flushAt: 100, maxBatchSize: 100 },
    )
    const sent = Array.from({ length: 250 }, (_, number) => `event ${number}`)
    expect((await eventsOf('busy', sent.length)).map(({ event }) => event)).toEqual(sent)
    expect((await personOf('busy'))?.properties).toEqual({ number: 249 })
  })

  it('identifies, and sets properties once and again', async () => {
    await withClient((client) => {
      client.capture({ distinctId: 'visitor', event: 'opened', properties: { $set: { source: 'ad' } } })
      client.identify({
        distinctId: 'grace',
        properties: { $set: { plan: 'free' }, $set_once: { since: 2026 }, $anon_distinct_id: 'visitor' },
      })
      client.setPersonProperties({
        distinctId: 'grace',
        properties: { plan: 'paid' },
        propertiesOnce: { since: 2027, first: true },
      })
    })
    expect(await personOf('grace')).toEqual({
      distinctIds: ['grace', 'visitor'],
      properties: { source: 'ad', plan: 'paid', since: 2026, first: true },
      isIdentified: true,
    })
  })

  it('sets bare properties, and does not identify without an anonymous id', async () => {
    await withClient((client) =>
      client.identifyImmediate({ distinctId: 'alan', properties: { email: 'a@example.com' } }),
    )
    expect(await personOf('alan')).toEqual({
      distinctIds: ['alan'],
      properties: { email: 'a@example.com' },
      isIdentified: false,
    })
  })

  it('makes aliases', async () => {
    await withClient((client) => {
      client.capture({ distinctId: 'old-id', event: 'opened', properties: { $set: { kept: true } } })
      client.alias({ distinctId: 'new-id', alias: 'old-id' })
    })
    expect(await personOf('new-id')).toMatchObject({
      distinctIds: ['new-id', 'old-id'],
      properties: { kept: true },
    })
  })

  it('describes groups and captures in them', async () => {
    await withClient((client) => {
      client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { plan: 'free' } })
      client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { seats: 3 } })
      client.capture({ distinctId: 'member', event: 'opened', groups: { company: 'acme' } })
    })
    const [group] = await rows(
      `SELECT g.properties FROM groups g JOIN group_types t ON t.type_index = g.type_index AND t.project_id = g.project_id
        WHERE t.name = 'company' AND g.group_key = 'acme'`,
    )
    expect(JSON.parse(group!.properties as string)).toEqual({ plan: 'free', seats: 3 })
    expect((await eventsOf('member'))[0]!.properties).toMatchObject({
      $groups: { company: 'acme' },
      $group_0: 'acme',
    })
  })

  it('hears when its token is not known', async () => {
    const client = new PostHog('phc_nobody', { host: served.url, fetchRetryCount: 0 })
    const errors: unknown[] = []
    client.on('error', (error: unknown) => errors.push(error))
    await client.captureImmediate({ distinctId: 'ada', event: 'opened' })
    await client.shutdown()
    expect(errors).toMatchObject([{ name: 'PostHogFetchHttpError', status: 401 }])
  })
})
