import type { Project } from '../../auth/actor'
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

/** Limits of the queue of an organization on ClickHouse. */
const CLICKHOUSE_LIMITS: QueueLimits = {
  weight: 4,
  perOrganization: 4,
  waiting: 40,
  waitingPerOrganization: 40,
}

type ShardDeps = Pick<Deps, 'env' | 'eventsMeter' | 'queryGates'>
/** A project's store, and the organization whose turn its queries take. */
type Place = Pick<Project, 'organizationId' | 'store'>

type EngineDeps = ShardDeps & Pick<Deps, 'memory'>

/** Returns the engine of a project's store. @throws 503 when the deployment does not have it */
export function engineFor(deps: EngineDeps, place: Place): QueryEngine {
  if (place.store.queryEngine === 'd1') return shardEngine(deps, place)
  const server = clickhouseOf(deps.env)
  if (!server)
    throw engineUnavailable(
      new Error('the project runs its queries on ClickHouse, and CLICKHOUSE_URL is not set'),
    )
  return countingRows(takingTurns(createClickhouseEngine(server), deps.queryGates, place), deps)
}

const takingTurns = (
  engine: QueryEngine,
  gates: QueryGates,
  { organizationId, store }: Place,
): QueryEngine => ({
  ...engine,
  async run(query, run) {
    const gate = { organizationId, store, limits: CLICKHOUSE_LIMITS }
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
export const shardEngine = (deps: EngineDeps, place: Place): QueryEngine =>
  countingRows(createD1Engine({ ...shardAccess(deps, place), memory: deps.memory }), deps)

/** Returns the shard without a deadline, and its gate. */
export const shardAccess = (
  { env, eventsMeter, queryGates }: ShardDeps,
  { organizationId, store: { shard } }: Place,
): ShardAccess => ({
  db: shardDatabase(env, shard),
  meter: eventsMeter,
  gates: queryGates,
  shard,
  organizationId,
})

export const dialectOf = ({ queryEngine }: Pick<AnalyticsStore, 'queryEngine'>): Dialect =>
  queryEngine === 'd1' ? 'sqlite' : 'clickhouse'
