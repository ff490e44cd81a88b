// The list as it is read most: the newest flags of a project, by one statement that reads each row once. A page past the end takes another one.
import { and, desc, eq, sql } from 'drizzle-orm'
import { featureFlags, projects } from '../../../drizzle'
import { bytesOf, MAX_PAGE_BYTES } from '../../storage/byte-page'
import { totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { packRow } from '../../storage/packed-row'
import { prepareOnce } from '../../storage/prepare-once'
import { flagColumns, type FlagRow, linkedColumns } from './rows'

/** What is linked to a flag that is read here, of each kind. */
const MAX_LINKED = 32

/** Bytes of the large columns of a flag that is read here. As JSON text they are at most six times as long; D1 limits a text to 2 MB. */
const MAX_FLAG_BYTES = 256 * 1024

/** Flags of a project that are not deleted: archived ones or others. */
interface Which {
  projectId: number
  archived: boolean
}

interface NewestFlags extends Which {
  limit: number
  offset: number
}

const given = (name: keyof NewestFlags | 'maxBytes') => sql.placeholder(name)

/** How many flags there are, as triggers count them. */
const total = sql<number>`(SELECT CASE WHEN ${given('archived')} THEN ${projects}.archived_flag_count
  ELSE ${projects}.live_flag_count - ${projects}.archived_flag_count END FROM ${projects} WHERE ${projects}.id = ${given('projectId')})`

const linked = linkedColumns(MAX_LINKED + 1)
const LINKED = Object.keys(linked) as (keyof typeof linked)[]

const flag = packRow(
  sql`${bytesOf(featureFlags.filters, featureFlags.name, featureFlags.rollbackConditions)} <= ${given('maxBytes')}`,
  {
    ...flagColumns,
    ...linked,
    // Not by the flag's project: a row of the project for all flags.
    used_in_replay: sql<number>`(SELECT p.session_recording_linked_flag_id FROM projects p
      WHERE p.id = ${given('projectId')}) IS feature_flags.id`,
  },
)

const selectNewestFlags = prepareOnce<
  NewestFlags & { maxBytes: number },
  { row: FlagRow | null; total: number }[]
>((db) =>
  db
    .select({ row: flag.as('row'), total: total.as('total') })
    .from(featureFlags)
    .where(
      and(
        eq(featureFlags.projectId, given('projectId')),
        eq(featureFlags.deleted, false),
        eq(featureFlags.archived, given('archived')),
      ),
    )
    .orderBy(desc(featureFlags.createdAt), desc(featureFlags.id))
    .limit(given('limit'))
    .offset(given('offset')),
)

/** Selects how many flags there are. */
export const selectStoredCount = prepareOnce<Which, { total: number }[]>((db) =>
  db.select({ total: total.as('total') }).from(sql`(SELECT 1)`),
)

/** Whether all that is linked to a flag has been read. */
const isWhole = (row: FlagRow): boolean => LINKED.every((kind) => Object.keys(row[kind]).length <= MAX_LINKED)

/** @returns how many flags there are, and those of the page; null when one of them is too large to be read here. */
export async function readNewestFlags(
  db: Database,
  page: NewestFlags,
): Promise<{ total: number; rows: FlagRow[] | null }> {
  const maxBytes = Math.min(MAX_FLAG_BYTES, Math.floor(MAX_PAGE_BYTES / page.limit))
  const found = await selectNewestFlags(db, { ...page, maxBytes })
  const rows = found.flatMap(({ row }) => (row && isWhole(row) ? [row] : []))
  const isPastEnd = found.length === 0 && page.offset > 0
  const counts = isPastEnd ? await selectStoredCount(db, page) : found
  return { total: totalIn(counts), rows: rows.length === found.length ? rows : null }
}
