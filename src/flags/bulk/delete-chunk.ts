// Deleting some flags: the write of a bulk delete, in chunks that can be repeated without a second effect.
import { and, eq, sql } from 'drizzle-orm'
import { activityLog, featureFlags } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { bumpGeneration } from '../../snapshots/generation'

/** One flag to delete. The id of its activity entry is settled beforehand, so that repeating the write adds none. */
export interface Doomed {
  id: number
  key: string
  /** Frees the key: an experiment refers to the flag. */
  renamed: boolean
  entryId: string
}

export interface Deleter {
  projectId: number
  userId: number | null
  /** Stored timestamp. */
  at: string
}

const DETAIL = sql`json_object('changes', json('[]'), 'trigger', NULL, 'type', NULL, 'name', flag.value ->> 'key', 'short_id', NULL)`

/**
 * The statements that delete a chunk of flags with their activity entries, for one batch. Flags that are deleted already are passed
 * over: the entries are written for those only that the update will change.
 */
export function deleteChunk(db: Database, { projectId, userId, at }: Deleter, chunk: readonly Doomed[]) {
  const flags = sql`json_each(${JSON.stringify(chunk)}) flag`
  const renamed = chunk.filter((each) => each.renamed).map(({ id }) => id)
  return [
    // CROSS JOIN and the unary plus keep SQLite from walking all flags of the project for every chunk.
    db.insert(activityLog)
      .select(sql`SELECT flag.value ->> 'entryId', ${projectId}, ${userId}, 'deleted', 'FeatureFlag',
      flag.value ->> 'id', ${DETAIL}, ${at}
      FROM ${flags} CROSS JOIN feature_flags f ON f.id = flag.value ->> 'id' AND +f.project_id = ${projectId} AND f.deleted = 0
      WHERE true`),
    db
      .update(featureFlags)
      .set({
        deleted: true,
        lastModifiedById: userId,
        updatedAt: at,
        key: sql`iif(id IN (SELECT value FROM json_each(${JSON.stringify(renamed)})), key || ':deleted:' || id, key)`,
      })
      .where(
        and(
          sql`+${featureFlags.projectId} = ${projectId}`,
          eq(featureFlags.deleted, false),
          sql`${featureFlags.id} IN (SELECT flag.value ->> 'id' FROM ${flags})`,
        ),
      ),
    bumpGeneration(db, projectId),
  ]
}
