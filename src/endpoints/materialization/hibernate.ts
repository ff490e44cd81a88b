// Hibernates materializations without runs by keys for 30 days: drops their rows. The next run by a key rebuilds them
// (docs/reference/endpoints.md#life-cycle-of-materialized-rows).
import { asc, eq, sql } from 'drizzle-orm'
import { endpointMaterializations, endpoints, endpointVersions } from '../../../drizzle'
import type { Ids } from '../../clock'
import { describeError, type Log } from '../../http/log/request-log'
import { type Database, guard, isGuardFailure } from '../../storage/database'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import {
  attach,
  attachedColumns,
  type AttachedMaterialization,
  NO_BUILD,
  type NewMaterialization,
  recordLifecycle,
} from './lifecycle-statements'
import { sendBuilds } from './build/build-queue'

const DAY_MS = 86_400_000
/** A version is unused after so many days without runs, and since its activation. */
const UNUSED_DAYS = 30
/** Maximum versions that hibernate in a day. */
const MAX_VERSIONS = 500

const SYSTEM = { kind: 'system' as const }

interface HibernateDeps {
  db: Database
  ids: Ids
}

/** Hibernates unused versions, oldest first, and logs failures. Returns the number of versions. */
export async function hibernateUnused(
  { log, ...deps }: HibernateDeps & { log: Log },
  now: Date,
): Promise<number> {
  let count = 0
  for (const unused of await selectUnused(deps.db, now)) {
    try {
      if (await hibernate(deps, unused, now)) count += 1
    } catch (error) {
      const message = `materialization of version ${unused.versionId} was not hibernated`
      log({ level: 'error', message, error: describeError(error) })
    }
  }
  return count
}

/** Selects the unused versions. For a version without a run, the time since its creation or last activation counts. */
const selectUnused = (db: Database, now: Date) => {
  const ago = (days: number) => toStoredTimestamp(new Date(now.getTime() - days * DAY_MS))
  return db
    .select({
      ...attachedColumns,
      endpointId: endpointMaterializations.endpointId,
      projectId: sql<number>`${endpointMaterializations.projectId}`.as('the_project_id'),
      name: endpoints.name,
    })
    .from(endpointMaterializations)
    .innerJoin(endpointVersions, eq(endpointVersions.id, endpointMaterializations.versionId))
    .innerJoin(endpoints, eq(endpoints.id, endpointMaterializations.endpointId))
    .where(
      sql`endpoint_materializations.hibernated_at IS NULL
        AND endpoint_materializations.last_run_at > ${ago(1)}
        AND endpoint_materializations.enabled_at <= ${ago(UNUSED_DAYS)}
        AND CASE WHEN endpoint_versions.last_executed_at IS NOT NULL THEN endpoint_versions.last_executed_at <= ${ago(UNUSED_DAYS)}
          ELSE endpoint_versions.created_at <= ${ago(UNUSED_DAYS)} OR endpoint_versions.version < endpoints.current_version END`,
    )
    .orderBy(asc(endpointMaterializations.versionId))
    .limit(MAX_VERSIONS)
}

type Unused = Awaited<ReturnType<typeof selectUnused>>[number]

/** Returns false when a concurrent change made the guard fail. The version is tried again the next day. */
async function hibernate({ db, ids }: HibernateDeps, unused: Unused, now: Date): Promise<boolean> {
  const { versionId, projectId, name } = unused
  const change = { deps: { db, ids }, projectId, actor: SYSTEM, name, now }
  try {
    await runBatch(db, [
      guard(db, isUnchanged(unused)),
      db
        .update(endpointMaterializations)
        .set({
          hibernatedAt: toStoredTimestamp(now),
          status: null,
          error: '',
          nextBuildAt: null,
          generation: null,
          plan: null,
          rowCount: null,
          lastMaterializedAt: null,
          ...NO_BUILD,
        })
        .where(eq(endpointMaterializations.versionId, versionId)),
      recordLifecycle(change, 'materialization_disabled', unused),
    ])
    return true
  } catch (error) {
    if (isGuardFailure(error)) return false
    throw error
  }
}

const isUnchanged = ({ versionId, hibernatedAt }: AttachedMaterialization) =>
  sql`EXISTS (SELECT 1 FROM endpoint_materializations WHERE version_id = ${versionId} AND hibernated_at IS ${hibernatedAt})`

/** Wakes a version and schedules a build at its freshness. A concurrent second call does nothing. */
export async function wake(
  { db, ids, env }: HibernateDeps & { env: Pick<Env, 'BUILDS'> },
  { projectId, name, ...hibernated }: NewMaterialization & { projectId: number; name: string },
  now: Date,
): Promise<void> {
  const { versionId } = hibernated
  const change = { deps: { db, ids }, projectId, actor: SYSTEM, name, now }
  try {
    await runBatch(db, [
      guard(
        db,
        sql`EXISTS (SELECT 1 FROM endpoint_materializations WHERE version_id = ${versionId} AND hibernated_at IS NOT NULL)`,
      ),
      ...attach(change, hibernated),
    ])
  } catch (error) {
    if (isGuardFailure(error)) return
    throw error
  }
  await sendBuilds(env, [{ projectId, versionId }])
}
