// Writes one wide log entry per request: route, cost and caller. It never contains keys, bodies, query strings, or raw paths of routes.
// Impersonation has entries of its own.
import { DrizzleQueryError } from 'drizzle-orm'
import type { Actor, Project } from '../../auth/actor'
import type { Meter } from '../../storage/metered-d1'

export interface RequestLine {
  level: 'info' | 'error'
  message: 'request'
  request_id: string
  method: string
  /** The route's pattern, or null when none matched. */
  route: string | null
  /** The start of the path, without keys. It is set only without a route. */
  path?: string
  status: number
  duration_ms: number
  d1_round_trips: number
  d1_rows_read: number
  d1_rows_written: number
  /** The round trips to shards. They are absent without a query to a shard. */
  events_round_trips?: number
  events_rows_read?: number
  events_rows_written?: number
  /** The round trips to the main database for publishing a change. They are absent where nothing was published. */
  publish_round_trips?: number
  publish_rows_read?: number
  /** The age of the stale flags that were served, in seconds. It is absent when none were. */
  stale_s?: number
  actor: string
  user_id: number | null
  /** The id of the staff member behind the user. It is set only while impersonating. */
  impersonated_by?: number
  project_id: number | null
  /** Messages and stacks of the error and its causes. It is set only when the service failed, or a service that it depends on. */
  error?: string
}

/** Facts about a request in its entry, besides its cost. */
export interface RequestFacts {
  /** The matching pattern; paths may contain user data. */
  route?: string
  actor?: Actor
  project?: Project
  error?: unknown
}

export interface ImpersonationLine {
  level: 'info'
  message: 'impersonation started' | 'impersonation stopped'
  staff_id: number
  user_id: number
  reason: string
  read_only: boolean
}

export type Log = (
  line:
    | RequestLine
    | ImpersonationLine
    | { level: 'error'; message: string; error: string; project_id?: number },
) => void

const MAX_PATH = 200

/** A part of a path that is a word or a number. Keys and tokens are neither, however they are encoded. */
const PLAIN_PART = /^(?:@?[a-z._-]{0,40}|v?\d{1,10})$/

/**
 * Returns a path that no route matches, for the log, with `…` for each part that may be a secret: those that are neither a word nor a
 * number, and what follows the start of a link that is a secret.
 */
export const loggedPath = (pathname: string): string =>
  pathname
    .replace(/\/(reset|signup|invites)\/.*/i, '/$1/…')
    .split('/')
    .map((part) => (PLAIN_PART.test(part) ? part : '…'))
    .join('/')
    .slice(0, MAX_PATH)

/** Logs JSON lines on standard output. */
export const consoleLog: Log = (line) => {
  // oxlint-disable-next-line no-console -- this is the one place that prints
  console.log(JSON.stringify(line))
}

/** Returns message and stack of an error and its causes. A failed query is shown without parameters. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const itself = error instanceof DrizzleQueryError ? `failed query: ${error.query}` : stackOf(error)
  return error.cause ? `${itself}\ncaused by ${describeError(error.cause)}` : itself
}

/** Returns a stack without the message of a parser, which quotes user data. */
const stackOf = (error: Error) =>
  error instanceof SyntaxError
    ? String(error.stack).replace(error.message, 'text withheld')
    : String(error.stack)

/** Returns the cost of a request in the main database, and in shards if it used one. */
export const costOf = (meter: Meter, events: Meter, publishing: Meter) => ({
  d1_round_trips: meter.roundTrips,
  d1_rows_read: meter.rowsRead,
  d1_rows_written: meter.rowsWritten,
  ...(events.roundTrips > 0
    ? {
        events_round_trips: events.roundTrips,
        events_rows_read: events.rowsRead,
        events_rows_written: events.rowsWritten,
      }
    : {}),
  ...(publishing.roundTrips > 0
    ? { publish_round_trips: publishing.roundTrips, publish_rows_read: publishing.rowsRead }
    : {}),
})
