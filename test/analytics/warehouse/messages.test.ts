// What capture puts on the queue to ClickHouse, and that it puts nothing there without ClickHouse.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonBytes } from '../../../src/json'
import {
  messagesOf,
  tablesIn,
  type WarehouseMessage,
  type WarehouseRow,
} from '../../../src/analytics/warehouse/message'
import { createHarness } from '../../support/harness'
import { createTenant } from '../../support/tenant'

/** What the queue takes as one message. */
const QUEUE_LIMIT = 128_000

const event = (uuid: string, length: number): WarehouseRow => ({
  project_id: 1,
  uuid,
  properties: 'é'.repeat(length),
})

describe('messagesOf', () => {
  it('packs every row once, in messages that the queue takes', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(sizes, sizes, (ofEvents, ofPersons) => {
        const rows = {
          events: ofEvents.map((size, index) => event(`e${index}`, size)),
          persons: ofPersons.map((size, index) => ({
            project_id: 1,
            id: `p${index}`,
            properties: 'x'.repeat(size),
          })),
        }
        const messages = messagesOf(rows)
        for (const message of messages) {
          expect(jsonBytes(message)).toBeLessThan(QUEUE_LIMIT)
          expect(tablesIn(message.rows).length + message.large.length).toBeGreaterThan(0)
        }
        const sent = (table: 'events' | 'persons', key: string) =>
          messages
            .flatMap(({ rows: some, large }) => [
              ...(some[table] ?? []).map((row) => row[key]),
              ...large.filter((each) => each.table === table).map((each) => each.key),
            ])
            .toSorted()
        expect(sent('events', 'uuid')).toEqual(rows.events.map(({ uuid }) => uuid).toSorted())
        expect(sent('persons', 'id')).toEqual(rows.persons.map(({ id }) => id).toSorted())
      }),
      { numRuns: 50 },
    )
  })

  it('refers to a row that no message holds', () => {
    expect(messagesOf({ events: [event('small', 10), event('large', 80_000)] })).toEqual([
      { rows: {}, large: [{ table: 'events', projectId: 1, key: 'large', index: 0 }] },
      { rows: { events: [event('small', 10)] }, large: [] },
    ])
  })

  it('has nothing to say of nothing', () => {
    expect(messagesOf({ events: [], persons: [] })).toEqual([])
  })
})

describe('capture', () => {
  /** The platform's queue, of which only what is sent counts here. */
  function queue(fails = 0) {
    const sent: WarehouseMessage[] = []
    let left = fails
    const sendBatch = async (messages: Iterable<{ body: WarehouseMessage }>) => {
      if (left-- > 0) throw new Error('the queue is away')
      for (const { body } of messages) sent.push(body)
    }
    return { sent, binding: { sendBatch } as unknown as Queue }
  }

  async function captureWith(bindings: Partial<Env>, batch: unknown[]) {
    const tenant = await createTenant()
    const harness = createHarness({ bindings })
    const answer = await harness.send('POST', '/batch/', { body: { api_key: tenant.projectToken, batch } })
    expect(answer.status).toBe(200)
    return { tenant, harness }
  }

  const opened = { event: 'opened', distinct_id: 'ada', properties: { $set: { plan: 'pro' } } }

  it('sends nothing without ClickHouse', async () => {
    const { sent, binding } = queue()
    await captureWith({ WAREHOUSE: binding, CLICKHOUSE_URL: '' }, [opened])
    expect(sent).toEqual([])
  })

  it('sends what it wrote, in one message where it fits', async () => {
    const { sent, binding } = queue()
    const { tenant } = await captureWith({ WAREHOUSE: binding, CLICKHOUSE_URL: 'http://clickhouse' }, [
      opened,
    ])
    expect(sent).toHaveLength(1)
    const { projectId } = tenant
    expect(sent[0]?.rows).toMatchObject({
      events: [{ project_id: projectId, event: 'opened', distinct_id: 'ada' }],
      persons: [{ project_id: projectId, properties: '{"plan":"pro"}', version: 0, is_deleted: 0 }],
      person_distinct_ids: [{ project_id: projectId, distinct_id: 'ada' }],
    })
  })

  it('tries again when the queue fails, and takes the events whatever becomes of that', async () => {
    const sometimes = queue(2)
    await captureWith({ WAREHOUSE: sometimes.binding, CLICKHOUSE_URL: 'http://clickhouse' }, [opened])
    expect(sometimes.sent).toHaveLength(1)
    const never = queue(Number.POSITIVE_INFINITY)
    const { harness } = await captureWith({ WAREHOUSE: never.binding, CLICKHOUSE_URL: 'http://clickhouse' }, [
      opened,
    ])
    expect(JSON.stringify(harness.lines)).toContain('the queue is away')
  })
})
