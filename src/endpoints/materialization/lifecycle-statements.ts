// The materializations of an endpoint, and the statements that begin, change and end them: for the batch that writes what asks for it.
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

/** A materialization as far as ending it goes. */
export interface Attached {
  versionId: string
  id: string
  version: number
  generation: number | null
  building: number | null
  hibernatedAt: string | null
}

/** The statement that reads the materializations of an endpoint, those that sleep among them. @param endpoint a condition on `endpoints`. */
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

/** SQL for whether an endpoint has these materializations with these tables still, and no others. */
export const areStillAttached = (endpointId: string, attached: readonly Attached[]): SQL =>
  sql`(SELECT json_group_array(json_array(m.version_id, m.generation, m.building, m.hibernated_at)) FROM (
    SELECT * FROM endpoint_materializations WHERE endpoint_id = ${endpointId} ORDER BY version_id) m) = ${JSON.stringify(
      attached.map(({ versionId, generation, building, hibernatedAt }) => [
        versionId,
        generation,
        building,
        hibernatedAt,
      ]),
    )}`

/** Where a materialization belongs, and who acts. */
export interface Place {
  deps: Pick<Deps, 'db' | 'ids'>
  projectId: number
  actor: Actor
  /** Of the endpoint. */
  name: string
  now: Date
}

/** The statements that attach a materialization to a version, or wake the one that sleeps there. It is due at once. */
export function attach(
  { deps, projectId, actor, name, now }: Place,
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

/** The statements that end a materialization: nothing of it stays. */
export function detach(
  { deps, projectId, actor, name, now }: Place,
  { versionId, version, id, generation, building, hibernatedAt }: Attached,
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

/** The statement that has the tables of a materialization dropped: they are in the shard, where the outbox takes the order. */
export function dropTables(
  deps: Pick<Deps, 'db' | 'ids'>,
  now: Date,
  projectId: number,
  { id, generation, building }: Pick<Attached, 'id' | 'generation' | 'building'>,
): BatchItem<'sqlite'>[] {
  const tables = [generation, building].flatMap((number) =>
    number === null ? [] : tableName({ id, generation: number }),
  )
  return tables.length === 0 ? [] : [addTask(deps, now, projectId, { kind: 'drop_tables', tables }).statement]
}

/** What the rows of a version are called where upstream has a saved query for them. */
export const savedQueryName = (endpoint: string, version: number) => `${endpoint}_v${version}`

/** The statements for a materialization that stays: its rows are made of something else now, or are due at other times. */
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

/** The statement that has rows built again at once. */
const refreshNow = (db: Database, versionId: string, now: Date) =>
  db
    .update(endpointMaterializations)
    .set({ status: 'Modified', nextBuildAt: stored(now), revision: sql`revision + 1` })
    .where(eq(endpointMaterializations.versionId, versionId))

/** The statement that has rows built at the version's freshness, which is another now. Stands behind the one that writes it. */
const reschedule = (db: Database, versionId: string) =>
  db
    .update(endpointMaterializations)
    .set({
      nextBuildAt: sql`CASE WHEN last_materialized_at IS NULL OR building IS NOT NULL THEN next_build_at
        ELSE ${refreshAfter(sql`last_materialized_at`)} END`,
    })
    .where(eq(endpointMaterializations.versionId, versionId))

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
