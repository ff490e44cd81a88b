// Reads scheduled changes.
import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type * as z from 'zod'
import { featureFlags, scheduledChanges } from '../../../drizzle'
import { notFound } from '../../errors'
import { page } from '../../http/pagination'
import { userSummarySql } from '../../http/user-summary'
import { bytesOf, isWithinBytes, sortByPlace, withRunningTotal } from '../../storage/byte-page'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'
import type { FlagContext } from '../context'
import type { ScheduledChange, ScheduledChangeQuery } from './schema'

const columns = {
  ...getTableColumns(scheduledChanges),
  createdBy: userSummarySql('scheduled_changes.created_by_id').as('created_by'),
  lastModifiedBy: userSummarySql('scheduled_changes.last_modified_by_id').as('last_modified_by'),
}

export const changeById = (projectId: number, id: number | SQL): SQL =>
  and(eq(scheduledChanges.projectId, projectId), eq(scheduledChanges.id, id))!

/** Selects one scheduled change. */
export const selectChange = (db: Database, projectId: number, id: number | SQL) =>
  db.select(columns).from(scheduledChanges).where(changeById(projectId, id))

export type ScheduledChangeRow = Awaited<ReturnType<typeof selectChange>>[number]

/** Returns a row as the API shows it. */
export const changeFrom = (row: ScheduledChangeRow): z.output<typeof ScheduledChange> => ({
  id: row.id,
  team_id: row.projectId,
  record_id: String(row.flagId),
  model_name: 'FeatureFlag',
  payload: row.payload,
  scheduled_at: toApiTimestamp(row.scheduledAt),
  executed_at: toApiTimestampOrNull(row.executedAt),
  failure_reason: row.failureReason,
  created_at: toApiTimestamp(row.createdAt),
  created_by: row.createdBy,
  updated_at: toApiTimestamp(row.updatedAt),
  last_modified_by: row.lastModifiedBy,
  is_recurring: row.isRecurring,
  recurrence_interval: row.recurrenceInterval,
  last_executed_at: toApiTimestampOrNull(row.lastExecutedAt),
  end_date: toApiTimestampOrNull(row.endDate),
})

/** @throws 404. */
export async function getChange({ deps, project }: FlagContext, id: number) {
  const [row] = await selectChange(deps.db, project.id, id)
  if (!row) throw notFound()
  return changeFrom(row)
}

/** Lists changes, newest first. A page ends early when its rows are large. */
export async function listChanges(
  { deps: { db }, project }: FlagContext,
  { record_id: flagId, limit, offset }: z.output<typeof ScheduledChangeQuery>,
  url: URL,
) {
  const { id, payload, projectId } = scheduledChanges
  const isListed =
    flagId === undefined
      ? eq(projectId, project.id)
      : // The unary plus has SQLite take the index on the flag.
        and(sql`+${projectId} = ${project.id}`, eq(scheduledChanges.flagId, flagId))
  const picked = sql`SELECT ${id} AS id, ${bytesOf(payload)} AS bytes FROM ${scheduledChanges} WHERE ${isListed}
    ORDER BY ${id} DESC LIMIT ${limit} OFFSET ${offset}`
  const [counts, rows] = await db.batch([
    countOf(db, scheduledChanges, isListed),
    db
      .select({ ...columns, place: sql<number>`picked.place`.as('place') })
      .from(scheduledChanges)
      .innerJoin(withRunningTotal(picked), sql`${id} = picked.id AND ${isWithinBytes()}`),
  ])
  return page(url, { limit, offset }, totalIn(counts), sortByPlace(rows).map(changeFrom))
}

/** Returns a change and the key of its flag. @throws 404 */
export async function readWithKey({ deps: { db }, project }: FlagContext, id: number) {
  const [[before], [flag]] = await db.batch([
    selectChange(db, project.id, id),
    db
      .select({ key: featureFlags.key })
      .from(featureFlags)
      .where(
        sql`${featureFlags.id} = (SELECT flag_id FROM ${scheduledChanges} WHERE ${changeById(project.id, id)})`,
      ),
  ])
  if (!before || !flag) throw notFound()
  return { before, key: flag.key }
}
