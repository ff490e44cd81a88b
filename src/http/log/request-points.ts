// A data point of Analytics Engine for each request, where the deployment binds a dataset: route, outcome and cost. Routes are
// patterns; nothing of a user is in it.
import type { Meter } from '../../storage/metered-d1'

/** The requests that an isolate has answered. */
export interface Traffic {
  /** Null before the first. */
  since: Date | null
  requests: number
  /** Those with status 500 and above. */
  errors: number
  /** The last of them, in no order: milliseconds, negative for errors. */
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

/** The part of the service that a route belongs to: `feature_flags` of `/api/projects/:project_id/feature_flags/:id/`. */
export const areaOf = (route: string | null): string =>
  route?.match(/^\/(?:api\/(?:(?:projects|environments|organizations)\/:[^/]+\/)?)?([^/:?]+)/)?.[1] ?? 'other'

/** Never throws: a request does not fail because it is counted. */
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
    // Only an excess of points in one invocation, or a binding that is gone.
  }
}
