// Reading the activity log, newest first.
import { and, desc, eq, inArray } from 'drizzle-orm'
import type * as z from 'zod'
import { activityLog, users } from '../../drizzle'
import type { Deps } from '../deps'
import { countOf } from '../storage/count'
import type { Database } from '../storage/database'
import { shown } from '../timestamps'
import type { ActivityEntry, ActivityPage, ActivityScope, ActivityVerb } from './entry'
import { linkToPage } from './page'

export interface ActivitySelection {
  projectId: number
  scope: ActivityScope
  /** One item; without it every item of the scope. */
  itemId?: string
}

const matching = ({ projectId, scope, itemId }: ActivitySelection) =>
  and(
    eq(activityLog.projectId, projectId),
    eq(activityLog.scope, scope),
    itemId === undefined ? undefined : eq(activityLog.itemId, itemId),
  )

/** The statement that counts the entries of a selection. */
export const countActivity = ({ db }: Pick<Deps, 'db'>, selection: ActivitySelection) =>
  countOf(db, activityLog, matching(selection))

/** The statement that reads one page of a selection. */
export const selectActivity = (
  { db }: Pick<Deps, 'db'>,
  selection: ActivitySelection,
  { page, limit }: { page: number; limit: number },
) =>
  db
    .select({
      id: activityLog.id,
      activity: activityLog.activity,
      scope: activityLog.scope,
      itemId: activityLog.itemId,
      detail: activityLog.detail,
      createdAt: activityLog.createdAt,
      userId: activityLog.userId,
      firstName: users.firstName,
      email: users.email,
    })
    .from(activityLog)
    .leftJoin(users, eq(users.id, activityLog.userId))
    .where(matching(selection))
    .orderBy(desc(activityLog.createdAt), desc(activityLog.id))
    .limit(limit)
    .offset(Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER))

/** The statement that reads the last entries of a selection with one of these verbs: what changed, when, by whom. */
export const selectEntries = (
  db: Database,
  selection: ActivitySelection,
  verbs: ActivityVerb[],
  limit: number,
) =>
  db
    .select({
      activity: activityLog.activity,
      detail: activityLog.detail,
      createdAt: activityLog.createdAt,
      userId: activityLog.userId,
    })
    .from(activityLog)
    .where(and(matching(selection), inArray(activityLog.activity, verbs)))
    .orderBy(desc(activityLog.createdAt), desc(activityLog.id))
    .limit(limit)

type ActivityRow = Awaited<ReturnType<typeof selectActivity>>[number]

/** A row as it is shown. */
const entryFrom = (row: ActivityRow): z.output<typeof ActivityEntry> =>
  ({
    id: row.id,
    user:
      row.userId === null
        ? { first_name: 'System', email: null, is_system: true }
        : { first_name: row.firstName ?? '', email: row.email },
    activity: row.activity,
    scope: row.scope,
    item_id: row.itemId,
    detail: row.detail,
    created_at: shown(row.createdAt),
  }) as z.output<typeof ActivityEntry>

/** A page as it is shown. Past the end it is empty. */
export function activityPage(
  url: URL,
  { page, limit }: { page: number; limit: number },
  total: number,
  rows: ActivityRow[],
): z.output<typeof ActivityPage> {
  return {
    results: rows.map(entryFrom),
    next: page * limit < total ? linkToPage(url, page + 1, limit) : null,
    previous: page > 1 ? linkToPage(url, page - 1, limit) : null,
    total_count: total,
  }
}
