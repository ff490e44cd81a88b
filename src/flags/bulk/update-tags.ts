// Tags of many flags at once, in one batch: the database works out every set, so no tag of a concurrent caller is lost
// (reference/flags-api.md §12.3).
import { desc, type SQL, sql } from 'drizzle-orm'
import { activityLog, featureFlags, flagTags } from '../../../drizzle'
import { userOf } from '../../auth/actor'
import { invalid } from '../../errors'
import { runBatch } from '../../storage/run-batch'
import { stored } from '../../timestamps'
import type { FlagContext } from '../context'
import { cleanTags } from '../labels'

type TagAction = 'add' | 'remove' | 'set'

/**
 * Applies `action` to the tags of every flag.
 * @returns the full set of each flag that the project has, newest flag first, and the ids that it has not.
 * @throws 400, attr `tags`, when there is nothing to add or remove.
 */
export async function updateTags(
  { deps, actor, project }: FlagContext,
  { ids, action, tags }: { ids: number[]; action: TagAction; tags: string[] },
): Promise<{ updated: { id: number; tags: string[] }[]; skipped: { id: number; reason: string }[] }> {
  const names = cleanTags(tags)
  if (names.length === 0 && action !== 'set')
    throw invalid('tags', `tags must not be empty for action '${action}'.`)

  const { db } = deps
  const now = deps.clock.now()
  const wanted = [...new Set(ids)]
  // Ids and names travel once: what they come to together, 500 flags with 100 tags each, is more than a parameter holds.
  const picks = JSON.stringify(wanted.map((id) => ({ id, entryId: deps.ids.uuid(now) })))
  // CROSS JOIN and the unary plus: ids are the way in, not a walk through the project.
  const picked = sql`json_each(${picks}) pick
    CROSS JOIN feature_flags ON feature_flags.id = pick.value ->> 'id' AND +feature_flags.project_id = ${project.id}`
  const given = sql`json_each(${JSON.stringify(names)}) given`
  const after = tagsAfter(action, given)
  const detail = sql`json_object('changes', json_array(json_object('type', 'FeatureFlag', 'action', 'changed', 'field', 'tags',
      'before', json(${TAGS}), 'after', json(${after}))),
    'trigger', NULL, 'type', NULL, 'name', iif(feature_flags.name = '', feature_flags.key, feature_flags.name), 'short_id', NULL)`

  const results = await runBatch(db, [
    db.insert(activityLog)
      .select(sql`SELECT pick.value ->> 'entryId', ${project.id}, ${userOf(actor)?.id ?? null}, 'updated',
      'FeatureFlag', feature_flags.id, ${detail}, ${stored(now)} FROM ${picked} WHERE ${TAGS} <> ${after}`),
    ...(action === 'add'
      ? []
      : [
          db.delete(flagTags).where(sql`${flagTags.flagId} IN (SELECT feature_flags.id FROM ${picked})
      AND ${leaves(action, given)}`),
        ]),
    ...(action === 'remove'
      ? []
      : [
          db
            .insert(flagTags)
            .select(
              sql`SELECT feature_flags.id, ${project.id}, given.value FROM ${picked}, ${given} WHERE true`,
            )
            .onConflictDoNothing(),
        ]),
    db
      .select({ id: featureFlags.id, tags: sql<string>`${TAGS}`.as('tags') })
      .from(featureFlags)
      .where(sql`feature_flags.id IN (SELECT feature_flags.id FROM ${picked})`)
      .orderBy(desc(featureFlags.createdAt), desc(featureFlags.id)),
  ])
  const flags = results.at(-1) as { id: number; tags: string }[]
  const found = new Set(flags.map(({ id }) => id))
  return {
    updated: flags.map((flag) => ({ id: flag.id, tags: JSON.parse(flag.tags) as string[] })),
    skipped: wanted
      .filter((id) => !found.has(id))
      .map((id) => ({ id, reason: 'Not found or no edit access' })),
  }
}

const TAGS = sql`(SELECT json_group_array(t.name ORDER BY t.name) FROM flag_tags t WHERE t.flag_id = feature_flags.id)`

/** The sorted set that a flag will have. */
function tagsAfter(action: TagAction, given: SQL): SQL {
  switch (action) {
    case 'add':
      return sql`(SELECT json_group_array(name ORDER BY name) FROM
        (SELECT t.name FROM flag_tags t WHERE t.flag_id = feature_flags.id UNION SELECT given.value FROM ${given}))`
    case 'remove':
      return sql`(SELECT json_group_array(t.name ORDER BY t.name) FROM flag_tags t
        WHERE t.flag_id = feature_flags.id AND t.name NOT IN (SELECT given.value FROM ${given}))`
    case 'set':
      return sql`(SELECT json_group_array(given.value ORDER BY given.value) FROM ${given})`
  }
}

/** Whether a tag goes. */
const leaves = (action: 'remove' | 'set', given: SQL): SQL =>
  sql`${flagTags.name} ${sql.raw(action === 'remove' ? 'IN' : 'NOT IN')} (SELECT given.value FROM ${given})`
