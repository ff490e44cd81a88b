// The guide's arithmetic of a month: what a request and an event cost is counted here, and the guide has the sums.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import guide from '../../src/docs/guide/costs.md?raw'
import { settings } from '../../src/settings'
import { createMeter, meteredD1 } from '../../src/storage/metered-d1'
import { event, sendBatch } from '../support/capture'
import { createHarness } from '../support/harness'
import { createIngestionQueue } from '../support/ingestion-queue'
import { createTenant } from '../support/tenant'

/** Events of a capture request, as SDKs send them. */
const BATCH = 10

/** Counts of one capture request of `BATCH` events by people who are known, and of the consumer's batch of 20 such requests. */
async function countCapture() {
  const queue = createIngestionQueue()
  const shard = createMeter()
  const bindings = { INGESTION: queue.binding, EVENTS: meteredD1(env.EVENTS, shard) }
  const tenant = await createTenant({ harness: createHarness({ bindings }) })
  const batch = () => Array.from({ length: BATCH }, (_, index) => event(`user-${index}`, { path: '/', n: 1 }))
  await sendBatch(tenant, batch())
  await queue.drain({ ...env, ...bindings })
  const main: { d1_rows_read: number; d1_rows_written: number }[] = []
  Object.assign(shard, createMeter())
  let messages = 0
  for (let request = 0; request < 20; request += 1) main.push((await sendBatch(tenant, batch())).line)
  messages += queue.waiting.length
  await queue.drain({ ...env, ...bindings })
  const events = 20 * BATCH
  const flags = await tenant.send('POST', '/flags/?v=2', {
    body: { token: tenant.projectToken, distinct_id: 'user-1', person_properties: { a: 1 } },
  })
  const flag = await tenant.flag({ key: 'checkout' })
  const change = await tenant.patch(tenant.flags(flag.id), { name: 'Checkout' })
  return {
    mainWritten: main.reduce((sum, line) => sum + line.d1_rows_written, 0) / events,
    mainRead: main.reduce((sum, line) => sum + line.d1_rows_read, 0) / events,
    shardWritten: shard.rowsWritten / events,
    messages: messages / events,
    flagsRead: flags.line.d1_rows_read,
    changeWritten: change.line.d1_rows_written,
  }
}

/** What a month includes, and the price of a unit above: list prices of Cloudflare as the guide dates them. */
const PRICES = {
  requests: { included: 10e6, unit: 1e6, price: 0.3 },
  'processor time': { included: 30e6, unit: 1e6, price: 0.02 },
  'D1 rows written': { included: 50e6, unit: 1e6, price: 1 },
  'D1 rows read': { included: 25e9, unit: 1e6, price: 0.001 },
  'D1 storage': { included: 5e9, unit: 1e9, price: 0.75 },
  'Durable Object requests': { included: 1e6, unit: 1e6, price: 0.15 },
  'queue operations': { included: 1e6, unit: 1e6, price: 0.4 },
  'logs and traces': { included: 20e6, unit: 1e6, price: 0.6 },
} as const

type Item = keyof typeof PRICES

/** A month of a service. */
interface Size {
  flags: number
  events: number
  runs: number
  changes: number
  locations: number
}

const SIZES: Size[] = [
  { flags: 1e6, events: 100e3, runs: 10e3, changes: 100, locations: 2 },
  { flags: 10e6, events: 1e6, runs: 100e3, changes: 1e3, locations: 5 },
  { flags: 100e6, events: 10e6, runs: 1e6, changes: 10e3, locations: 50 },
]

const SECONDS = 30 * 86_400
const TRIGGERS = 30 * 1_440 + 30
/** Rows that a run reads which has no cached result. */
const RUN_ROWS = 50_000
const EVENT_BYTES = 800
/** Months for which events are kept. */
const KEPT = 3
/** Of `/flags` with 50 flags, of a capture request and of a run. */
const CPU_MS = { flags: 1.62, capture: 5, run: 10 }

/** Isolates of a location, each of which fetches the definitions after a change. */
const ISOLATES = 5

/** Lines of the log and spans of a request. */
const LOG_EVENTS = 1 + 0.05 * 10

function usageOf(
  { flags, events, runs, changes, locations }: Size,
  counts: Awaited<ReturnType<typeof countCapture>>,
): Record<Item, number> {
  const captures = events / BATCH
  const looks = locations * (SECONDS / (settings(env).freshnessMs / 1_000))
  const requests = flags + captures + runs + changes + TRIGGERS
  return {
    requests,
    'processor time': flags * CPU_MS.flags + captures * CPU_MS.capture + runs * CPU_MS.run,
    'D1 rows written': events * (counts.mainWritten + counts.shardWritten) + changes * counts.changeWritten,
    'D1 rows read': events * counts.mainRead + runs * RUN_ROWS + looks,
    'D1 storage': KEPT * events * EVENT_BYTES,
    'Durable Object requests': looks + changes * (1 + locations * ISOLATES),
    'queue operations': 3 * counts.messages * events,
    'logs and traces': requests * LOG_EVENTS,
  }
}

const amount = (value: number): string =>
  value >= 1e9
    ? `${(value / 1e9).toPrecision(2)} bn`
    : value >= 1e6
      ? `${Number((value / 1e6).toPrecision(3))} m`
      : `${Math.round(value / 1e3)} k`

it('has the sums of three months in the guide', async () => {
  const counts = await countCapture()
  expect(counts).toEqual({
    mainWritten: 0,
    // A search that ends at a row of another test counts it.
    mainRead: expect.closeTo(3.4, 0),
    shardWritten: expect.closeTo(6, 0),
    messages: 0.1,
    flagsRead: expect.any(Number),
    changeWritten: expect.closeTo(11, -0.3),
  })
  const rounded = { ...counts, mainRead: 3.4, shardWritten: 6, changeWritten: 11 }
  const usages = SIZES.map((size) => usageOf(size, rounded))
  const totals = SIZES.map(() => 5)
  const rows = (Object.keys(PRICES) as Item[]).map((item) => {
    const { included, unit, price } = PRICES[item]
    const cells = usages.map((usage, place) => {
      const dollars = (Math.max(0, usage[item] - included) / unit) * price
      totals[place]! += dollars
      return `${amount(usage[item])}: $${dollars.toFixed(2)}`
    })
    return [item, ...cells]
  })
  rows.push(['**total, with the plan**', ...totals.map((total) => `**$${total.toFixed(2)}**`)])
  const stated = guide
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim())) // prettier-ignore
  expect(stated).toEqual(expect.arrayContaining(rows))
})
