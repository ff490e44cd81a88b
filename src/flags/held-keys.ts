// Keys that flags hold, deleted ones among them: who holds one, and making room for it.
import { and, eq, sql } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import type { Database } from '../storage/database'
import { belongsTo, isAmong } from '../storage/id-predicates'
import type { TombstoneFate } from './key'
import { flagByKey } from './rows'

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
    .where(flagByKey(projectId, key))

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

/** The keys of those of these flags that are live. */
export const selectKeys = (db: Database, projectId: number, ids: readonly number[]) =>
  db
    .select({ id: featureFlags.id, key: featureFlags.key })
    .from(featureFlags)
    .where(
      and(
        belongsTo(projectId, featureFlags.projectId),
        eq(featureFlags.deleted, false),
        isAmong(ids, featureFlags.id),
      ),
    )

/**
 * The statements that carry out what was decided about a key's holder. They change it only while it is deleted and holds the key: since
 * it was read, it may have been restored or renamed.
 */
export function clearKey(db: Database, projectId: number, key: string, fate: TombstoneFate) {
  if (fate.kind === 'none') return []
  const holder = and(flagByKey(projectId, key), eq(featureFlags.id, fate.id), eq(featureFlags.deleted, true))
  return fate.kind === 'remove'
    ? [db.delete(featureFlags).where(holder)]
    : [db.update(featureFlags).set({ key: fate.to }).where(holder)]
}
