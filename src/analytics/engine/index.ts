// Which engine runs a project's queries.
import type { Deps } from '../../deps'
import { clickhouseOf } from '../clickhouse/server'
import { type AnalyticsStore, engineUnavailable, shardDatabase } from '../store'
import { createClickhouseEngine } from './clickhouse-engine'
import { createD1Engine } from './d1-engine'
import type { QueryEngine } from './query-engine'
import type { Dialect } from '../../hogql/compiled'

type EngineDeps = Pick<Deps, 'env' | 'eventsMeter'>

/**
 * The engine of a project's analytics store.
 * @throws 503 when the deployment does not have it.
 */
export function engineFor({ env, eventsMeter }: EngineDeps, store: AnalyticsStore): QueryEngine {
  if (store.queryEngine === 'd1') return shardEngine({ env, eventsMeter }, store)
  const server = clickhouseOf(env)
  if (!server)
    throw engineUnavailable(
      new Error('the project runs its queries on ClickHouse, and CLICKHOUSE_URL is not set'),
    )
  return createClickhouseEngine(server)
}

/** The engine of a project's shard, which has its materialized rows whatever engine runs the queries. */
export const shardEngine = (
  { env, eventsMeter }: EngineDeps,
  { shard }: Pick<AnalyticsStore, 'shard'>,
): QueryEngine => createD1Engine({ db: shardDatabase(env, shard), meter: eventsMeter })

/** What a project's queries are compiled to. */
export const dialectOf = ({ queryEngine }: Pick<AnalyticsStore, 'queryEngine'>): Dialect =>
  queryEngine === 'd1' ? 'sqlite' : 'clickhouse'
