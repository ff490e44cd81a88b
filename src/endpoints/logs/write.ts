// Writing the log: one line a run. Lines past the newest go as new ones come; the daily trigger deletes old ones.
import { and, eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointLogs } from '../../../drizzle/events'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'

/** Lines that an endpoint keeps, and that filters look through. */
export const MAX_LINES = 10_000

export interface Line {
  projectId: number
  endpointId: string
  /** The run's `execution_id`. */
  instanceId: string
  at: Date
  level: 'INFO' | 'ERROR'
  message: string
}

/** The statements that add a line, and take away those past the newest MAX_LINES. */
export function addLine(
  db: Database,
  { projectId, endpointId, instanceId, at, level, message }: Line,
): BatchItem<'sqlite'>[] {
  const newest = sql`(SELECT max(l.ordinal) FROM endpoint_logs l WHERE l.endpoint_id = ${endpointId})`
  return [
    db
      .insert(endpointLogs)
      .values({ projectId, endpointId, instanceId, timestamp: stored(at), level, message }),
    db
      .delete(endpointLogs)
      .where(and(eq(endpointLogs.endpointId, endpointId), sql`ordinal <= ${newest} - ${MAX_LINES}`)),
  ]
}
