// Writes the activity log: statements for the batch that makes the change, so that both are committed or neither.
import { type SQL, sql } from 'drizzle-orm'
import { activityLog } from '../../drizzle'
import { type Actor, isImpersonated, userOf } from '../auth/actor'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { toStoredTimestamp } from '../timestamps'
import type { ActivityDetail, ActivityScope, ActivityVerb, Change } from './entry'

/** The `project_id` of entries about an organization. */
export const NO_PROJECT = 0

/** `projectId` may be SQL for a project that gets its id in the same batch. */
export type Activity = ActivityOf & ({ projectId: number | SQL<number> } | { organizationId: string })

/** Who made a change, as an entry has it. */
export interface Author {
  /** Null: the service itself. */
  userId: number | null
  /** Whether staff acted as the user. */
  wasImpersonated: boolean
}

export const authorOf = (actor: Actor): Author => ({
  userId: userOf(actor)?.id ?? null,
  wasImpersonated: isImpersonated(actor),
})

interface ActivityOf {
  /** The actor, or SQL for the id of a user whom the same batch creates. */
  actor: Actor | Author | SQL<number>
  scope: ActivityScope
  /** The id, or SQL for an item that gets its id in the same batch. */
  itemId: string | SQL
  verb: ActivityVerb
  /** The name of the item after the change. */
  name: string
  changes: Change[]
  /** The version of the item. */
  version?: number
  /** The job that makes the change. */
  trigger?: ActivityDetail['trigger']
}

const detailOf = ({
  changes,
  name,
  version,
  trigger = null,
}: Pick<Activity, 'changes' | 'name' | 'version' | 'trigger'>): ActivityDetail => ({
  changes,
  trigger,
  type: null,
  name,
  short_id: null,
  ...(version === undefined ? {} : { context: { version } }),
})

/**
 * Returns SQL of the ordinals of the next entry, each of which is read from the end of an index. A trigger assigns those that an earlier
 * release leaves out.
 */
const lastOrdinals = (projectId: number | SQL, scope: ActivityScope, itemId: string | SQL) => {
  const inScope = sql`FROM activity_log a WHERE a.project_id = ${projectId} AND a.scope = ${scope}`
  return {
    scope: sql<number>`coalesce((SELECT max(a.scope_ordinal) ${inScope}), 0)`,
    item: sql<number>`coalesce((SELECT max(a.item_ordinal) ${inScope} AND a.item_id = ${itemId}), 0)`,
  }
}

const authorColumns = (
  actor: Activity['actor'],
): { userId: number | SQL<number> | null; wasImpersonated: boolean } => {
  if ('kind' in actor) return authorOf(actor)
  return 'userId' in actor ? actor : { userId: actor, wasImpersonated: false }
}

/** Makes the statement that adds an entry. */
export function recordActivity({ db, ids }: { db: Database; ids: Ids }, now: Date, activity: Activity) {
  const { actor, scope, itemId, verb } = activity
  const projectId = 'projectId' in activity ? activity.projectId : NO_PROJECT
  const last = lastOrdinals(projectId, scope, itemId)
  return db.insert(activityLog).values({
    id: ids.uuid(now),
    projectId,
    organizationId: 'organizationId' in activity ? activity.organizationId : null,
    ...authorColumns(actor),
    activity: verb,
    scope,
    itemId,
    detail: detailOf(activity),
    createdAt: toStoredTimestamp(now),
    scopeOrdinal: sql`1 + ${last.scope}`,
    itemOrdinal: sql`1 + ${last.item}`,
  })
}

/** The common values of entries about many items. */
interface Activities {
  projectId: number
  author: Author
  scope: ActivityScope
  verb: ActivityVerb
  /** The time, as a stored timestamp. */
  at: string
}

/** The values of each entry, as SQL over the rows of the changed items. */
interface ActivityOfRow {
  /** The id, which is created beforehand, because SQL cannot create UUIDs. */
  entryId: SQL
  itemId: SQL
  name: SQL
  /** JSON text of the changes. Without it there are no changes. */
  changes?: SQL
}

/**
 * Makes the statement that adds an entry for every row of `rows`, each about another item. `rows` is the part after FROM in a SELECT, and
 * has a WHERE (without one, SQLite takes the ON of an upsert for that of a join).
 */
export function recordActivities(
  db: Database,
  { projectId, author, scope, verb, at }: Activities,
  { entryId, itemId, name, changes }: ActivityOfRow,
  rows: SQL,
) {
  const blank = JSON.stringify(detailOf({ changes: [], name: '' }))
  const detail = sql`json_set(${blank}, '$.name', ${name}${changes ? sql`, '$.changes', json(${changes})` : sql``})`
  const last = lastOrdinals(projectId, scope, itemId)
  // The values are in the order of the table's columns.
  return db.insert(activityLog).select(
    sql`SELECT NULL, ${entryId}, ${projectId}, ${author.userId}, ${verb}, ${scope}, ${itemId}, ${detail}, ${at}, NULL,
        ${last.scope} + row_number() OVER (), 1 + ${last.item}, ${Number(author.wasImpersonated)} FROM ${rows}`,
  )
}
