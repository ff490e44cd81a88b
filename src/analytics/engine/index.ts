// Which engine a deployment's queries run on.
import type { Deps } from '../../deps'
import { clickhouseOf } from '../clickhouse/server'
import { createClickhouseEngine } from './clickhouse-engine'
import { createD1Engine } from './d1-engine'
import type { QueryEngine } from './query-engine'

/** The engine of this deployment: its ClickHouse server where it has one, else the embedded database. */
export function engineOf({ env, meter }: Pick<Deps, 'env' | 'meter'>): QueryEngine {
  const server = clickhouseOf(env)
  return server ? createClickhouseEngine(server) : createD1Engine({ db: env.DB, meter })
}
