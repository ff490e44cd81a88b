// Serves the production bundle over HTTP by workerd itself, without the development proxy, for real clients and for benchmarks.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from 'miniflare'
import { type SeedCredentials, seedDeployment } from '../../../src/account/provisioning'
import { deriveWorker, type WorkerOptions } from '../../../src/cli/local/worker-options'
import { bundleWorker } from '../../../src/cli/serve/bundle'
import { readModules } from '../../../src/cli/serve/runtime'
import { createIds } from '../../../src/clock'
import type { RequestLine } from '../../../src/http/log/request-log'
import { openDatabase } from '../../../src/storage/database'
import { createMeter } from '../../../src/storage/metered-d1'
import { seedPlannerStats } from '../../../src/storage/planner-stats'
import { runBatch } from '../../../src/storage/run-batch'

const ROOT = join(import.meta.dirname, '../../..')

export interface ServedWorker {
  url: string
  projectId: number
  credentials: SeedCredentials
  /** The Worker's own databases, for data without an API. */
  database: D1Database
  events: D1Database
  /** Returns the events of a distinct id in order of arrival, once there are as many: they pass through a queue. */
  storedEvents(distinctId: string, count?: number): Promise<StoredEvent[]>
  /** Starts a new runtime, and with it a new isolate, with the same state. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface StoredEvent {
  uuid: string
  event: string
  timestamp: string
  flag_key: string | null
  properties: Record<string, unknown>
}

/** The time within which events must arrive. */
const ARRIVAL_MS = 10_000

export interface ServeOptions {
  bindings?: Record<string, string>
  /** Called with every line of the Worker's log. */
  onLine?(line: RequestLine): void
}

/** The Worker of wrangler.toml, and the folder of its bundle, which are derived once per run. */
export async function prepareWorker(): Promise<{ options: WorkerOptions; vars: object; bundle: string }> {
  const known = process.env.SERVED_WORKER
  if (known) return JSON.parse(known) as Awaited<ReturnType<typeof prepareWorker>>
  const worker = await deriveWorker()
  const prepared = { options: worker.options, vars: worker.vars, bundle: await bundleWorker(worker) }
  process.env.SERVED_WORKER = JSON.stringify(prepared)
  return prepared
}

/** Serves the bundled Worker with an empty, migrated database and one organization in it. */
export async function serveWorker({
  bindings = {},
  onLine = () => {},
}: ServeOptions = {}): Promise<ServedWorker> {
  const { options: worker, vars, bundle } = await prepareWorker()
  const ingestion = worker.queueConsumers['halyard-ingestion']
  const options = convertV4MiniflareOptions({
    ...worker,
    modules: readModules(bundle),
    modulesRoot: bundle,
    port: 0,
    unsafeTriggerHandlers: true,
    queueConsumers: {
      ...worker.queueConsumers,
      // Tests do not wait long for rows to arrive.
      'halyard-ingestion': { ...ingestion, maxBatchTimeout: 0.2 },
    },
    // These replace the variables of `.dev.vars`.
    bindings: {
      ...vars,
      THROTTLES: 'off',
      PAYLOAD_KEYS: `served:${Buffer.alloc(32, 9).toString('base64')}`,
      ACCOUNT_KEYS: `served:${Buffer.alloc(32, 10).toString('base64')}`,
      ALLOW_PRIVATE_HOSTS: 'on',
      ...bindings,
    },
    handleStructuredLogs({ message }: { message: string }) {
      if (message.startsWith('{"level"')) onLine(JSON.parse(message) as RequestLine)
    },
  } as V4MiniflareOptions)
  const miniflare = new Miniflare(options)
  const url = (await miniflare.ready).origin
  const [database, events] = (await Promise.all([
    miniflare.getD1Database('DB'),
    miniflare.getD1Database('EVENTS'),
  ])) as unknown as [D1Database, D1Database]
  await migrate(database, 'main')
  await migrate(events, 'events')
  await seedPlannerStats(events)
  const db = openDatabase(database, createMeter())
  const queryEngine = bindings.CLICKHOUSE_URL ? 'clickhouse' : 'd1'
  const { credentials, statements } = await seedDeployment(
    db,
    createIds(),
    new Date(),
    'owner@example.com',
    queryEngine,
  )
  await runBatch(db, statements)
  return {
    url,
    projectId: 1,
    credentials,
    database,
    events,
    storedEvents: (distinctId, count = 1) => storedEvents(events, distinctId, count),
    async restart() {
      // Another port would be another address.
      await miniflare.setOptions({ ...options, port: Number(new URL(url).port) })
    },
    stop: () => miniflare.dispose(),
  }
}

/** Serves the files of a folder behind the router of static files that deployments have, for Workers of the benchmarks. */
export const servedModules = (folder: string) => ({
  modules: readModules(folder),
  modulesRoot: folder,
  compatibilityDate: '2026-08-04',
  port: 0,
  assets: {
    directory: join(ROOT, 'src/public'),
    binding: 'ASSETS',
    routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
  },
})

async function storedEvents(shard: D1Database, distinctId: string, count: number): Promise<StoredEvent[]> {
  const until = Date.now() + ARRIVAL_MS
  for (;;) {
    const { results } = await shard
      .prepare(
        'SELECT uuid, event, timestamp, flag_key, json(properties) AS properties FROM events WHERE distinct_id = ? ORDER BY id',
      )
      .bind(distinctId)
      .all<Omit<StoredEvent, 'properties'> & { properties: string }>()
    if (results.length >= count || Date.now() > until) {
      return results.map((row) => ({
        ...row,
        properties: JSON.parse(row.properties) as StoredEvent['properties'],
      }))
    }
    await sleep(50)
  }
}

async function migrate(database: D1Database, name: 'main' | 'events'): Promise<void> {
  for (const { queries } of await readD1Migrations(join(ROOT, 'migrations', name))) {
    await database.batch(queries.map((query) => database.prepare(query)))
  }
}
