// Deletes many flags in one batch.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { recordActivities } from '../../activity/record'
import type { Ids } from '../../clock'
import type { Database } from '../../storage/database'
import { bumpGeneration, guardFence } from '../../storage/flags-generation'
import { belongsTo } from '../../storage/id-predicates'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import type { BulkDeleteRequest, BulkDeleteResult } from '../project-calls'
import { type PlannedDeletion, planDeletion } from './plan-delete'
import { readTargets } from './targets'

/**
 * Deletes the selected flags that nothing holds, all or none of them. The number of statements is constant, and
 * `MAX_FLAGS_PER_PROJECT` bounds the rows.
 * @throws 503 after too many conflicts with other writers
 */
export function deleteFlags(
  deps: { db: Database; ids: Ids },
  request: BulkDeleteRequest,
): Promise<BulkDeleteResult> {
  const { projectId, selection, membershipLevel } = request
  return retryOnConflict(async () => {
    const targets = await readTargets(deps.db, projectId, selection, new Date(request.now))
    const { planned, ...result } = planDeletion(selection, targets, membershipLevel)
    if (planned.length > 0) await runBatch(deps.db, statementsOf(deps, request, targets.generation, planned))
    return result
  })
}

/** @param generation of the plan: the fence fails the batch when that is no longer the current one */
function statementsOf(
  { db, ids }: { db: Database; ids: Ids },
  { projectId, author, now }: BulkDeleteRequest,
  generation: number,
  planned: readonly PlannedDeletion[],
) {
  const date = new Date(now)
  const at = toStoredTimestamp(date)
  const flags = sql`json_each(${JSON.stringify(planned.map((each) => ({ ...each, entryId: ids.uuid(date) })))}) flag`
  const renamed = planned.filter((each) => each.renamed).map(({ id }) => id)
  return [
    guardFence(db, projectId, generation),
    // Because of CROSS JOIN and the unary plus, SQLite does not walk all flags of the project.
    recordActivities(
      db,
      { projectId, author, scope: 'FeatureFlag', verb: 'deleted', at },
      {
        entryId: sql`flag.value ->> 'entryId'`,
        itemId: sql`flag.value ->> 'id'`,
        name: sql`f.key`,
        changes: sql`(SELECT json_group_array(json(change.value)) FROM json_each(json_array(
          iif(flag.value ->> 'renamed', ${change('key', sql`f.key`, sql`f.key || ':deleted:' || f.id`)}, NULL),
          ${change('deleted', sql`json('false')`, sql`json('true')`)},
          ${change('version', sql`f.version`, sql`f.version + 1`)})) change WHERE change.type <> 'null')`,
      },
      sql`${flags} CROSS JOIN feature_flags f ON f.id = flag.value ->> 'id' AND +f.project_id = ${projectId} WHERE true`,
    ),
    db
      .update(featureFlags)
      .set({
        deleted: true,
        version: sql`version + 1`,
        lastModifiedById: author.userId,
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
