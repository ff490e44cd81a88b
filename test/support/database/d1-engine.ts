import { env, waitUntil } from 'cloudflare:workers'
import { createD1Engine } from '../../../src/analytics/engine/d1-engine'
import type { QueryEngine } from '../../../src/analytics/engine/query-engine'
import { createQueryGates } from '../../../src/analytics/query-gate/query-gate-client'
import { createMeter, type Meter } from '../../../src/storage/metered-d1'

interface Options {
  meter?: Meter
  db?: D1Database
  deadlineMs?: number
  /** The number in the name of the gate. */
  shard?: string
}

/** The engine of the tests' shard. */
export const shardEngine = ({
  meter = createMeter(),
  db = env.EVENTS,
  ...options
}: Options = {}): QueryEngine =>
  createD1Engine({
    db,
    meter,
    gates: createQueryGates(env.QUERY_GATES, waitUntil),
    shard: 'EVENTS',
    organizationId: 'that of the tests',
    ...options,
  })
