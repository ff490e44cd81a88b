// Hibernates materializations that no key runs: drops their rows, and builds none until a key runs the version again
// (docs/reference/endpoints.md#life-cycle-of-materialized-rows). What follows from a run is found in the time that the run writes.
import { and, isNotNull, isNull, lte, not, type SQL, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import { NO_BUILD } from './lifecycle-statements'

/** A version is unused after this time without runs by keys, since its activation. */
const UNUSED_MS = 30 * 86_400_000

const unusedSince = (now: Date) => toStoredTimestamp(new Date(now.getTime() - UNUSED_MS))

/** SQL condition on a materialization: a key ran its version recently. */
const isRun = (now: Date): SQL => sql`EXISTS (SELECT 1 FROM endpoint_versions v
  WHERE v.id = endpoint_materializations.version_id AND v.last_executed_at > ${unusedSince(now)})`

/** Hibernates all unused versions. Builds in progress lose their lease. */
export async function hibernateUnused(db: Database, now: Date): Promise<void> {
  const { hibernatedAt, enabledAt } = endpointMaterializations
  await db
    .update(endpointMaterializations)
    .set({
      hibernatedAt: toStoredTimestamp(now),
      status: null,
      error: '',
      failures: 0,
      nextBuildAt: null,
      generation: null,
      plan: null,
      rowCount: null,
      lastMaterializedAt: null,
      ...NO_BUILD,
    })
    .where(and(isNull(hibernatedAt), lte(enabledAt, unusedSince(now)), not(isRun(now))))
}

/** Makes hibernated versions due that a key has run. */
export async function wakeUsed(db: Database, now: Date): Promise<void> {
  await db
    .update(endpointMaterializations)
    .set({ hibernatedAt: null, status: 'Running', nextBuildAt: toStoredTimestamp(now) })
    .where(and(isNotNull(endpointMaterializations.hibernatedAt), isRun(now)))
}
