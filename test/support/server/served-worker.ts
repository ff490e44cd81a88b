// The production bundle, served over HTTP by workerd itself, without the development proxy in front. For real clients and for benchmarks.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { type SeedCredentials, seedDeployment } from '../../../src/account/seed'
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
  /** The Worker's own databases, for arranging what has no API. */
  database: D1Database
  events: D1Database
  /** The events of a distinct id in order of arrival, once there are as many: they come by way of a queue. */
  storedEvents(distinctId: string, count?: number): Promise<StoredEvent[]>
  /** Starts a new runtime with the same state, and with it a new isolate. */
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

/** How long events have to arrive. */
const ARRIVAL_MS = 10_000

export interface ServeOptions {
  bindings?: Record<string, string>
  /** Called with every line of the Worker's log. */
  onLine?(line: RequestLine): void
}

/** Bundles the Worker as a deployment would. @returns the folder, for as long as this process runs. */
export function bundleWorker(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  execFileSync(
    join(ROOT, 'node_modules/.bin/wrangler'),
    ['deploy', '--dry-run', '--minify', '--outdir', folder],
    { cwd: ROOT, stdio: 'pipe', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  )
  return folder
}

/** Serves the bundled Worker with an empty, migrated database and one organization in it. */
export async function serveWorker({
  bindings = {},
  onLine = () => {},
}: ServeOptions = {}): Promise<ServedWorker> {
  const folder = (process.env.WORKER_BUNDLE ??= bundleWorker())
  const options = convertV4MiniflareOptions({
    ...servedModules(folder),
    d1Databases: ['DB', 'EVENTS'],
    kvNamespaces: ['SNAPSHOTS'],
    durableObjects: {
      PROJECTS: { className: 'ProjectObject', useSQLite: true },
      QUERY_GATES: { className: 'QueryGate', useSQLite: true },
      STREAMS: { className: 'ChangeStream', useSQLite: true },
    },
    queueProducers: {
      INGESTION: 'halyard-ingestion',
      BUILDS: 'halyard-builds',
      WEBHOOKS: 'halyard-webhooks',
    },
    // Tests do not wait long for rows to arrive.
    queueConsumers: {
      'halyard-ingestion': { maxBatchSize: 100, maxBatchTimeout: 0.2 },
      'halyard-builds': { maxBatchSize: 1, maxBatchTimeout: 0 },
      'halyard-webhooks': { maxBatchSize: 1, maxBatchTimeout: 0 },
    },
    bindings: {
      PAYLOAD_KEYS: `served:${Buffer.alloc(32, 9).toString('base64')}`,
      ACCOUNT_KEYS: `served:${Buffer.alloc(32, 10).toString('base64')}`,
      MAX_FLAGS_PER_PROJECT: '2000',
      ALLOW_PRIVATE_HOSTS: 'on',
      ...bindings,
    },
    handleStructuredLogs({ message }) {
      if (message.startsWith('{"level"')) onLine(JSON.parse(message) as RequestLine)
    },
  })
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
      // A port of its own would be another address.
      await miniflare.setOptions({ ...options, port: Number(new URL(url).port) })
    },
    stop: () => miniflare.dispose(),
  }
}

/** Serves what a folder has, behind the router of static files that deployments have. */
export const servedModules = (folder: string) => ({
  modules: modulesIn(folder),
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

const MODULE_TYPES: Record<string, 'ESModule' | 'CompiledWasm' | 'Text'> = {
  '.js': 'ESModule',
  '.wasm': 'CompiledWasm',
  '.txt': 'Text',
}

/** The bundle's entry first, then what it imports: WASM and the like. */
export const modulesIn = (folder: string, entry = 'index.js') =>
  readdirSync(folder)
    .filter((file) => /\.(js|wasm|txt)$/.test(file))
    .sort((a, b) => Number(b === entry) - Number(a === entry))
    .map((file) => ({
      type: MODULE_TYPES[file.slice(file.lastIndexOf('.'))]!,
      path: join(folder, file),
    }))
