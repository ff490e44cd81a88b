// Reads the activity log, newest first.
import { and, eq, gte, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type * as z from 'zod'
import { activityLog, users } from '../../drizzle'
import type { Deps } from '../deps'
import { withRunningTotal, bytesOf, sortByPlace, isWithinBytes } from '../storage/byte-page'
import type { Database } from '../storage/database'
import { totalIn } from '../storage/count'
import { belongsTo } from '../storage/id-predicates'
import { toApiTimestamp } from '../timestamps'
import type { ActivityDetail, ActivityEntry, ActivityPage, ActivityScope, ActivityVerb } from './entry'
import { linkToPage } from './page'

export interface ActivitySelection {
  /** The project, or `NO_PROJECT` with `organizationId`. */
  projectId: number
  /** The organization, whose newest `MAX_FILTERED_ENTRIES` entries are selected. */
  organizationId?: string
  scope: ActivityScope
  /** The id of one item. Without it, every item of the scope is selected. */
  itemId?: string
  /** Selects some of the entries. `selectEntries` takes no filter. */
  filter?: ActivityFilter | undefined
}

export interface ActivityFilter {
  /** The id, uuid or address of a user, or `system` for entries of the service itself. */
  user?: string | undefined
  wasImpersonated?: boolean | undefined
  /** Bounds as stored timestamps, both inclusive. */
  from?: string | undefined
  to?: string | undefined
}

/**
 * The most entries of a filtered list, which has the newest. To count them and to skip those of earlier pages reads an index entry for
 * each.
 */
export const MAX_FILTERED_ENTRIES = 10_000

const matching = ({ projectId, scope, itemId }: ActivitySelection) =>
  and(
    eq(activityLog.projectId, projectId),
    eq(activityLog.scope, scope),
    itemId === undefined ? undefined : eq(activityLog.itemId, itemId),
  )

/** Returns SQL of the number of an entry among those of its selection. */
const ordinalIn = ({ itemId }: ActivitySelection) =>
  itemId === undefined ? activityLog.scopeOrdinal : activityLog.itemOrdinal

/** Returns SQL of the oldest or newest ordinal of a selection, which is the end of an index. */
const ordinalAt = (end: 'min' | 'max', selection: ActivitySelection): SQL =>
  sql`(SELECT ${sql.raw(end)}(${ordinalIn(selection)}) FROM ${activityLog} WHERE ${matching(selection)})`

/** Returns SQL of the id of a user, or null for one who does not exist. */
function userIdOf(user: string): SQL {
  if (/^\d+$/.test(user)) return sql`${Number(user)}`
  return sql`(SELECT ${users.id} FROM ${users} WHERE ${user.includes('@') ? users.email : users.uuid} = ${user.toLowerCase()})`
}

/**
 * Returns the end of a statement on the filtered entries of a selection, newest first. An index has those of a user, or of a range of time,
 * in their order. For one item or organization, its newest `MAX_FILTERED_ENTRIES` are searched: `+` keeps SQLite from using the other
 * indexes.
 */
function filtered(
  selection: ActivitySelection,
  { user, wasImpersonated, from, to }: ActivityFilter = {},
): SQL {
  const { itemId, organizationId } = selection
  const isLookedThrough = itemId !== undefined || organizationId !== undefined
  const [by, at] = [activityLog.userId, activityLog.createdAt].map((column) =>
    isLookedThrough ? sql`+${column}` : sql`${column}`,
  ) as [SQL, SQL]
  const conditions = and(
    matching(selection),
    user === undefined ? undefined : user === 'system' ? isNull(by) : eq(by, userIdOf(user)),
    wasImpersonated === undefined ? undefined : eq(activityLog.wasImpersonated, wasImpersonated),
    from === undefined ? undefined : gte(at, from),
    to === undefined ? undefined : lte(at, to),
  )
  // Ordinals count the entries of all organizations; the index of an organization has its entries in the order of the commits.
  if (organizationId !== undefined)
    return sql`FROM (SELECT * FROM activity_log WHERE organization_id = ${organizationId} ORDER BY sequence DESC
      LIMIT ${MAX_FILTERED_ENTRIES}) AS activity_log WHERE ${conditions} ORDER BY sequence DESC`
  return sql`FROM activity_log WHERE ${and(
    conditions,
    itemId === undefined
      ? undefined
      : sql`${ordinalIn(selection)} > ${ordinalAt('max', selection)} - ${MAX_FILTERED_ENTRIES}`,
  )} ORDER BY ${itemId === undefined ? sql`created_at DESC, sequence DESC` : sql`item_ordinal DESC`}`
}

/** Returns whether only the newest `MAX_FILTERED_ENTRIES` are listed. */
const isBounded = ({ filter, organizationId }: ActivitySelection): boolean =>
  filter !== undefined || organizationId !== undefined

/**
 * Makes the statement that counts the entries of a selection, in two rows. Without a filter it only reads the ends of an index, because
 * entries are deleted from the oldest on. With a filter it reads each entry.
 */
const countActivity = ({ db }: Pick<Deps, 'db'>, selection: ActivitySelection) =>
  db
    .select({
      total: isBounded(selection)
        ? sql<number>`(SELECT count(*) FROM (SELECT 1 ${filtered(selection, selection.filter)} LIMIT ${MAX_FILTERED_ENTRIES}))`.as(
            'total',
          )
        : sql<number>`coalesce(1 + ${ordinalAt('max', selection)} - ${ordinalAt('min', selection)}, 0)`.as(
            'total',
          ),
    })
    .from(sql`(SELECT 1)`)

/** The requested page. */
interface Window {
  page: number
  limit: number
}

/** Selects entries with their bytes, newest first. */
const selectSizes = (selection: ActivitySelection, condition: SQL, limit: number): SQL =>
  sql`SELECT activity_log.sequence AS id, ${bytesOf(activityLog.detail)} AS bytes FROM activity_log
    WHERE ${and(matching(selection), condition)} ORDER BY ${ordinalIn(selection)} DESC LIMIT ${limit}`

const entryColumns = {
  id: activityLog.id,
  activity: activityLog.activity,
  scope: activityLog.scope,
  itemId: activityLog.itemId,
  detail: activityLog.detail,
  createdAt: activityLog.createdAt,
  userId: activityLog.userId,
  wasImpersonated: activityLog.wasImpersonated,
  firstName: users.firstName,
  email: users.email,
}

/** Selects the entries of a page, with their bytes. */
function selectPage(selection: ActivitySelection, { page, limit }: Window): SQL {
  const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)
  return isBounded(selection)
    ? sql`SELECT sequence AS id, ${bytesOf(activityLog.detail)} AS bytes ${filtered(selection, selection.filter)}
        LIMIT ${Math.min(limit, MAX_FILTERED_ENTRIES - offset)} OFFSET ${offset}`
    : selectSizes(
        selection,
        sql`${ordinalIn(selection)} <= ${ordinalAt('max', selection)} - ${offset}`,
        limit,
      )
}

/**
 * Makes the statement that reads one page of a selection, as far as it is within MAX_PAGE_BYTES. It costs the same for every page; with a
 * filter, pages begin within `MAX_FILTERED_ENTRIES`.
 */
const selectActivity = ({ db }: Pick<Deps, 'db'>, selection: ActivitySelection, window: Window) =>
  db
    .select({ place: sql<number>`picked.place`.as('place'), ...entryColumns })
    .from(activityLog)
    .innerJoin(
      withRunningTotal(selectPage(selection, window)),
      sql`${activityLog.sequence} = picked.id AND ${isWithinBytes()}`,
    )
    .leftJoin(users, eq(users.id, activityLog.userId))

/** The most bytes of the entries that are read to reconstruct an earlier state. */
export const MAX_LOG_BYTES = 16 * 1024 * 1024

/** The condition on which reading back may stop at an entry, as SQL about `activity_log`. */
export type Stop = SQL

/**
 * Stops at the first entry of a time or before.
 * @param timestamp in the stored form
 */
export const since = (timestamp: string): Stop => sql`activity_log.created_at <= ${timestamp}`

/** Stops at an entry that changed the number of a field, to at most `after` if given. The reader rejects a detail that is no JSON. */
export const changing = (field: string, after?: number): Stop =>
  sql`CASE WHEN json_valid(activity_log.detail) THEN EXISTS (
    SELECT 1 FROM json_each(activity_log.detail, '$.changes') AS change WHERE change.value ->> '$.field' = ${field}
      ${after === undefined ? sql`` : sql`AND (change.value ->> '$.after') <= ${after}`}) ELSE 1 END`

/**
 * Makes the statement that reads entries of an item from the newest back to the first of these verbs at which `stop` holds: what changed,
 * when, and by whom. Older entries cost nothing. It reads at most `limit` entries within `maxBytes`; for the reader, the log ends there.
 * `sortByPlace` sorts them.
 */
export function selectEntriesBack(
  db: Database,
  selection: ActivitySelection & { itemId: string },
  verbs: readonly ActivityVerb[],
  stop: Stop,
  limit: number,
  maxBytes = MAX_LOG_BYTES,
) {
  const isWanted = inArray(activityLog.activity, [...verbs])
  const step = sql`activity_log.sequence, activity_log.item_ordinal, ${isWanted} AS is_wanted, ${isWanted} AND ${stop} AS is_last`
  const bytes = sql`iif(${isWanted}, ${bytesOf(activityLog.detail)}, 0)`
  // Ordinals of an item have no gaps: each step finds one entry in the index.
  const walk = sql`(WITH RECURSIVE walk(sequence, ordinal, is_wanted, is_last, place, total) AS (
      SELECT ${step}, iif(${isWanted}, 1, 0), ${bytes} FROM activity_log
        WHERE ${matching(selection)} AND activity_log.item_ordinal = ${ordinalAt('max', selection)}
      UNION ALL
      SELECT ${step}, walk.place + iif(${isWanted}, 1, 0), walk.total + ${bytes} FROM walk
        CROSS JOIN activity_log ON ${matching(selection)} AND activity_log.item_ordinal = walk.ordinal - 1
        WHERE NOT walk.is_last AND walk.place < ${limit} AND walk.total <= ${maxBytes})
    SELECT * FROM walk WHERE is_wanted) picked`
  return db
    .select({
      place: sql<number>`picked.place`.as('place'),
      activity: sql<string>`activity_log.activity`.as('activity'),
      detail: sql<ActivityDetail>`activity_log.detail`.mapWith(activityLog.detail).as('detail'),
      createdAt: sql<string>`activity_log.created_at`.as('created_at'),
      userId: sql<number | null>`activity_log.user_id`.as('user_id'),
    })
    .from(sql`${walk} CROSS JOIN ${activityLog}`)
    .where(sql`${activityLog.sequence} = picked.sequence AND ${isWithinBytes(maxBytes)}`)
}

type ActivityRow = Awaited<ReturnType<typeof selectActivity>>[number]

/** Converts a row to the form of the API. */
const entryFrom = (row: Omit<ActivityRow, 'place'>): z.output<typeof ActivityEntry> =>
  ({
    id: row.id,
    user:
      row.userId === null
        ? { first_name: 'System', email: null, is_system: true }
        : { first_name: row.firstName ?? '', email: row.email },
    was_impersonated: row.wasImpersonated,
    activity: row.activity,
    scope: row.scope,
    item_id: row.itemId,
    detail: { id: row.itemId, ...row.detail, merge: null },
    created_at: toApiTimestamp(row.createdAt),
  }) as z.output<typeof ActivityEntry>

/** Reads one entry in the form of the API. Returns null when there is none. */
export async function readEntry(
  db: Database,
  projectId: number,
  id: string,
): Promise<z.output<typeof ActivityEntry> | null> {
  const [row] = await db
    .select(entryColumns)
    .from(activityLog)
    .leftJoin(users, eq(users.id, activityLog.userId))
    .where(and(eq(activityLog.id, id), belongsTo(projectId, activityLog.projectId)))
  return row ? entryFrom(row) : null
}

/** Reads a page of a selection. */
export async function readActivityPage(
  deps: Pick<Deps, 'db'>,
  url: URL,
  selection: ActivitySelection,
  window: Window,
): Promise<Page> {
  const [counts, rows] = await deps.db.batch([
    countActivity(deps, selection),
    selectActivity(deps, selection, window),
  ])
  return pageFrom(url, window, totalIn(counts), rows)
}

/** Reads a page of an item's entries. Returns null if `presence`, which selects the item, finds no row. */
export async function readItemPage(
  deps: Pick<Deps, 'db'>,
  url: URL,
  selection: ActivitySelection,
  window: Window,
  presence: BatchItem<'sqlite'>,
): Promise<Page | null> {
  const [found, counts, rows] = await deps.db.batch([
    presence,
    countActivity(deps, selection),
    selectActivity(deps, selection, window),
  ])
  return (found as unknown[]).length > 0 ? pageFrom(url, window, totalIn(counts), rows) : null
}

type Page = z.output<typeof ActivityPage>

/** Returns the page, which is empty past the end. A page that ends early is followed by pages of a smaller limit. */
function pageFrom(url: URL, { page, limit }: Window, total: number, rows: ActivityRow[]): Page {
  const offset = (page - 1) * limit
  const isCut = rows.length > 0 && rows.length < Math.min(limit, total - offset)
  const length = isCut ? largestDivisor(limit, rows.length) : limit
  return {
    results: sortByPlace(rows).slice(0, length).map(entryFrom),
    next: offset + length < total ? linkToPage(url, offset / length + 2, length) : null,
    previous: page > 1 ? linkToPage(url, page - 1, limit) : null,
    total_count: total,
  }
}

/** Returns the largest divisor of `number` that is at most `max`: pages of that length begin at the same rows as pages of `number` rows. */
function largestDivisor(number: number, max: number): number {
  for (let divisor = max; divisor > 1; divisor -= 1) if (number % divisor === 0) return divisor
  return 1
}
