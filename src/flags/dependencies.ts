// Flags that look at each other, as they are stored: where conditions lead, and who looks at a flag.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import type { Database } from '../storage/database'
import { belongsTo, unlessNone } from '../storage/id-predicates'
import type { DependencyTarget } from './filters/dependencies'

/** These flags, and every flag that they lead to, through however many others. */
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
