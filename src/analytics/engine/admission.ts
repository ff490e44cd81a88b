// Whether a query may run on a shard, and when: what costs too much is refused before it starts, and heavy queries take turns.
import type { CompiledQuery } from '../../hogql/compiled'
import { LIGHT_QUERY_NS, MAX_QUERY_NS } from '../../hogql/cost/budget'
import type { Meter } from '../../storage/metered-d1'
import type { QueueLimits } from '../query-gate/fair-queue'
import type { QueryGates, Started } from '../query-gate/gateway'
import type { AnalyticsStore } from '../store'
import { type Ask, estimateQuery, requireAffordable } from './estimate'
import type { Run } from './query-engine'

/** What heavy queries of a shard share: one at a time for a project, and for all of them the time of the most expensive one. */
export const SHARD_LIMITS: QueueLimits = {
  weight: MAX_QUERY_NS,
  perProject: 1,
  waiting: 200,
  waitingPerProject: 20,
}

/** A shard that queries run on. */
export interface ShardAccess {
  db: D1Database
  meter: Meter
  /** Whose turn it is. */
  gates: QueryGates
  shard: AnalyticsStore['shard']
}

/** A query that has been started. */
export interface Admitted<T> extends Started<T> {
  /** Whether it ends at once, unless its shard is busy. */
  isLight: boolean
}

/**
 * Starts a query once its cost is known to be within the limits and its turn has come. A query without a plan of its cost is one of the
 * service's own.
 * @throws 400 `query_too_expensive`, 429, 503.
 */
export async function admit<T>(
  { db, meter, gates, shard }: ShardAccess,
  query: CompiledQuery,
  run: Run,
  start: () => Promise<T>,
): Promise<Admitted<T>> {
  const plan = query.cost
  if (!plan) return { result: start(), isLight: true }
  const ask: Ask = async (statements) => {
    meter.roundTrips += 1
    const results = await db.batch<Record<string, number>>(
      statements.map(({ sql, values }) => db.prepare(sql).bind(...values)),
    )
    for (const { meta } of results) meter.rowsRead += meta.rows_read
    return results.map(({ results: rows }) => rows.map((row) => Object.values(row)))
  }
  const estimate = await estimateQuery(ask, query, plan, run)
  const { nanoseconds } = estimate.cost
  if (nanoseconds < LIGHT_QUERY_NS) return { result: start(), isLight: true }
  const gate = {
    projectId: run.projectId,
    store: { shard, queryEngine: 'd1' },
    limits: SHARD_LIMITS,
  } as const
  const { result } = await gates.pass(gate, Math.min(nanoseconds, MAX_QUERY_NS), async () => {
    await requireAffordable(ask, query, plan, estimate, run)
    return start()
  })
  return { result, isLight: false }
}
