// Statements that start, change and end materializations, for the batch of the operation that asks for it.
import { eq, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointMaterializations, endpoints, endpointVersions } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'

/** Columns of a materialization, for selects that join its version. */
const attachedColumns = {
  versionId: endpointMaterializations.versionId,
  id: sql<string>`${endpointMaterializations.id}`.as('materialization_id'),
  version: endpointVersions.version,
  hibernatedAt: endpointMaterializations.hibernatedAt,
}

/** Selects the materializations of an endpoint's versions, including hibernated ones. @param endpoint condition on `endpoints` */
export const selectAttached = (db: Database, endpoint: SQL) =>
  db
    .select(attachedColumns)
    .from(endpoints)
    .innerJoin(endpointMaterializations, eq(endpointMaterializations.endpointId, endpoints.id))
    .innerJoin(endpointVersions, eq(endpointVersions.id, endpointMaterializations.versionId))
    .where(endpoint)
    .orderBy(endpointMaterializations.versionId)

export type AttachedMaterialization = Awaited<ReturnType<typeof selectAttached>>[number]

/** Write guard: the endpoint still has exactly these materializations. */
export const areAttachmentsUnchanged = (
  endpointId: string,
  attached: readonly AttachedMaterialization[],
): SQL =>
  sql`(SELECT json_group_array(json_array(m.version_id, m.hibernated_at)) FROM (
    SELECT * FROM endpoint_materializations WHERE endpoint_id = ${endpointId} ORDER BY version_id) m) = ${JSON.stringify(
      attached.map(({ versionId, hibernatedAt }) => [versionId, hibernatedAt]),
    )}`

export interface ChangeContext {
  deps: Pick<Deps, 'db' | 'ids'>
  projectId: number
  actor: Actor
  /** The name of the endpoint. */
  name: string
  now: Date
}

export interface NewMaterialization extends Pick<AttachedMaterialization, 'versionId' | 'version' | 'id'> {
  endpointId: string
}

/** Attaches a materialization to a version, or wakes the hibernated one. Its first build is due at once. */
export function attach(
  change: ChangeContext,
  { endpointId, versionId, version, id }: NewMaterialization,
): BatchItem<'sqlite'>[] {
  const { deps, projectId, now } = change
  const at = toStoredTimestamp(now)
  const begun = { enabledAt: at, status: 'Running' as const, error: '', nextBuildAt: at }
  return [
    deps.db
      .insert(endpointMaterializations)
      .values({ versionId, endpointId, projectId, id, ...begun })
      .onConflictDoUpdate({
        target: endpointMaterializations.versionId,
        set: {
          ...begun,
          failures: 0,
          hibernatedAt: null,
          revision: sql`endpoint_materializations.revision + 1`,
        },
      }),
    recordLifecycle(change, 'materialization_enabled', { id, version }),
  ]
}

/** Ends a materialization. The trigger drops its tables. */
export function detach(change: ChangeContext, attached: AttachedMaterialization): BatchItem<'sqlite'>[] {
  return [
    change.deps.db
      .delete(endpointMaterializations)
      .where(eq(endpointMaterializations.versionId, attached.versionId)),
    recordLifecycle(change, 'materialization_disabled', attached),
  ]
}

/** Records a change in the activity log, under the name that upstream gives its saved query. */
const recordLifecycle = (
  { deps, projectId, actor, name, now }: ChangeContext,
  verb: 'materialization_enabled' | 'materialization_disabled',
  { id, version }: Pick<AttachedMaterialization, 'id' | 'version'>,
) =>
  recordActivity(deps, now, {
    projectId,
    actor,
    scope: 'DataWarehouseSavedQuery',
    itemId: id,
    verb,
    name: `${name}_v${version}`,
    changes: [],
    version,
  })

/** Columns of a materialization without a build in progress. */
export const NO_BUILD = { building: null, buildPlan: null, buildToken: null, buildUntil: null }

/**
 * Statements for a materialization that continues with other rows or another schedule. They come after the statement that writes the
 * version's freshness.
 */
export function touch(
  db: Database,
  versionId: string,
  how: 'refresh' | 'reschedule' | null,
  now: Date,
): BatchItem<'sqlite'>[] {
  if (how === null) return []
  const rescheduled = sql`CASE WHEN last_materialized_at IS NULL OR building IS NOT NULL THEN next_build_at
    ELSE ${refreshAfter(sql`last_materialized_at`)} END`
  return [
    db
      .update(endpointMaterializations)
      .set(
        how === 'refresh'
          ? { status: 'Modified', nextBuildAt: toStoredTimestamp(now), revision: sql`revision + 1` }
          : { nextBuildAt: rescheduled },
      )
      .where(eq(endpointMaterializations.versionId, versionId)),
  ]
}

/** Builds start this long before the rows become stale, so that runs always find fresh rows. */
const LEAD_SECONDS = 90

/** SQL for the time of the next build; for updates of `endpoint_materializations`. @param builtAt stored timestamp of the rows */
export const refreshAfter = (builtAt: string | SQL) => sql<string>`(SELECT
  strftime('%Y-%m-%dT%H:%M:%f', ${builtAt}, '+' || (v.data_freshness_seconds - ${sql.raw(String(LEAD_SECONDS))}) || ' seconds') || '000Z'
  FROM endpoint_versions v WHERE v.id = endpoint_materializations.version_id)`

/** The delay of the first retry. It doubles with each failure, up to the version's freshness. */
const FIRST_RETRY_SECONDS = 60

export const retrySeconds = (failures: number, freshnessSeconds: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(failures, 20), freshnessSeconds)
