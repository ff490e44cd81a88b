// Writing the activity log: a statement for the batch that makes the change, so that both are committed or neither.
import type { SQL } from 'drizzle-orm'
import { activityLog } from '../../drizzle'
import { type Actor, userOf } from '../auth/actor'
import type { Deps } from '../deps'
import { stored } from '../timestamps'
import type { ActivityScope, ActivityVerb, Change } from './entry'

export interface Activity {
  projectId: number
  actor: Actor
  scope: ActivityScope
  /** SQL for an item that gets its id in the same batch. */
  itemId: string | SQL
  verb: ActivityVerb
  /** What the item is called after the change. */
  name: string
  changes: Change[]
  /** Which version of the item it is about. */
  version?: number
}

/** The statement that adds an entry. */
export function recordActivity(
  { db, ids }: Pick<Deps, 'db' | 'ids'>,
  now: Date,
  { projectId, actor, scope, itemId, verb, name, changes, version }: Activity,
) {
  return db.insert(activityLog).values({
    id: ids.uuid(now),
    projectId,
    userId: userOf(actor)?.id ?? null,
    activity: verb,
    scope,
    itemId: itemId as string,
    detail: {
      changes,
      trigger: null,
      type: null,
      name,
      short_id: null,
      ...(version === undefined ? {} : { context: { version } }),
    },
    createdAt: stored(now),
  })
}
