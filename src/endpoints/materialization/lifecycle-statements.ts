// Statements that start, change and end materializations, for the batch of the operation that asks for it.
import { eq, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointMaterializations, endpoints, endpointVersions } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { addTask } from '../../outbox/outbox'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'
import { tableName } from './tables'

export interface AttachedMaterialization {
  versionId: string
  id: string
  version: number
  generation: number | null
  building: number | null
  hibernatedAt: string | null
}

/** Includes hibernated ones. @param endpoint condition on `endpoints` */
export const selectAttached = (db: Database, endpoint: SQL) =>
  db
    .select({
      versionId: endpointMaterializations.versionId,
      id: sql<string>`${endpointMaterializations.id}`.as('materialization_id'),
      version: endpointVersions.version,
      generation: endpointMaterializations.generation,
      building: endpointMaterializations.building,
      hibernatedAt: endpointMaterializations.hibernatedAt,
    })
    .from(endpoints)
    .innerJoin(endpointMaterializations, eq(endpointMaterializations.endpointId, endpoints.id))
    .innerJoin(endpointVersions, eq(endpointVersions.id, endpointMaterializations.versionId))
    .where(endpoint)
    .orderBy(endpointMaterializations.versionId)

/** Write guard: the endpoint still has exactly these materializations and tables. */
export const areAttachmentsUnchanged = (
  endpointId: string,
  attached: readonly AttachedMaterialization[],
): SQL =>
  sql`(SELECT json_group_array(json_array(m.version_id, m.generation, m.building, m.hibernated_at)) FROM (
    SELECT * FROM endpoint_materializations WHERE endpoint_id = ${endpointId} ORDER BY version_id) m) = ${JSON.stringify(
      attached.map(({ versionId, generation, building, hibernatedAt }) => [
        versionId,
        generation,
        building,
        hibernatedAt,
      ]),
    )}`

export interface ChangeContext {
  deps: Pick<Deps, 'db' | 'ids'>
  projectId: number
  actor: Actor
  /** Of the endpoint. */
  name: string
  now: Date
}

/** Attaches a materialization to a version, or wakes the hibernated one. It is due at once. */
export function attach(
  { deps, projectId, actor, name, now }: ChangeContext,
  {
    endpointId,
    versionId,
    version,
    id,
  }: { endpointId: string; versionId: string; version: number; id: string },
): BatchItem<'sqlite'>[] {
  const at = stored(now)
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
    recordActivity(deps, now, {
      projectId,
      actor,
      scope: 'DataWarehouseSavedQuery',
      itemId: id,
      verb: 'materialization_enabled',
      name: savedQueryName(name, version),
      changes: [],
      version,
    }),
  ]
}

export function detach(
  { deps, projectId, actor, name, now }: ChangeContext,
  { versionId, version, id, generation, building, hibernatedAt }: AttachedMaterialization,
): BatchItem<'sqlite'>[] {
  return [
    deps.db.delete(endpointMaterializations).where(eq(endpointMaterializations.versionId, versionId)),
    ...dropTables(deps, now, projectId, { id, generation, building }),
    ...(hibernatedAt === null
      ? [
          recordActivity(deps, now, {
            projectId,
            actor,
            scope: 'DataWarehouseSavedQuery',
            itemId: id,
            verb: 'materialization_disabled',
            name: savedQueryName(name, version),
            changes: [],
            version,
          }),
        ]
      : []),
  ]
}

/** The outbox drops the tables: they are in the shard. */
export function dropTables(
  deps: Pick<Deps, 'db' | 'ids'>,
  now: Date,
  projectId: number,
  { id, generation, building }: Pick<AttachedMaterialization, 'id' | 'generation' | 'building'>,
): BatchItem<'sqlite'>[] {
  const tables = [generation, building].flatMap((number) =>
    number === null ? [] : tableName({ id, generation: number }),
  )
  return tables.length === 0 ? [] : [addTask(deps, now, projectId, { kind: 'drop_tables', tables }).statement]
}

/** Name in the activity log, as of upstream's saved query. */
export const savedQueryName = (endpoint: string, version: number) => `${endpoint}_v${version}`

/** Statements for a materialization that continues with other rows or another schedule. */
export function touch(
  db: Database,
  versionId: string,
  how: 'refresh' | 'reschedule' | null,
  now: Date,
): BatchItem<'sqlite'>[] {
  switch (how) {
    case 'refresh':
      return [refreshNow(db, versionId, now)]
    case 'reschedule':
      return [reschedule(db, versionId)]
    case null:
      return []
  }
}

const refreshNow = (db: Database, versionId: string, now: Date) =>
  db
    .update(endpointMaterializations)
    .set({ status: 'Modified', nextBuildAt: stored(now), revision: sql`revision + 1` })
    .where(eq(endpointMaterializations.versionId, versionId))

/** Follows the statement that writes the version's freshness. */
const reschedule = (db: Database, versionId: string) =>
  db
    .update(endpointMaterializations)
    .set({
      nextBuildAt: sql`CASE WHEN last_materialized_at IS NULL OR building IS NOT NULL THEN next_build_at
        ELSE ${refreshAfter(sql`last_materialized_at`)} END`,
    })
    .where(eq(endpointMaterializations.versionId, versionId))

/** Builds start this early, so that runs always find fresh rows. */
const LEAD_SECONDS = 90

/** SQL for the time of the next build; for updates of `endpoint_materializations`. @param builtAt stored timestamp of the rows */
export const refreshAfter = (moment: string | SQL) => sql<string>`(SELECT
  strftime('%Y-%m-%dT%H:%M:%f', ${moment}, '+' || (v.data_freshness_seconds - ${sql.raw(String(LEAD_SECONDS))}) || ' seconds') || '000Z'
  FROM endpoint_versions v WHERE v.id = endpoint_materializations.version_id)`

/** Delay of the first retry; doubles with each failure, up to the version's freshness. */
const FIRST_RETRY_SECONDS = 60

export const retrySeconds = (failures: number, freshnessSeconds: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(failures, 20), freshnessSeconds)
