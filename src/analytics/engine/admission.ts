// Rejects queries that cost too much, and queues heavy ones.
import type { CompiledQuery } from '../../hogql/compiled'
import { LIGHT_QUERY_NS, MAX_QUERY_NS } from '../../hogql/cost/budget'
import { type Meter, meteredD1 } from '../../storage/metered-d1'
import type { QueueLimits } from '../query-gate/fair-queue'
import type { QueryGates, Started } from '../query-gate/query-gate-client'
import { type AnalyticsStore, SHARD_DEADLINE_MS, STATEMENT_DEADLINE_MS } from '../../storage/shards'
import { createCostCheck, estimateQuery, type RequireAffordable, type RunStatements } from './estimate'
import { withComputedTables } from './computed-tables'
import { d1Failure } from './d1-errors'
import { queryCapacity } from './limits'
import type { Run } from './query-engine'

/**
 * Limits of the queue of heavy queries on a shard. An organization runs one at a time, and the queries that run together may cost as much as
 * the most expensive one.
 */
export const SHARD_LIMITS: QueueLimits = {
  weight: MAX_QUERY_NS,
  perOrganization: 1,
  waiting: 200,
  waitingPerOrganization: 20,
}

export interface ShardAccess {
  db: D1Database
  meter: Meter
  gates: QueryGates
  shard: AnalyticsStore['shard']
  /** The organization whose queries run. */
  organizationId: string
}

export interface Admitted<T> extends Started<T> {
  /** Whether the query takes almost no time, unless the shard is busy. */
  isLight: boolean
}

/**
 * Starts a query when its cost is within the limits and its turn has come. A query without a cost is one of the service itself, which has a limit of its own.
 * @param start gets the run with the results that the query looks up
 * @throws 400 `query_too_expensive`, 429, 503
 */
export async function admit<T>(
  access: ShardAccess,
  query: CompiledQuery,
  run: Run,
  start: (run: Run) => Promise<T>,
): Promise<Admitted<T>> {
  const { gates, shard, organizationId } = access
  const formulas = query.cost
  const runStatements = statementRunner(access, STATEMENT_DEADLINE_MS)
  const startWith = async (requireAffordable: RequireAffordable | null) =>
    start(await withComputedTables(query, run, runStatements, requireAffordable))
  if (!formulas) return { result: startWith(null), isLight: true }
  const estimate = await estimateQuery(statementRunner(access, SHARD_DEADLINE_MS), query, formulas, run)
  const { nanoseconds } = estimate.cost
  if (nanoseconds < LIGHT_QUERY_NS) return { result: startWith(null), isLight: true }
  const gate = {
    organizationId,
    store: { shard, queryEngine: 'd1' },
    limits: SHARD_LIMITS,
  } as const
  const { result } = await gates.pass(gate, Math.min(nanoseconds, MAX_QUERY_NS), () =>
    startWith(createCostCheck(runStatements, query, formulas, estimate)),
  )
  return { result, isLight: false }
}

/**
 * Returns a function that runs statements before a query: statistics, which are fast, or measures and texts, which may take as long as a
 * statement.
 */
export function statementRunner(
  { db, meter }: Pick<ShardAccess, 'db' | 'meter'>,
  deadlineMs: number,
): RunStatements {
  const metered = meteredD1(db, meter, { deadlineMs, timeout: queryCapacity, failure: d1Failure })
  return async (statements) => {
    const results = await metered.batch<Record<string, string | number | null>>(
      statements.map(({ sql, values }) => metered.prepare(sql).bind(...values)),
    )
    return results.map(({ results: rows }) => rows.map((row) => Object.values(row)))
  }
}
