// Dependencies and dependents of a flag: other flags, experiments, early-access features.
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { experiments, featureFlags } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { belongsTo, falseIfEmpty } from '../../storage/id-predicates'
import type { DependencyTarget } from '../filters/dependencies'
import { selectPresence } from './rows'

/** These flags, and all flags that they depend on, directly or not. */
export function selectTargets(db: Database, projectId: number, ids: readonly number[]) {
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
        falseIfEmpty(
          ids,
          sql`${featureFlags.id} IN (WITH RECURSIVE reach(id) AS (SELECT value FROM json_each(${roots})
            UNION SELECT d.depends_on_id FROM flag_dependencies d JOIN reach ON d.flag_id = reach.id) SELECT id FROM reach)`,
        ),
      ),
    )
}

export const targetsById = (rows: Awaited<ReturnType<typeof selectTargets>>): Map<number, DependencyTarget> =>
  new Map(rows.map((row) => [row.id, { ...row, dependsOn: JSON.parse(row.dependsOn) as number[] }]))

/** Other active flags that depend on this one, by key. */
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
          sql`(SELECT d.flag_id FROM flag_dependencies d WHERE d.depends_on_id = ${flagId} AND d.flag_id <> ${flagId})`,
        ),
      ),
    )
    .orderBy(featureFlags.key)

/** The same; null without the flag. */
export async function readDependents(db: Database, projectId: number, flagId: number) {
  const [flags, dependents] = await db.batch([
    selectPresence(db, projectId, flagId),
    selectDependents(db, projectId, flagId),
  ])
  return flags.length > 0 ? dependents : null
}

/** Something that the conditions of a flag name, and that an enabled flag may not depend on. */
export interface UnmetDependency {
  kind: 'disabled flag' | 'deleted flag' | 'deleted cohort'
  id: number
  /** Blank when its row is gone. */
  name: string
}

/** The rows of `UnmetDependency` of a flag as it is stored. @param flagId also a column. */
const unmetDependencies = (flagId: number | SQL): SQL =>
  sql`SELECT CASE WHEN f.id IS NULL OR f.deleted THEN 'deleted flag' ELSE 'disabled flag' END AS kind,
      d.depends_on_id AS id, coalesce(f.key, '') AS name
    FROM flag_dependencies d LEFT JOIN feature_flags f ON f.id = d.depends_on_id
    WHERE d.flag_id = ${flagId} AND (f.id IS NULL OR f.deleted OR NOT f.active)
    UNION ALL SELECT 'deleted cohort', fc.cohort_id, coalesce(c.name, '')
    FROM flag_cohorts fc LEFT JOIN cohorts c ON c.id = fc.cohort_id
    WHERE fc.flag_id = ${flagId} AND (c.id IS NULL OR c.deleted)`

/** What keeps a flag, as it is stored, from being enabled. */
export const selectUnmetDependencies = (db: Database, flagId: number) =>
  db
    .select({
      kind: sql<UnmetDependency['kind']>`unmet.kind`.as('kind'),
      id: sql<number>`unmet.id`.as('id'),
      name: sql<string>`unmet.name`.as('name'),
    })
    .from(sql`(${unmetDependencies(flagId)}) unmet`)
    .orderBy(sql`unmet.kind DESC, unmet.name, unmet.id`)

/** Deleted ones too. */
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
