import type { Deps } from '../../deps'
import { clickhouseOf } from '../clickhouse/server'
import { type AnalyticsStore, engineUnavailable, shardDatabase } from '../../storage/shards'
import { createClickhouseEngine } from './clickhouse-engine'
import type { QueryGates } from '../query-gate/query-gate-client'
import type { ShardAccess } from './admission'
import { createD1Engine } from './d1-engine'
import type { QueryEngine } from './query-engine'
import type { QueueLimits } from '../query-gate/fair-queue'
import type { Dialect } from '../../hogql/compiled'

/** Limits of the queue of a project on ClickHouse. */
const CLICKHOUSE_LIMITS: QueueLimits = { weight: 4, perProject: 4, waiting: 40, waitingPerProject: 40 }

type ShardDeps = Pick<Deps, 'env' | 'eventsMeter' | 'queryGates'>
type EngineDeps = ShardDeps & Pick<Deps, 'memory'>

/** Returns the engine of an analytics store. @throws 503 when the deployment does not have it */
export function engineFor(deps: EngineDeps, store: AnalyticsStore): QueryEngine {
  if (store.queryEngine === 'd1') return shardEngine(deps, store)
  const server = clickhouseOf(deps.env)
  if (!server)
    throw engineUnavailable(
      new Error('the project runs its queries on ClickHouse, and CLICKHOUSE_URL is not set'),
    )
  return countingRows(takingTurns(createClickhouseEngine(server), deps.queryGates, store), deps)
}

const takingTurns = (engine: QueryEngine, gates: QueryGates, store: AnalyticsStore): QueryEngine => ({
  ...engine,
  async run(query, run) {
    const gate = { projectId: run.projectId, store, limits: CLICKHOUSE_LIMITS }
    const { result } = await gates.pass(gate, 1, () => engine.run(query, run))
    return result
  },
})

/** Rows are in memory with their JSON, and with the response that has it. */
const COPIES_OF_ROWS = 3
const BYTES_OF_A_VALUE = 16

/** Counts rows as memory of the request. @throws 503 when an isolate's requests have too much together */
const countingRows = (engine: QueryEngine, { memory }: Pick<Deps, 'memory'>): QueryEngine => ({
  ...engine,
  async run(query, run) {
    const result = await engine.run(query, run)
    memory.take(COPIES_OF_ROWS * bytesOf(result.rows))
    return result
  },
})

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return BYTES_OF_A_VALUE + value.length
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : []
  return parts.reduce((sum: number, part) => sum + bytesOf(part), BYTES_OF_A_VALUE)
}

/** Returns the engine of a shard, which also has the materialized rows of projects on ClickHouse. */
export const shardEngine = (deps: EngineDeps, store: Pick<AnalyticsStore, 'shard'>): QueryEngine =>
  countingRows(createD1Engine({ ...shardAccess(deps, store), memory: deps.memory }), deps)

/** Returns the shard without a deadline, and its gate. */
export const shardAccess = (
  { env, eventsMeter, queryGates }: ShardDeps,
  { shard }: Pick<AnalyticsStore, 'shard'>,
): ShardAccess => ({ db: shardDatabase(env, shard), meter: eventsMeter, gates: queryGates, shard })

export const dialectOf = ({ queryEngine }: Pick<AnalyticsStore, 'queryEngine'>): Dialect =>
  queryEngine === 'd1' ? 'sqlite' : 'clickhouse'
