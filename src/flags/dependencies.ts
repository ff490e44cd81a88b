// What a write has to know beyond the flag itself, as statements for one batch.
import { and, type Column, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { cohorts, dashboards, earlyAccessFeatures, experiments, featureFlags, projects } from '../../drizzle'
import type { Database } from '../storage/database'
import type { CohortDefinition } from './filters/cohorts'
import type { DependencyTarget } from './filters/dependencies'
import { cohortIdsOf, dependencyIdsOf, type FlagFilters } from './filters/shape'

/** The ids that `filters` name, as far as they can be read: they are collected before the filters are validated. */
function idsIn(filters: unknown, collect: (filters: FlagFilters) => number[]): number[] {
  try {
    return collect(filters as FlagFilters)
  } catch {
    // Not even the shape is right; validation says so.
    return []
  }
}

/** Without any id to start from SQLite must not even begin: a constant tells it so. */
const unlessNone = (ids: readonly unknown[], condition: SQL): SQL => (ids.length > 0 ? condition : sql`0`)

/** The rows are looked up by id; the unary plus keeps SQLite from walking all of the project's instead. */
const belongsTo = (projectId: number, column: Column): SQL => sql`+${column} = ${projectId}`

/** Every flag that `filters` lead to, through however many others. */
export function selectTargets(db: Database, projectId: number, filters: unknown) {
  const ids = idsIn(filters, dependencyIdsOf)
  const roots = JSON.stringify(ids)
  return db
    .select({
      id: featureFlags.id,
      key: featureFlags.key,
      active: featureFlags.active,
      dependsOn: sql<string>`(SELECT json_group_array(d.depends_on_id) FROM flag_dependencies d
        WHERE d.flag_id = feature_flags.id)`.as('depends_on'),
    })
    .from(featureFlags)
    .where(
      and(
        belongsTo(projectId, featureFlags.projectId),
        eq(featureFlags.deleted, false),
        unlessNone(
          ids,
          sql`${featureFlags.id} IN (WITH RECURSIVE reach(id) AS (SELECT value FROM json_each(${roots})
            UNION SELECT d.depends_on_id FROM flag_dependencies d JOIN reach ON d.flag_id = reach.id) SELECT id FROM reach)`,
        ),
      ),
    )
}

export const targetsById = (rows: Awaited<ReturnType<typeof selectTargets>>): Map<number, DependencyTarget> =>
  new Map(rows.map((row) => [row.id, { ...row, dependsOn: JSON.parse(row.dependsOn) as number[] }]))

/** Every cohort that `filters` lead to, through however many others. */
export function selectCohorts(db: Database, projectId: number, filters: unknown) {
  const ids = idsIn(filters, cohortIdsOf)
  const roots = JSON.stringify(ids)
  return db
    .select({ id: cohorts.id, name: cohorts.name, isStatic: cohorts.isStatic, filters: cohorts.filters })
    .from(cohorts)
    .where(
      and(
        belongsTo(projectId, cohorts.projectId),
        eq(cohorts.deleted, false),
        unlessNone(
          ids,
          sql`${cohorts.id} IN (WITH RECURSIVE reach(id) AS (SELECT value FROM json_each(${roots})
            UNION SELECT leaf.value FROM reach
              JOIN cohorts c ON c.id = reach.id AND c.project_id = ${projectId} AND c.is_static = 0
              JOIN json_tree(c.filters) leaf ON leaf.key = 'value'
              JOIN json_tree(c.filters) kind ON kind.key = 'type' AND kind.value = 'cohort' AND kind.parent = leaf.parent)
            SELECT id FROM reach)`,
        ),
      ),
    )
}

export const cohortsById = (rows: CohortDefinition[]): Map<number, CohortDefinition> =>
  new Map(rows.map((row) => [row.id, row]))

/** Which of these dashboards the project has. */
export const selectDashboards = (db: Database, projectId: number, ids: readonly unknown[]) =>
  db
    .select({ id: dashboards.id })
    .from(dashboards)
    .where(
      and(
        belongsTo(projectId, dashboards.projectId),
        eq(dashboards.deleted, false),
        unlessNone(ids, sql`${dashboards.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
      ),
    )

/** How many live flags the project has. */
export const selectFlagCount = (db: Database, projectId: number) =>
  db.select({ live: projects.liveFlagCount }).from(projects).where(eq(projects.id, projectId))

/** Who holds a key, and what still refers to the holder. */
export const selectKeyHolder = (db: Database, projectId: number, key: string) =>
  db
    .select({
      id: featureFlags.id,
      deleted: featureFlags.deleted,
      experiments:
        sql<string>`(SELECT json_group_array(json_object('id', e.id, 'name', e.name, 'deleted', e.deleted))
        FROM experiments e WHERE e.flag_id = feature_flags.id)`.as('experiments'),
      features: sql<string>`(SELECT json_group_array(json_object('id', f.id, 'name', f.name))
        FROM early_access_features f WHERE f.flag_id = feature_flags.id)`.as('features'),
    })
    .from(featureFlags)
    .where(and(eq(featureFlags.projectId, projectId), eq(featureFlags.key, key)))

/** The experiments of a flag, deleted ones too. */
export const selectExperiments = (db: Database, flagId: number) =>
  db
    .select({
      id: experiments.id,
      name: experiments.name,
      deleted: experiments.deleted,
      running: sql<number>`(start_date IS NOT NULL AND end_date IS NULL AND NOT deleted)`.as('running'),
    })
    .from(experiments)
    .where(eq(experiments.flagId, flagId))
    .orderBy(experiments.id)

/** The early-access features of a flag. */
export const selectFeatures = (db: Database, flagId: number) =>
  db
    .select({ id: earlyAccessFeatures.id, name: earlyAccessFeatures.name })
    .from(earlyAccessFeatures)
    .where(eq(earlyAccessFeatures.flagId, flagId))

/** Other active flags whose conditions look at this one, by key. */
export const selectDependents = (db: Database, projectId: number, flagId: number) =>
  db
    .select({ id: featureFlags.id, key: featureFlags.key, name: featureFlags.name })
    .from(featureFlags)
    .where(
      and(
        belongsTo(projectId, featureFlags.projectId),
        eq(featureFlags.active, true),
        eq(featureFlags.deleted, false),
        inArray(
          featureFlags.id,
          sql`(SELECT d.flag_id FROM flag_dependencies d WHERE d.depends_on_id = ${flagId})`,
        ),
        sql`${featureFlags.id} <> ${flagId}`,
      ),
    )
    .orderBy(featureFlags.key)

/** The flags that a stored flag's conditions look at and that are disabled, by key. */
export const selectDisabledTargets = (db: Database, projectId: number, flagId: number) =>
  db
    .select({ id: featureFlags.id, key: featureFlags.key })
    .from(featureFlags)
    .where(
      and(
        belongsTo(projectId, featureFlags.projectId),
        eq(featureFlags.active, false),
        eq(featureFlags.deleted, false),
        inArray(
          featureFlags.id,
          sql`(SELECT d.depends_on_id FROM flag_dependencies d WHERE d.flag_id = ${flagId})`,
        ),
      ),
    )
    .orderBy(featureFlags.key)

/**
 * The keys that a restored flag must not collide with: the one it had before it was deleted, and that one with a number behind it.
 * Nothing for a flag whose key carries no tombstone.
 */
export const selectSimilarKeys = (db: Database, projectId: number, flagId: number) => {
  const original = sql`(SELECT substr(t.key, 1, instr(t.key, ':deleted:') - 1) FROM feature_flags t
    WHERE t.id = ${flagId} AND t.project_id = ${projectId} AND instr(t.key, ':deleted:') > 0)`
  return db
    .select({ key: featureFlags.key })
    .from(featureFlags)
    .where(
      and(
        eq(featureFlags.projectId, projectId),
        // `.` is the character after `-`, and no key holds one before it: the range is the key itself and what starts with `<key>-`.
        sql`${featureFlags.key} >= ${original} AND ${featureFlags.key} < ${original} || '.'`,
      ),
    )
}
