// Updates tags of many flags in one batch. The database computes the sets: those of 500 flags with 100 tags each would exceed the memory of
// an object as parameters.
import { desc, type SQL, sql } from 'drizzle-orm'
import { featureFlags, flagTags } from '../../../drizzle'
import { recordActivities } from '../../activity/record'
import type { Ids } from '../../clock'
import { invalid } from '../../errors'
import { type Database, guard, isGuardFailure } from '../../storage/database'
import { bumpGenerationIf } from '../../storage/flags-generation'
import { belongsTo } from '../../storage/id-predicates'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import type { TagUpdate, TagUpdateResult } from '../project-calls'
import { cleanTags, MAX_TAGS } from '../../tags'
import { flagTagsOf, MAX_TAG_BYTES } from '../write/labels'

const OWN = sql`SELECT flag_tags.name FROM flag_tags WHERE flag_tags.flag_id = feature_flags.id`

/** SQL of a sorted set of names, as JSON text. */
const sorted = (names: SQL): SQL => sql`(SELECT json_group_array(name ORDER BY name) FROM (${names}))`

/** SQL of the tags of `feature_flags`, as JSON text. */
const TAGS = sorted(OWN)

/**
 * Applies `action` to the tags of every flag.
 * @returns whether the tags of any flag changed, the full set of each flag that the project has, newest flag first, and the ids that it
 * does not have
 * @throws 400, attr `tags`, when there is nothing to add or remove, or a flag would have too many
 */
export async function updateTags(
  deps: { db: Database; ids: Ids },
  { projectId, author, ids, action, tags, ...request }: TagUpdate,
): Promise<TagUpdateResult & { isChanged: boolean }> {
  const names = action === 'remove' ? cleanTags(tags) : flagTagsOf(tags)
  if (names.length === 0 && action !== 'set')
    throw invalid('tags', `tags must not be empty for action '${action}'.`)

  const { db } = deps
  const now = new Date(request.now)
  const flagIds = [...new Set(ids)]
  // Ids and names are separate parameters, because their product, 500 flags with 100 tags each, exceeds a parameter.
  const picks = JSON.stringify(flagIds.map((id) => ({ id, entryId: deps.ids.uuid(now) })))
  const picked = sql`json_each(${picks}) pick
    CROSS JOIN feature_flags ON feature_flags.id = pick.value ->> 'id' AND ${belongsTo(projectId, featureFlags.projectId)}`
  const pickedIds = sql`SELECT feature_flags.id FROM ${picked}`

  const isSent = sql`flag_tags.name IN (SELECT value FROM json_each(${JSON.stringify(names)}))`
  const stays = { add: sql`TRUE`, remove: sql`NOT ${isSent}`, set: isSent }[action]
  const added = sql`json_each(${JSON.stringify(action === 'remove' ? [] : names)}) added`
  const after = sorted(sql`${OWN} AND ${stays} UNION SELECT added.value FROM ${added}`)
  const isChanged = sql`${TAGS} <> ${after}`
  const at = toStoredTimestamp(now)
  const changes = sql`json_array(
    json_object('type', 'FeatureFlag', 'action', 'changed', 'field', 'version',
      'before', feature_flags.version, 'after', feature_flags.version + 1),
    json_object('type', 'FeatureFlag', 'action', 'changed', 'field', 'tags', 'before', json(${TAGS}), 'after', json(${after})))`

  const tooMany = sql`SELECT 1 FROM flag_tags WHERE flag_id IN (${pickedIds}) GROUP BY flag_id
    HAVING count(*) > ${MAX_TAGS} OR sum(octet_length(name)) > ${MAX_TAG_BYTES}`

  const results = await runBatch(db, [
    recordActivities(
      db,
      {
        projectId,
        author,
        scope: 'FeatureFlag',
        verb: 'updated',
        at,
      },
      {
        entryId: sql`pick.value ->> 'entryId'`,
        // The id is text, because SQLite would not use the log's index for a number.
        itemId: sql`CAST(feature_flags.id AS TEXT)`,
        name: sql`iif(feature_flags.name = '', feature_flags.key, feature_flags.name)`,
        changes,
      },
      sql`${picked} WHERE ${isChanged}`,
    ),
    // The generation increases only when a version does, because versions are part of the definitions.
    bumpGenerationIf(db, projectId, sql`EXISTS (SELECT 1 FROM ${picked} WHERE ${isChanged})`),
    // Every change of a record increases its version, against which an update from an earlier version is checked.
    db
      .update(featureFlags)
      .set({ version: sql`version + 1`, updatedAt: at, lastModifiedById: author.userId })
      .where(sql`feature_flags.id IN (${pickedIds} WHERE ${isChanged})`)
      .returning({ id: featureFlags.id }),
    db.delete(flagTags).where(sql`flag_tags.flag_id IN (${pickedIds}) AND NOT (${stays})`),
    db
      .insert(flagTags)
      .select(sql`SELECT feature_flags.id, ${projectId}, added.value FROM ${picked}, ${added} WHERE true`)
      .onConflictDoNothing(),
    ...(action === 'add' ? [guard(db, sql`NOT EXISTS (${tooMany})`)] : []),
    db
      .select({ id: featureFlags.id, tags: sql<string>`${TAGS}`.as('tags') })
      .from(featureFlags)
      .where(sql`feature_flags.id IN (${pickedIds})`)
      .orderBy(desc(featureFlags.createdAt), desc(featureFlags.id)),
  ]).catch((error: unknown) => {
    if (!isGuardFailure(error)) throw error
    throw invalid(
      'tags',
      `Ensure each flag has no more than ${MAX_TAGS} tags, of no more than ${MAX_TAG_BYTES.toLocaleString('en')} bytes together.`,
      'max_length',
    )
  })
  const flags = results.at(-1) as { id: number; tags: string }[]
  const found = new Set(flags.map(({ id }) => id))
  return {
    isChanged: (results[2] as { id: number }[]).length > 0,
    updated: flags.map((flag) => ({ id: flag.id, tags: JSON.parse(flag.tags) as string[] })),
    skipped: flagIds
      .filter((id) => !found.has(id))
      .map((id) => ({ id, reason: 'Not found or no edit access' })),
  }
}
