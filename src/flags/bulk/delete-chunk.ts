// Deleting some flags: the write of a bulk delete, in chunks that can be repeated without a second effect.
import { and, eq, sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { isAnyRecorded, recordActivities, selectRecorded } from '../../activity/record'
import { bumpGeneration } from '../../storage/flags-generation'
import { type Database, guard } from '../../storage/database'
import { belongsTo } from '../../storage/id-predicates'

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

/**
 * The statements that delete a chunk of flags with their activity entries, for one batch. Flags that are deleted already are passed
 * over: the entries are written for those only that the update will change. The batch refuses itself when it was written before, and
 * when an active flag outside the chunk looks at a flag in it.
 */
export function deleteChunk(db: Database, { projectId, userId, at }: Deleter, chunk: readonly Doomed[]) {
  const flags = sql`json_each(${JSON.stringify(chunk)}) flag`
  const entryId = sql`flag.value ->> 'entryId'`
  const renamed = chunk.filter((each) => each.renamed).map(({ id }) => id)
  const written = isAnyRecorded(entryId, flags)
  const held = sql`SELECT 1 FROM ${flags} CROSS JOIN flag_dependencies d ON d.depends_on_id = flag.value ->> 'id'
    CROSS JOIN feature_flags f ON f.id = d.flag_id AND f.active AND NOT f.deleted
    WHERE f.id NOT IN (SELECT flag.value ->> 'id' FROM ${flags})`
  return [
    guard(db, sql`NOT ${written} AND NOT EXISTS (${held})`),
    // CROSS JOIN and the unary plus keep SQLite from walking all flags of the project for every chunk.
    recordActivities(
      db,
      { projectId, userId, scope: 'FeatureFlag', verb: 'deleted', at },
      {
        entryId,
        itemId: sql`flag.value ->> 'id'`,
        name: sql`flag.value ->> 'key'`,
      },
      sql`${flags} CROSS JOIN feature_flags f ON f.id = flag.value ->> 'id' AND +f.project_id = ${projectId} AND f.deleted = 0
        WHERE true`,
    ),
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
          belongsTo(projectId, featureFlags.projectId),
          eq(featureFlags.deleted, false),
          sql`${featureFlags.id} IN (SELECT flag.value ->> 'id' FROM ${flags})`,
        ),
      ),
    bumpGeneration(db, projectId),
  ]
}

/** Of these flags, those that were deleted with their entries: by an earlier life, or by a call that was given up on too early. */
export const selectWritten = (db: Database, doomed: readonly Doomed[]) =>
  selectRecorded(
    db,
    doomed.map(({ entryId }) => entryId),
  )
