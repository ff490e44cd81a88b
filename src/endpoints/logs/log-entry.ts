// Writing the log: one line a run. Lines past the newest go as new ones come; the daily trigger deletes old ones.
import { and, eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointLogs } from '../../../drizzle/events'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'
import { type ApiError, apiErrorIn } from '../../errors'

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

/** How a run was answered. */
export type RunPath = 'inline' | 'materialized' | 'materialized_fallback'

/** A run that gave rows. */
export const executed = (run: {
  path: RunPath
  isCached: boolean
  durationMs: number
  rows: number
  version: number
}): string =>
  `Endpoint executed · path=${run.path} cache=${run.isCached ? 'hit' : 'miss'} ` +
  `duration_ms=${run.durationMs} rows=${run.rows} version=${run.version}`

/** A run that was begun and gave none. */
export const failed = (path: RunPath, version: number, error: unknown): string =>
  `Endpoint execution failed · path=${path} version=${version} error=${nameOf(error)}`

const nameOf = (error: unknown): string =>
  apiErrorIn(error)?.code ?? (error instanceof Error ? error.name : 'error')

/** Characters of a message: a caller may send names of any length, and each refusal repeats some. */
const LONGEST = 1_000

/** A request that asked for what cannot be. */
export function rejected({ attr, detail }: ApiError): string {
  const message = `Endpoint execution failed · invalid request · ${attr === null ? detail : `${attr}: ${detail}`}`
  return message.length <= LONGEST ? message : `${message.slice(0, LONGEST - 1).toWellFormed()}…`
}
