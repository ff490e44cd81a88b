// Taking in events: how many a second, in requests of 100, beside a Worker that does nothing but insert the same rows. Both are workerd
// without the development proxy, with a database of their own; the load comes from the same machine.
import autocannon from 'autocannon'
import { transformSync } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { Miniflare } from 'miniflare'
import type { RequestLine } from '../../../src/http/request-log'
import { serveWorker } from '../../support/served-worker'
import { processorTime } from '../processor-time'
import { bodiesOf, EVENTS_A_REQUEST, TRAFFIC, type Traffic } from './traffic'

const SECONDS = 8
const WARM_UP_SECONDS = 2
const CONNECTIONS = 4

interface Result {
  eventsPerSecond: number
  /** Milliseconds of processor time a request, in the Worker and its database together. */
  processor: number
  p50: number
  p99: number
  failed: number
}

let sendings = 0

async function load(url: string, bodies: ((sending: number) => string)[], seconds: number): Promise<Result> {
  const before = processorTime()
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
  return {
    eventsPerSecond: result.requests.average * EVENTS_A_REQUEST,
    processor: (processorTime() - before) / result.requests.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.errors + result.non2xx,
  }
}

/** Each side starts with an empty database for each kind of traffic, and is warm when it is measured. */
async function halyard(traffic: Traffic): Promise<Result & { line: RequestLine }> {
  let line: RequestLine | undefined
  const served = await serveWorker({ onLine: (each) => void (line = each) })
  try {
    const bodies = bodiesOf(traffic, served.credentials.projectApiToken)
    await load(served.url, bodies, WARM_UP_SECONDS)
    const result = await load(served.url, bodies, SECONDS)
    return { ...result, line: line! }
  } finally {
    await served.stop()
  }
}

async function bare(traffic: Traffic): Promise<Result> {
  const source = readFileSync(join(import.meta.dirname, 'bare.ts'), 'utf8')
  const miniflare = new Miniflare({
    modules: true,
    script: transformSync(source, { loader: 'ts' }).code,
    compatibilityDate: '2026-07-30',
    port: 0,
    d1Databases: ['DB'],
  })
  try {
    const url = (await miniflare.ready).origin
    const database = (await miniflare.getD1Database('DB')) as unknown as D1Database
    for (const { queries } of await readD1Migrations(join(import.meta.dirname, '../../../migrations'))) {
      await database.batch(queries.map((query) => database.prepare(query)))
    }
    const bodies = bodiesOf(traffic, 'none')
    await load(url, bodies, WARM_UP_SECONDS)
    return await load(url, bodies, SECONDS)
  } finally {
    await miniflare.dispose()
  }
}

const rows: (string | number)[][] = [
  ['traffic', 'events/s', 'bare', 'share', 'CPU ms', 'bare', 'p50 ms', 'p99 ms', 'D1 round trips', 'failed'],
  ['---', ...Array.from({ length: 9 }, () => '---:')],
]
for (const traffic of TRAFFIC) {
  const floor = await bare(traffic)
  const { line, ...ours } = await halyard(traffic)
  rows.push([
    traffic.name,
    Math.round(ours.eventsPerSecond),
    Math.round(floor.eventsPerSecond),
    (ours.eventsPerSecond / floor.eventsPerSecond).toFixed(2),
    ours.processor.toFixed(2),
    floor.processor.toFixed(2),
    ours.p50,
    ours.p99,
    line.d1_round_trips,
    ours.failed + floor.failed,
  ])
}
process.stdout.write(rows.map((cells) => `| ${cells.join(' | ')} |\n`).join(''))
