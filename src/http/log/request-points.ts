// Writes a data point of Analytics Engine for each request, if the deployment binds a dataset: route, outcome and cost. Routes are
// patterns, and no data of a user is in a point.
import type { Meter } from '../../storage/metered-d1'

/** The requests that an isolate has answered. */
export interface Traffic {
  /** The time of the first request, or null before it. */
  since: Date | null
  requests: number
  /** The number of requests with status 500 and above. */
  errors: number
  /** The durations of the last requests in milliseconds, in no order; those of errors are negative. */
  lastMs: number[]
}

const MAX_LAST = 500

/** Counts a request that an isolate has answered. */
export function countRequest(traffic: Traffic, status: number, durationMs: number): void {
  const isError = status >= 500
  traffic.lastMs[traffic.requests % MAX_LAST] = isError ? -durationMs : durationMs
  traffic.requests += 1
  if (isError) traffic.errors += 1
}

interface Point {
  route: string | null
  method: string
  status: number
  durationMs: number
  meter: Meter
}

/** Returns the part of the service to which a route belongs: `feature_flags` of `/api/projects/:project_id/feature_flags/:id/`. */
export const areaOf = (route: string | null): string =>
  route?.match(/^\/(?:api\/(?:(?:projects|environments|organizations)\/:[^/]+\/)?)?([^/:?]+)/)?.[1] ?? 'other'

/** Counts a request. It never throws, because a request must not fail for being counted. */
export function writeRequestPoint(
  dataset: AnalyticsEngineDataset | undefined,
  { route, method, status, durationMs, meter }: Point,
): void {
  if (!dataset) return
  try {
    dataset.writeDataPoint({
      indexes: [areaOf(route)],
      blobs: [areaOf(route), route ?? 'none', method, String(status)],
      doubles: [durationMs, meter.roundTrips, meter.rowsRead, meter.rowsWritten],
    })
  } catch {
    // This happens only with too many points in one invocation, or without the binding.
  }
}
