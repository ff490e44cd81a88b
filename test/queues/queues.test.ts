// What comes on a queue reaches whoever it is for, in an environment of any name.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { messagesOf } from '../../src/analytics/ingestion/message'
import { noRows } from '../../src/outbox/ingestion-rows'
import { consume } from '../../src/jobs/queues'
import { COUNTS, materializedEndpoint } from '../support/endpoints/builds'
import { eventsOf } from '../support/capture'
import { createMaterializingTenant } from '../support/endpoints/materialization'

/** Has the Worker handle a batch of one message. Returns what it did with it, and what it said in the log. */
async function consumed(queue: string, body: unknown) {
  const lines: object[] = []
  const batch = createMessageBatch(queue, [{ id: 'one', timestamp: new Date(), attempts: 1, body }])
  const context = createExecutionContext()
  await consume(batch, env, context, (line) => lines.push(line))
  const { explicitAcks, retryMessages, retryBatch, ackAll } = await getQueueResult(batch, context)
  const isRetried = retryBatch.retry || retryMessages.length > 0
  return { isDone: ackAll || explicitAcks.length > 0, isRetried, lines }
}

describe.each(['halyard', 'halyard-staging', 'another'])('the queues of %s', (worker) => {
  it('have builds built', async () => {
    const tenant = await createMaterializingTenant()
    const made = await materializedEndpoint(tenant, COUNTS, { data_freshness_seconds: 3600 })
    expect(await consumed(`${worker}-builds`, { kind: 'build', ...made.message })).toEqual({
      isDone: true,
      isRetried: false,
      lines: [],
    })
    expect(await made.status()).toMatchObject({ status: 'Completed' })
  })

  it('have captured events stored', async () => {
    const tenant = await createMaterializingTenant()
    const store = { shard: 'EVENTS', queryEngine: 'd1' as const }
    const events = [
      {
        uuid: crypto.randomUUID(),
        event: 'opened',
        distinctId: 'ada',
        timestamp: '2026-03-01T10:00:00.000000Z',
        createdAt: '2026-03-01T10:00:00.000000Z',
        setsProperties: false,
        flagKey: null,
        flagResponse: null,
        properties: {},
      },
    ]
    const [text] = messagesOf({ projectId: tenant.projectId, store }, { ...noRows(), events })
    expect(await consumed(`${worker}-ingestion`, text)).toEqual({ isDone: true, isRetried: false, lines: [] })
    expect(await eventsOf(tenant)).toHaveLength(1)
  })
})

it('work of a kind that only another version knows is left to the trigger', async () => {
  expect(await consumed('halyard-builds', { kind: 'new', id: 1 })).toEqual({
    isDone: true,
    isRetried: false,
    lines: [],
  })
})

describe('an unhandled queue', () => {
  it('keeps its messages, and is named in the log', async () => {
    expect(await consumed('halyard-builds-of-staging', {})).toEqual({
      isDone: false,
      isRetried: true,
      lines: [
        {
          level: 'error',
          message: 'messages of an unknown queue',
          error: 'halyard-builds-of-staging',
        },
      ],
    })
  })
})
