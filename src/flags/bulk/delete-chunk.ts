// Deleting some flags: the write of a bulk delete, in chunks that can be repeated without a second effect.
import { and, eq, sql } from 'drizzle-orm'
import { activityLog, featureFlags } from '../../../drizzle'
import { type Database, guard } from '../../storage/database'
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
 * over: the entries are written for those only that the update will change. The batch refuses itself when it was written before, and
 * when an active flag outside the chunk looks at a flag in it.
 */
export function deleteChunk(db: Database, { projectId, userId, at }: Deleter, chunk: readonly Doomed[]) {
  const flags = sql`json_each(${JSON.stringify(chunk)}) flag`
  const renamed = chunk.filter((each) => each.renamed).map(({ id }) => id)
  const written = sql`SELECT 1 FROM ${flags} CROSS JOIN activity_log entry ON entry.id = flag.value ->> 'entryId'`
  const held = sql`SELECT 1 FROM ${flags} CROSS JOIN flag_dependencies d ON d.depends_on_id = flag.value ->> 'id'
    CROSS JOIN feature_flags f ON f.id = d.flag_id AND f.active AND NOT f.deleted
    WHERE f.id NOT IN (SELECT flag.value ->> 'id' FROM ${flags})`
  return [
    guard(db, sql`NOT EXISTS (${written}) AND NOT EXISTS (${held})`),
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

/** Of these flags, those that were deleted with their entries: by an earlier life, or by a call that was given up on too early. */
export const selectWritten = (db: Database, doomed: readonly Doomed[]) =>
  db
    .select({ entryId: activityLog.id })
    .from(activityLog)
    .where(
      sql`${activityLog.id} IN (SELECT value FROM json_each(${JSON.stringify(doomed.map(({ entryId }) => entryId))}))`,
    )
