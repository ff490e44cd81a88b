// Writes the activity log: statements for the batch that makes the change, so that both are committed or neither.
import { is, type Placeholder, SQL, sql } from 'drizzle-orm'
import { activityLog } from '../../drizzle'
import { type Actor, userOf } from '../auth/actor'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { prepareOnce } from '../storage/prepare-once'
import { toStoredTimestamp } from '../timestamps'
import type { ActivityDetail, ActivityScope, ActivityVerb, Change } from './entry'

/** The `project_id` of entries about an organization. */
export const NO_PROJECT = 0

/** `projectId` may be SQL for a project that gets its id in the same batch. */
export type Activity = ActivityOf & ({ projectId: number | SQL<number> } | { organizationId: string })

interface ActivityOf {
  /** The actor, or SQL for the id of a user whom the same batch creates. */
  actor: Actor | SQL<number>
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
const lastOrdinals = (
  projectId: number | SQL | Placeholder,
  scope: ActivityScope | Placeholder,
  itemId: string | SQL | Placeholder,
) => {
  const inScope = sql`FROM activity_log a WHERE a.project_id = ${projectId} AND a.scope = ${scope}`
  return {
    scope: sql<number>`coalesce((SELECT max(a.scope_ordinal) ${inScope}), 0)`,
    item: sql<number>`coalesce((SELECT max(a.item_ordinal) ${inScope} AND a.item_id = ${itemId}), 0)`,
  }
}

const COLUMNS = [
  'id',
  'projectId',
  'organizationId',
  'userId',
  'activity',
  'scope',
  'itemId',
  'detail',
  'createdAt',
] as const

type EntryValues = Record<(typeof COLUMNS)[number] | 'name', unknown>

/**
 * Returns the statement that adds entries whose project, item or user gets its id in the same batch.
 * @param ids SQL of the ids, with placeholders for other columns, or for `name`
 */
export function entriesOf(ids: { projectId?: SQL; itemId?: SQL; userId?: SQL }) {
  const value = Object.fromEntries(COLUMNS.map((name) => [name, sql.placeholder(name)]))
  const last = lastOrdinals(ids.projectId ?? value.projectId!, value.scope!, ids.itemId ?? value.itemId!)
  return prepareOnce<EntryValues, unknown>((db) =>
    db.insert(activityLog).values({
      ...value,
      ...ids,
      scopeOrdinal: sql`1 + ${last.scope}`,
      itemOrdinal: sql`1 + ${last.item}`,
    } as never),
  )
}

const plainEntries = entriesOf({})

/**
 * Makes the statement that adds an entry.
 * @param entries the statement, if it is built once for many entries with an id in SQL
 */
export function recordActivity(
  { db, ids }: { db: Database; ids: Ids },
  now: Date,
  activity: Activity,
  entries?: ReturnType<typeof entriesOf>,
) {
  const { actor, scope, itemId, verb, name } = activity
  const projectId = 'projectId' in activity ? activity.projectId : NO_PROJECT
  const userId = 'kind' in actor ? (userOf(actor)?.id ?? null) : actor
  const inSql = {
    ...(is(projectId, SQL) ? { projectId } : {}),
    ...(typeof itemId === 'string' ? {} : { itemId }),
    ...(is(userId, SQL) ? { userId } : {}),
  }
  const insert = entries ?? (Object.keys(inSql).length > 0 ? entriesOf(inSql) : plainEntries)
  return insert(db, {
    id: ids.uuid(now),
    projectId,
    organizationId: 'organizationId' in activity ? activity.organizationId : null,
    userId,
    activity: verb,
    scope,
    itemId,
    name,
    detail: detailOf(activity),
    createdAt: toStoredTimestamp(now),
  })
}

/** The common values of entries about many items. */
interface Activities {
  projectId: number
  userId: number | null
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
  { projectId, userId, scope, verb, at }: Activities,
  { entryId, itemId, name, changes }: ActivityOfRow,
  rows: SQL,
) {
  const blank = JSON.stringify(detailOf({ changes: [], name: '' }))
  const detail = sql`json_set(${blank}, '$.name', ${name}${changes ? sql`, '$.changes', json(${changes})` : sql``})`
  const last = lastOrdinals(projectId, scope, itemId)
  // The values are in the order of the table's columns.
  return db.insert(activityLog).select(
    sql`SELECT NULL, ${entryId}, ${projectId}, ${userId}, ${verb}, ${scope}, ${itemId}, ${detail}, ${at}, NULL,
        ${last.scope} + row_number() OVER (), 1 + ${last.item} FROM ${rows}`,
  )
}
