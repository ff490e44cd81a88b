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

/** Flags of the project by key, without the deleted ones. @param ids SQL for a subselect. */
const selectByKey = (db: Database, projectId: number, active: boolean, ids: SQL) =>
  db
    .select({ id: featureFlags.id, key: featureFlags.key, name: featureFlags.name })
    .from(featureFlags)
    .where(
      and(
        belongsTo(projectId, featureFlags.projectId),
        eq(featureFlags.active, active),
        eq(featureFlags.deleted, false),
        inArray(featureFlags.id, ids),
      ),
    )
    .orderBy(featureFlags.key)

/** Other active flags that depend on this one. */
export const selectDependents = (db: Database, projectId: number, flagId: number) =>
  selectByKey(
    db,
    projectId,
    true,
    sql`(SELECT d.flag_id FROM flag_dependencies d WHERE d.depends_on_id = ${flagId} AND d.flag_id <> ${flagId})`,
  )

/** The same; null without the flag. */
export async function readDependents(db: Database, projectId: number, flagId: number) {
  const [flags, dependents] = await db.batch([
    selectPresence(db, projectId, flagId),
    selectDependents(db, projectId, flagId),
  ])
  return flags.length > 0 ? dependents : null
}

/** The disabled flags that a flag depends on. */
export const selectDisabledTargets = (db: Database, projectId: number, flagId: number) =>
  selectByKey(
    db,
    projectId,
    false,
    sql`(SELECT d.depends_on_id FROM flag_dependencies d WHERE d.flag_id = ${flagId})`,
  )

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
