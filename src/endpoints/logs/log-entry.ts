// Log entries of runs. New entries evict those past the limit; the daily trigger deletes old ones.
import { and, eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointLogs } from '../../../drizzle/events'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import { type ApiError, apiErrorIn } from '../../errors'

/** Maximum entries of an endpoint. Filters scan as many. */
export const MAX_ENTRIES = 10_000

export interface LogEntry {
  projectId: number
  endpointId: string
  /** The run's `execution_id`. */
  instanceId: string
  at: Date
  level: 'INFO' | 'ERROR'
  message: string
}

/** Adds an entry and evicts those past `MAX_ENTRIES`. */
export function addLogEntry(
  db: Database,
  { projectId, endpointId, instanceId, at, level, message }: LogEntry,
): BatchItem<'sqlite'>[] {
  const newest = sql`(SELECT max(l.ordinal) FROM endpoint_logs l WHERE l.endpoint_id = ${endpointId})`
  return [
    db
      .insert(endpointLogs)
      .values({ projectId, endpointId, instanceId, timestamp: toStoredTimestamp(at), level, message }),
    db
      .delete(endpointLogs)
      .where(and(eq(endpointLogs.endpointId, endpointId), sql`ordinal <= ${newest} - ${MAX_ENTRIES}`)),
  ]
}

export type RunPath = 'inline' | 'materialized' | 'materialized_fallback'

export const executedMessage = (run: {
  path: RunPath
  isCached: boolean
  durationMs: number
  rows: number
  version: number
  clientQueryId: string | null
}): string =>
  `Endpoint executed · path=${run.path} cache=${run.isCached ? 'hit' : 'miss'} ` +
  `duration_ms=${run.durationMs} rows=${run.rows} version=${run.version}${nameByClient(run.clientQueryId)}`

export const failedMessage = (run: {
  path: RunPath
  durationMs: number
  version: number
  error: unknown
  clientQueryId: string | null
}): string =>
  `Endpoint execution failed · path=${run.path} duration_ms=${run.durationMs} version=${run.version} ` +
  `error=${nameOf(run.error)}${nameByClient(run.clientQueryId)}`

const MAX_CLIENT_ID_LENGTH = 200

/** Names the client's id. The caller chooses it, so that an id that could be taken for other words of the message is put in quotes. */
function nameByClient(id: string | null): string {
  if (id === null || id === '') return ''
  const shortened = id.slice(0, MAX_CLIENT_ID_LENGTH).toWellFormed()
  return ` client_query_id=${/^[\w.:/-]+$/.test(shortened) ? shortened : JSON.stringify(shortened)}`
}

const nameOf = (error: unknown): string =>
  apiErrorIn(error)?.code ?? (error instanceof Error ? error.name : 'error')

/** Maximum characters of a message. Error messages repeat names in a request, which have any length. */
const MAX_MESSAGE_LENGTH = 1_000

export function rejectedMessage({ attr, detail }: ApiError): string {
  const message = `Endpoint execution failed · invalid request · ${attr === null ? detail : `${attr}: ${detail}`}`
  return message.length <= MAX_MESSAGE_LENGTH
    ? message
    : `${message.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`
}
