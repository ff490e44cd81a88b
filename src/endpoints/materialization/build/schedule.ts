// When rows are built again.
import { type SQL, sql } from 'drizzle-orm'

/** Builds are due this much before the rows are too old, so that runs always find fresh ones. */
const LEAD_SECONDS = 90

/**
 * SQL for when rows of a moment have to be built again, in stored form. Stands where `endpoint_materializations` is updated.
 * @param moment in stored form.
 */
export const refreshAfter = (moment: string | SQL) => sql<string>`(SELECT
  strftime('%Y-%m-%dT%H:%M:%f', ${moment}, '+' || (v.data_freshness_seconds - ${sql.raw(String(LEAD_SECONDS))}) || ' seconds') || '000Z'
  FROM endpoint_versions v WHERE v.id = endpoint_materializations.version_id)`

/** The first try after a failure comes this soon, the next ones each in twice the time; never later than the version's rows are due. */
const FIRST_RETRY_SECONDS = 60

/** Seconds until a build is tried again, after so many before it that failed as well. */
export const retrySeconds = (failures: number, freshnessSeconds: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(failures, 20), freshnessSeconds)
