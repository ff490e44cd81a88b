// Measures how many events a second are captured, in requests of 100, until the last of them can be queried, beside a Worker that only inserts the
// same rows. Both are workerd without the development proxy, with databases of their own; the load comes from the same machine.
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { transformSync } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import type { RequestLine } from '../../../src/http/log/request-log'
import { serveWorker } from '../../support/server/served-worker'
import { processorTime } from '../processor-time'
import { bodiesOf, EVENTS_A_REQUEST, TRAFFIC, type Traffic } from './traffic'

const SECONDS = 8
const WARM_UP_SECONDS = 2
const CONNECTIONS = 4

interface Result {
  /** The time from the first request until the last event is stored. */
  eventsPerSecond: number
  /** The seconds from the last response until then. */
  lag: number
  /** Milliseconds of processor time a request, in the Worker and its database together. */
  processor: number
  p50: number
  p99: number
  failed: number
}

let sendings = 0

async function load(
  url: string,
  events: D1Database,
  bodies: ((sending: number) => string)[],
  seconds: number,
): Promise<Result> {
  const before = processorTime()
  const stored = await countOf(events)
  const began = performance.now()
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: '/batch/',
        headers: { 'Content-Type': 'application/json' },
        setupRequest(request) {
          sendings += 1
          return { ...request, body: bodies[sendings % bodies.length]!(sendings) }
        },
      },
    ],
  })
  const answered = performance.now()
  const sent = result['2xx'] * EVENTS_A_REQUEST
  while ((await countOf(events)) < stored + sent) await sleep(100)
  const ended = performance.now()
  return {
    eventsPerSecond: (sent * 1000) / (ended - began),
    lag: (ended - answered) / 1000,
    processor: (processorTime() - before) / result.requests.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.errors + result.non2xx,
  }
}

const countOf = async (events: D1Database): Promise<number> =>
  (await events.prepare('SELECT count(*) AS n FROM events').first<number>('n')) ?? 0

/** Each side starts with an empty database for each kind of traffic, and is warm when it is measured. */
async function halyard(traffic: Traffic): Promise<Result & { line: RequestLine }> {
  let line: RequestLine | undefined
  const served = await serveWorker({ onLine: (each) => void (line = each) })
  try {
    const bodies = bodiesOf(traffic, served.credentials.projectApiToken)
    await load(served.url, served.events, bodies, WARM_UP_SECONDS)
    const result = await load(served.url, served.events, bodies, SECONDS)
    return { ...result, line: line! }
  } finally {
    await served.stop()
  }
}

async function bare(traffic: Traffic): Promise<Result> {
  const source = readFileSync(join(import.meta.dirname, 'bare.ts'), 'utf8')
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: transformSync(source, { loader: 'ts' }).code,
      compatibilityDate: '2026-07-30',
      port: 0,
      d1Databases: ['DB', 'EVENTS'],
    }),
  )
  try {
    const url = (await miniflare.ready).origin
    const migrated = async (binding: string, folder: string) => {
      const database = (await miniflare.getD1Database(binding)) as unknown as D1Database
      for (const { queries } of await readD1Migrations(
        join(import.meta.dirname, '../../../migrations', folder),
      )) {
        await database.batch(queries.map((query) => database.prepare(query)))
      }
      return database
    }
    await migrated('DB', 'main')
    const events = await migrated('EVENTS', 'events')
    const bodies = bodiesOf(traffic, 'none')
    await load(url, events, bodies, WARM_UP_SECONDS)
    return await load(url, events, bodies, SECONDS)
  } finally {
    await miniflare.dispose()
  }
}

const rows: (string | number)[][] = [
  [
    'traffic',
    'events/s',
    'bare',
    'share',
    'lag, s',
    'CPU ms',
    'bare',
    'p50 ms',
    'p99 ms',
    'D1 round trips',
    'failed',
  ],
  ['---', ...Array.from({ length: 10 }, () => '---:')],
]
for (const traffic of TRAFFIC) {
  const floor = await bare(traffic)
  const { line, ...ours } = await halyard(traffic)
  rows.push([
    traffic.name,
    Math.round(ours.eventsPerSecond),
    Math.round(floor.eventsPerSecond),
    (ours.eventsPerSecond / floor.eventsPerSecond).toFixed(2),
    ours.lag.toFixed(1),
    ours.processor.toFixed(2),
    floor.processor.toFixed(2),
    ours.p50,
    ours.p99,
    line.d1_round_trips,
    ours.failed + floor.failed,
  ])
}
process.stdout.write(rows.map((cells) => `| ${cells.join(' | ')} |\n`).join(''))
