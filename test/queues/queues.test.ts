// What comes on a queue reaches whoever it is for, in an environment of any name.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { consume } from '../../src/queues'
import { COUNTS, materializedEndpoint } from '../support/builds'
import { createMaterializingTenant } from '../support/materialization'

/** Has the Worker handle a batch of one message. Returns what it did with it, and what it said in the log. */
async function consumed(queue: string, body: unknown) {
  const lines: object[] = []
  const batch = createMessageBatch(queue, [{ id: 'one', timestamp: new Date(), attempts: 1, body }])
  await consume(batch, env, (line) => lines.push(line))
  const { explicitAcks, retryMessages, retryBatch, ackAll } = await getQueueResult(
    batch,
    createExecutionContext(),
  )
  const isRetried = retryBatch.retry || retryMessages.length > 0
  return { isDone: ackAll || explicitAcks.length > 0, isRetried, lines }
}

describe.each(['halyard', 'halyard-staging', 'another'])('the queues of %s', (worker) => {
  it('have builds built', async () => {
    const tenant = await createMaterializingTenant()
    const made = await materializedEndpoint(tenant, COUNTS, { data_freshness_seconds: 3600 })
    expect(await consumed(`${worker}-builds`, made.message)).toEqual({
      isDone: true,
      isRetried: false,
      lines: [],
    })
    expect(await made.status()).toMatchObject({ status: 'Completed' })
  })

  it('have rows let go where there is no ClickHouse', async () => {
    const rows = { persons: [{ project_id: 1, id: crypto.randomUUID() }] }
    expect(await consumed(`${worker}-warehouse`, { rows, large: [] })).toEqual({
      isDone: true,
      isRetried: false,
      lines: [],
    })
  })
})

describe('a queue that nobody handles', () => {
  it('keeps what it has, and is named in the log', async () => {
    expect(await consumed('halyard-builds-of-staging', {})).toEqual({
      isDone: false,
      isRetried: true,
      lines: [
        {
          level: 'error',
          message: 'messages of a queue that nobody handles',
          error: 'halyard-builds-of-staging',
        },
      ],
    })
  })
})
