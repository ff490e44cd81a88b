// Writing the log: one line a run. Lines past the newest go as new ones come; the daily trigger deletes old ones.
import { and, eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointLogs } from '../../../drizzle/events'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'

const KEPT_LINES = 10_000
/** Counting lines means walking over those that are kept: one run in so many does it. */
const COUNTED_EVERY = 256

export interface Line {
  projectId: number
  endpointId: string
  /** The run's `execution_id`. */
  instanceId: string
  at: Date
  level: 'INFO' | 'ERROR'
  message: string
}

/** The statements that add a line and, now and then, take away those past the newest 10,000. */
export function addLine(
  db: Database,
  { projectId, endpointId, instanceId, at, level, message }: Line,
): BatchItem<'sqlite'>[] {
  const ofEndpoint = eq(endpointLogs.endpointId, endpointId)
  const past = sql`(timestamp, id) <= (SELECT timestamp, id FROM endpoint_logs WHERE endpoint_id = ${endpointId}
    ORDER BY timestamp DESC, id DESC LIMIT 1 OFFSET ${KEPT_LINES})`
  return [
    db
      .insert(endpointLogs)
      .values({ projectId, endpointId, instanceId, timestamp: stored(at), level, message }),
    ...(isCountDue(instanceId) ? [db.delete(endpointLogs).where(and(ofEndpoint, past))] : []),
  ]
}

/** The last digits of the run's random id serve as a random sample. */
const isCountDue = (instanceId: string) => parseInt(instanceId.slice(-4), 16) % COUNTED_EVERY === 0
