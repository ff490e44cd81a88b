// Statements that find the flag of a key, and free a key for another flag.
import { and, eq, sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import type { Database } from '../../storage/database'
import type { TombstonePlan } from './key'
import { flagByKey, flagsByIds } from '../read/rows'

/** Selects the flag that has a key, deleted or not, and the objects that refer to it. */
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
    .where(flagByKey(projectId, key))

/**
 * Selects the keys with which a restored flag must not collide: its key before the deletion, alone and with a numeric suffix. There are
 * none unless the key was freed.
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
        // The range is the key itself and keys that start with `<key>-`, because `.` is the character after `-`, and keys contain no
        // character below it.
        sql`${featureFlags.key} >= ${original} AND ${featureFlags.key} < ${original} || '.'`,
      ),
    )
}

/** Maximum ids that one statement looks up. More are found among the live flags of the project, of which there are fewer. */
export const MAX_LOOKED_UP_IDS = 10_000

/** Returns keys of live flags by id, in one statement for any number of ids. */
export async function readKeys(
  db: Database,
  projectId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const isMany = ids.length > MAX_LOOKED_UP_IDS
  const rows = await db
    .select({ id: featureFlags.id, key: featureFlags.key })
    .from(featureFlags)
    .where(
      isMany
        ? and(eq(featureFlags.projectId, projectId), eq(featureFlags.deleted, false))
        : and(flagsByIds(projectId, ids), eq(featureFlags.deleted, false)),
    )
  const live = new Map(rows.map(({ id, key }) => [id, key]))
  const keys = new Map<number, string>()
  for (const id of ids) {
    const key = live.get(id)
    if (key !== undefined) keys.set(id, key)
  }
  return keys
}

/** Frees the key of a deleted flag as planned, unless the flag was restored or renamed since it was read. */
export function clearKey(db: Database, projectId: number, key: string, plan: TombstonePlan) {
  if (plan.kind === 'none') return []
  const holder = and(flagByKey(projectId, key), eq(featureFlags.id, plan.id), eq(featureFlags.deleted, true))
  return plan.kind === 'remove'
    ? [db.delete(featureFlags).where(holder)]
    : [db.update(featureFlags).set({ key: plan.to }).where(holder)]
}
