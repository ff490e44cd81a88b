// Writes a bulk delete, in chunks that can be repeated.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { recordActivities, selectRecorded } from '../../activity/record'
import { bumpGeneration, guardFence } from '../../storage/flags-generation'
import type { Database } from '../../storage/database'
import { belongsTo } from '../../storage/id-predicates'

/** One flag to delete. The id of its activity entry is fixed before the write, which makes it idempotent. */
export interface PlannedDeletion {
  id: number
  key: string
  /** Whether the key is freed, because an experiment refers to the flag. */
  renamed: boolean
  entryId: string
}

export interface Deleter {
  projectId: number
  userId: number | null
  /** The time of the deletion, as a stored timestamp. */
  at: string
}

/**
 * Deletes a chunk of flags with their activity entries, in one batch, and skips flags that are deleted. The last statement returns the
 * generation that the batch begins.
 * @param generation of the plan: the fence fails the batch when that is no longer the current one
 */
export function deleteChunk(
  db: Database,
  { projectId, userId, at }: Deleter,
  generation: number,
  chunk: readonly PlannedDeletion[],
) {
  const flags = sql`json_each(${JSON.stringify(chunk)}) flag`
  const entryId = sql`flag.value ->> 'entryId'`
  const renamed = chunk.filter((each) => each.renamed).map(({ id }) => id)
  return [
    guardFence(db, projectId, generation),
    // Because of CROSS JOIN and the unary plus, SQLite does not walk all flags of the project for every chunk.
    recordActivities(
      db,
      { projectId, userId, scope: 'FeatureFlag', verb: 'deleted', at },
      {
        entryId,
        itemId: sql`flag.value ->> 'id'`,
        name: sql`flag.value ->> 'key'`,
        changes: sql`(SELECT json_group_array(json(change.value)) FROM json_each(json_array(
          iif(flag.value ->> 'renamed', ${change('key', sql`f.key`, sql`f.key || ':deleted:' || f.id`)}, NULL),
          ${change('deleted', sql`json('false')`, sql`json('true')`)},
          ${change('version', sql`f.version`, sql`f.version + 1`)})) change WHERE change.type <> 'null')`,
      },
      sql`${flags} CROSS JOIN feature_flags f ON f.id = flag.value ->> 'id' AND +f.project_id = ${projectId} AND f.deleted = 0
        WHERE true`,
    ),
    db
      .update(featureFlags)
      .set({
        deleted: true,
        version: sql`version + 1`,
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

/** SQL of a change in the log, as JSON. */
const change = (field: string, before: SQL, after: SQL): SQL =>
  sql`json_object('type', 'FeatureFlag', 'action', 'changed', 'field', ${field}, 'before', ${before}, 'after', ${after})`

/** Selects those of these flags that are already deleted with their entries, before a restart or after a timeout. */
export const selectWritten = (db: Database, planned: readonly PlannedDeletion[]) =>
  selectRecorded(
    db,
    planned.map(({ entryId }) => entryId),
  )
