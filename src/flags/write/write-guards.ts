// SQL conditions that fail a write when its facts have changed since they were read. It is then planned again.
import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { featureFlags, projects } from '../../../drizzle'
import { guard, isGuardFailure, isUniqueViolation } from '../../storage/database'
import { prepareOnce } from '../../storage/prepare-once'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import type { FlagRow } from '../read/rows'

/** Repeats a write while its facts change: the flag, flags it depends on, the flag limit, or the key, which another flag may get. */
export const retryFlagWrite = <T>(planAndWrite: () => Promise<T>): Promise<T> =>
  retryOnConflict(planAndWrite, (error) => isGuardFailure(error) || isUniqueViolation(error))

type Identity = Pick<FlagRow, 'id' | 'version' | 'updated_at' | 'deleted' | 'key' | 'usage_dashboard_id'>

type Valued<Row> = { [Column in keyof Row]: Row[Column] | Placeholder }

/**
 * The flag is as it was read. A bulk delete, reuse of a deleted flag's key, and a new dashboard leave the version unchanged; a restored
 * database may have another flag under the same version.
 */
export const isUnchanged = ({
  id,
  version,
  updated_at: updatedAt,
  deleted,
  key,
  usage_dashboard_id: dashboardId,
}: Valued<Identity>): SQL =>
  sql`EXISTS (SELECT 1 FROM ${featureFlags} WHERE ${and(
    eq(featureFlags.id, id),
    eq(featureFlags.version, version),
    eq(featureFlags.updatedAt, updatedAt),
    eq(featureFlags.deleted, deleted),
    eq(featureFlags.key, key),
    sql`${featureFlags.usageDashboardId} IS ${dashboardId}`,
  )})`

const each = (ids: readonly number[]) => sql`json_each(${JSON.stringify(ids)})`

/** The flags that new filters depend on exist and are enabled. */
export const areLive = (flagIds: readonly number[]): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${each(flagIds)} target
    LEFT JOIN feature_flags f ON f.id = target.value AND f.active AND NOT f.deleted WHERE f.id IS NULL)`

/** The cohorts that new filters name exist. */
export const areExisting = (cohortIds: readonly number[]): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${each(cohortIds)} named
    LEFT JOIN cohorts c ON c.id = named.value AND NOT c.deleted WHERE c.id IS NULL)`

/** None of the flags that new filters depend on leads back to flag `id`. */
export const haveNoCycleTo = (id: number, flagIds: readonly number[]): SQL =>
  sql`${id} NOT IN (WITH RECURSIVE reach(id) AS (SELECT value FROM ${each(flagIds)}
    UNION SELECT d.depends_on_id FROM flag_dependencies d JOIN reach ON d.flag_id = reach.id) SELECT id FROM reach)`

/** No other active flag depends on this one. */
export const hasNoActiveDependent = (id: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM flag_dependencies d JOIN feature_flags f ON f.id = d.flag_id
    WHERE d.depends_on_id = ${id} AND f.id <> ${id} AND f.active AND NOT f.deleted)`

/** The number of live flags, which triggers maintain. */
export const selectFlagCount = prepareOnce<{ projectId: number }, { live: number }[]>((db) =>
  db
    .select({ live: projects.liveFlagCount })
    .from(projects)
    .where(eq(projects.id, sql.placeholder('projectId'))),
)

/** The project has fewer than `max` live flags. */
export const isBelowFlagLimit = (projectId: number | Placeholder, max: number | Placeholder): SQL =>
  sql`EXISTS (SELECT 1 FROM ${projects} WHERE ${and(eq(projects.id, projectId), sql`live_flag_count < ${max}`)})`

/** The statement that fails the batch unless the flag is as it was read. */
export const guardUnchanged = prepareOnce<Identity, unknown>((db) =>
  guard(
    db,
    isUnchanged({
      id: sql.placeholder('id'),
      version: sql.placeholder('version'),
      updated_at: sql.placeholder('updated_at'),
      deleted: sql.placeholder('deleted'),
      key: sql.placeholder('key'),
      usage_dashboard_id: sql.placeholder('usage_dashboard_id'),
    }),
  ),
)

/** The statement that fails the batch unless the project has fewer than `max` live flags. */
export const guardFlagLimit = prepareOnce<{ projectId: number; max: number }, unknown>((db) =>
  guard(db, isBelowFlagLimit(sql.placeholder('projectId'), sql.placeholder('max'))),
)
