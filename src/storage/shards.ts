// Where a project's events are, and its saved queries run: a shard of D1, or the deployment's ClickHouse server.
import { ApiError } from '../errors'
import { type Database, openDatabase } from './database'
import { sizeOf } from './database-size'
import { createMeter, type Deadline, type Meter, meteredD1, outagesAs } from './metered-d1'
import { SHARD_BINDING } from './shard-binding'

export interface AnalyticsStore {
  /** The binding of the shard. It has results, run logs and materialized rows, also where ClickHouse runs the queries. */
  shard: string
  queryEngine: 'd1' | 'clickhouse'
}

/** The store of a project, unless there is a reason for another one. */
export const DEFAULT_STORE: AnalyticsStore = { shard: 'EVENTS', queryEngine: 'd1' }

/** The bindings of all shards of a deployment, `EVENTS` first. */
export const shardsOf = (env: object): string[] =>
  Object.keys(env)
    .filter((name) => SHARD_BINDING.test(name))
    .sort((a, b) => shardNumber(a) - shardNumber(b))

const shardNumber = (name: string): number => Number(name.slice('EVENTS_'.length) || 1)

/**
 * The database of a shard.
 * @throws 503 `query_engine_unavailable` when the deployment does not bind it.
 */
export function shardDatabase(env: object, shard: string): D1Database {
  const database = SHARD_BINDING.test(shard) ? (env as Record<string, D1Database>)[shard] : undefined
  if (!database) throw engineUnavailable(new Error(`${shard} is not bound: add it to wrangler.toml`))
  return database
}

/** The time in which shards have to report their size. */
const SIZE_DEADLINE_MS = 2_000

/** Returns the store of a new project: ClickHouse where the deployment has it, and of the shards the smallest that responds. */
export async function storeForNewProject(env: Pick<Env, 'CLICKHOUSE_URL'>): Promise<AnalyticsStore> {
  const queryEngine = env.CLICKHOUSE_URL ? 'clickhouse' : 'd1'
  const shards = shardsOf(env)
  if (shards.length === 1) return { ...DEFAULT_STORE, queryEngine }
  const sized = await Promise.all(
    shards.map(async (shard) => {
      const { d1 } = openShard(env, shard, createMeter(), SIZE_DEADLINE_MS)
      return { shard, size: await sizeOf(d1).catch(() => Infinity) }
    }),
  )
  const [smallest] = sized.sort((a, b) => a.size - b.size)
  return { shard: smallest?.shard ?? DEFAULT_STORE.shard, queryEngine }
}

/** A shard as Drizzle has it, and as D1 does. */
export interface Shard {
  db: Database
  d1: D1Database
}

/** The deadline of calls to a shard other than queries. While a query scans, other calls are retried later. */
export const SHARD_DEADLINE_MS = 5_000

/**
 * The deadline of background work on a shard, for which no caller waits. D1 ends a statement after 30 seconds, so that a call that waits
 * longer learns its result.
 */
export const STATEMENT_DEADLINE_MS = 50_000

/**
 * Opens a shard, with every call counted and given a deadline.
 * @throws 503 when the deployment does not bind it.
 */
export function openShard(env: object, shard: string, meter: Meter, deadlineMs = SHARD_DEADLINE_MS): Shard {
  const database = shardDatabase(env, shard)
  const deadline: Deadline = {
    deadlineMs,
    timeout: () => engineUnavailable(new Error(`${shard} did not answer`)),
    failure: outagesAs(engineUnavailable),
  }
  return { d1: meteredD1(database, meter, deadline), db: openDatabase(database, meter, deadline) }
}

/** The 503 error: the engine of queries does not respond as it should. `cause` is logged. */
export const engineUnavailable = (cause: unknown): ApiError =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'query_engine_unavailable',
    detail: 'The query engine is temporarily unavailable. Please retry.',
    headers: { 'Retry-After': '5' },
    cause,
  })
