// Selects dependencies and dependents of a flag: other flags, experiments, early-access features.
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { experiments, featureFlags } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { belongsTo, falseIfEmpty } from '../../storage/id-predicates'
import type { DependencyTarget } from '../filters/dependencies'
import { selectPresence } from './rows'

/** SQL of `textsOf` for the filters of a row, as a JSON list. */
const textsSql = (flag: 'feature_flags' | 'f') => {
  const filters = sql.raw(`${flag}.filters`)
  return sql`(SELECT json_group_array(text) FROM (
    SELECT v.value ->> 'key' AS text FROM json_each(${filters}, '$.multivariate.variants') v
    UNION ALL SELECT 'holdout-' || (${filters} ->> '$.holdout.id') WHERE ${filters} ->> '$.holdout.id' IS NOT NULL))`
}

/** Selects these flags, and all flags on which they depend, directly or not. */
export function selectTargets(db: Database, projectId: number, ids: readonly number[]) {
  const roots = JSON.stringify(ids)
  return db
    .select({
      id: featureFlags.id,
      key: featureFlags.key,
      active: featureFlags.active,
      variants: sql<
        string | null
      >`CASE WHEN feature_flags.id IN (SELECT value FROM json_each(${roots})) THEN ${textsSql('feature_flags')} END`.as(
        'variants',
      ),
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
  new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        variants: row.variants === null ? null : (JSON.parse(row.variants) as string[]),
        dependsOn: JSON.parse(row.dependsOn) as number[],
      },
    ]),
  )

/** Selects other active flags that depend on this one, by key. */
export const selectDependents = (db: Database, projectId: number, flagId: number) =>
  db
    .select({ id: featureFlags.id, key: featureFlags.key, name: featureFlags.name })
    .from(featureFlags)
    .where(isDependentOf(projectId, flagId))
    .orderBy(featureFlags.key)

/** SQL condition: the row is another active flag that depends on this one. */
const isDependentOf = (projectId: number, flagId: number) =>
  and(
    belongsTo(projectId, featureFlags.projectId),
    eq(featureFlags.active, true),
    eq(featureFlags.deleted, false),
    inArray(
      featureFlags.id,
      sql`(SELECT d.flag_id FROM flag_dependencies d WHERE d.depends_on_id = ${flagId} AND d.flag_id <> ${flagId})`,
    ),
  )

/** Selects the texts that each active flag expects of this one, by key: a JSON list. */
export const selectExpectedTexts = (db: Database, projectId: number, flagId: number) =>
  db
    .select({
      id: featureFlags.id,
      key: featureFlags.key,
      texts: sql<string>`(SELECT json_group_array(p.value ->> 'value')
        FROM json_each(feature_flags.filters, '$.groups') g, json_each(g.value, '$.properties') p
        WHERE p.value ->> 'type' = 'flag' AND p.value ->> 'key' = ${String(flagId)}
          AND json_type(p.value, '$.value') = 'text')`.as('texts'),
    })
    .from(featureFlags)
    .where(isDependentOf(projectId, flagId))
    .orderBy(featureFlags.key)

/** Returns the other active flags that depend on this one, or null without the flag. */
export async function readDependents(db: Database, projectId: number, flagId: number) {
  const [flags, dependents] = await db.batch([
    selectPresence(db, projectId, flagId),
    selectDependents(db, projectId, flagId),
  ])
  return flags.length > 0 ? dependents : null
}

/** Something that the conditions of a flag name, and that an enabled flag may not depend on. */
export interface UnmetDependency {
  kind: 'disabled flag' | 'deleted flag' | 'deleted cohort' | 'missing variant'
  id: number
  /** The name is blank when its row does not exist. */
  name: string
}

/**
 * SQL of the rows of `UnmetDependency` of a flag as it is stored. The values that its conditions name and those that the other flags have
 * are read once each, and not for each other, because there may be ten thousand of either.
 */
const unmetDependencies = (flagId: number): SQL =>
  sql`SELECT CASE WHEN f.id IS NULL OR f.deleted THEN 'deleted flag' ELSE 'disabled flag' END AS kind,
      d.depends_on_id AS id, coalesce(f.key, '') AS name
    FROM flag_dependencies d LEFT JOIN feature_flags f ON f.id = d.depends_on_id
    WHERE d.flag_id = ${flagId} AND (f.id IS NULL OR f.deleted OR NOT f.active)
    UNION ALL SELECT 'deleted cohort', fc.cohort_id, coalesce(c.name, '')
    FROM flag_cohorts fc LEFT JOIN cohorts c ON c.id = fc.cohort_id
    WHERE fc.flag_id = ${flagId} AND (c.id IS NULL OR c.deleted)
    UNION ALL SELECT 'missing variant', f.id, missing.text || ' of ' || f.key
    FROM (SELECT CAST(p.value ->> 'key' AS INTEGER) AS target, p.value ->> 'value' AS text
      FROM feature_flags own, json_each(own.filters, '$.groups') g, json_each(g.value, '$.properties') p
      WHERE own.id = ${flagId} AND p.value ->> 'type' = 'flag' AND json_type(p.value, '$.value') = 'text'
      EXCEPT SELECT d.depends_on_id, text.value FROM flag_dependencies d JOIN feature_flags f ON f.id = d.depends_on_id,
        json_each(${textsSql('f')}) text WHERE d.flag_id = ${flagId}) missing
    JOIN feature_flags f ON f.id = missing.target AND f.active AND NOT f.deleted`

/** Selects the dependencies because of which a flag, as it is stored, cannot be enabled. */
export const selectUnmetDependencies = (db: Database, flagId: number) =>
  db
    .select({
      kind: sql<UnmetDependency['kind']>`unmet.kind`.as('kind'),
      id: sql<number>`unmet.id`.as('id'),
      name: sql<string>`unmet.name`.as('name'),
    })
    .from(sql`(${unmetDependencies(flagId)}) unmet`)
    .orderBy(sql`unmet.kind DESC, unmet.name, unmet.id`)

/** Selects the experiments of a flag, including deleted ones. */
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
