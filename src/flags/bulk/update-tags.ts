// Tags of many flags at once: one batch reads, one batch writes the sets that really change (reference/flags-api.md §12.3).
import { desc, sql } from 'drizzle-orm'
import { activityLog, featureFlags, flagTags } from '../../../drizzle'
import { userOf } from '../../auth/actor'
import { invalid } from '../../errors'
import { guard } from '../../storage/database'
import { optimistically } from '../../storage/optimistic'
import { runBatch } from '../../storage/run-batch'
import { stored } from '../../timestamps'
import type { FlagContext } from '../context'
import { cleanTags } from '../labels'

type TagAction = 'add' | 'remove' | 'set'

interface Tagged {
  id: number
  /** What the activity entry calls the flag. */
  label: string
  before: string[]
  after: string[]
}

/**
 * Applies `action` to the tags of every flag.
 * @returns the full set of each flag that the project has, and the ids that it has not.
 * Sets that somebody else changes in between are read again, so that no tag is lost.
 * @throws 400, attr `tags`, when there is nothing to add or remove.
 */
export async function updateTags(
  context: FlagContext,
  { ids, action, tags }: { ids: number[]; action: TagAction; tags: string[] },
): Promise<{ updated: { id: number; tags: string[] }[]; skipped: { id: number; reason: string }[] }> {
  const names = cleanTags(tags)
  if (names.length === 0 && action !== 'set')
    throw invalid('tags', `tags must not be empty for action '${action}'.`)

  const flags = await optimistically(async () => {
    const read = await readTags(context, ids, (before) => apply(action, before, names))
    const changed = read.filter(({ before, after }) => before.join('\n') !== after.join('\n'))
    if (changed.length > 0) await writeTags(context, changed)
    return read
  })
  const found = new Set(flags.map(({ id }) => id))
  return {
    updated: flags.map(({ id, after }) => ({ id, tags: after })),
    skipped: [...new Set(ids)]
      .filter((id) => !found.has(id))
      .map((id) => ({ id, reason: 'Not found or no edit access' })),
  }
}

function apply(action: TagAction, before: readonly string[], names: readonly string[]): string[] {
  switch (action) {
    case 'add':
      return cleanTags([...before, ...names])
    case 'remove':
      return before.filter((name) => !names.includes(name))
    case 'set':
      return [...names]
  }
}

const tagsOf = sql`(SELECT json_group_array(t.name ORDER BY t.name) FROM flag_tags t WHERE t.flag_id = feature_flags.id)`

async function readTags(
  { deps, project }: FlagContext,
  ids: number[],
  applied: (before: string[]) => string[],
): Promise<Tagged[]> {
  const rows = await deps.db
    .select({
      id: featureFlags.id,
      key: featureFlags.key,
      name: featureFlags.name,
      tags: sql<string>`${tagsOf}`.as('tags'),
    })
    .from(featureFlags)
    .where(
      sql`+${featureFlags.projectId} = ${project.id}
        AND ${featureFlags.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    )
    .orderBy(desc(featureFlags.createdAt), desc(featureFlags.id))
  return rows.map(({ id, key, name, tags }) => {
    const before = JSON.parse(tags) as string[]
    return { id, label: name || key, before, after: applied(before) }
  })
}

async function writeTags({ deps, actor, project }: FlagContext, changed: Tagged[]): Promise<void> {
  const { db, ids } = deps
  const now = deps.clock.now()
  const entries = changed.map((flag) => ({ ...flag, entryId: ids.uuid(now) }))
  const flags = sql`json_each(${JSON.stringify(entries)}) flag`
  const unchanged = sql`NOT EXISTS (SELECT 1 FROM ${flags} CROSS JOIN feature_flags ON feature_flags.id = flag.value ->> 'id'
    WHERE ${tagsOf} <> json(flag.value -> 'before'))`
  const detail = sql`json_object('changes', json_array(json_object('type', 'FeatureFlag', 'action', 'changed', 'field', 'tags',
      'before', flag.value -> 'before', 'after', flag.value -> 'after')),
    'trigger', NULL, 'type', NULL, 'name', flag.value ->> 'label', 'short_id', NULL)`
  await runBatch(db, [
    guard(db, unchanged),
    db.delete(flagTags).where(sql`${flagTags.flagId} IN (SELECT flag.value ->> 'id' FROM ${flags})`),
    db
      .insert(flagTags)
      .select(
        sql`SELECT flag.value ->> 'id', ${project.id}, tag.value FROM ${flags}, json_each(flag.value, '$.after') tag`,
      ),
    db.insert(activityLog)
      .select(sql`SELECT flag.value ->> 'entryId', ${project.id}, ${userOf(actor)?.id ?? null}, 'updated',
      'FeatureFlag', flag.value ->> 'id', ${detail}, ${stored(now)} FROM ${flags}`),
  ])
}
