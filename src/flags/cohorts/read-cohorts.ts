// Reads cohorts.
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { cohorts } from '../../../drizzle'
import { notFound } from '../../errors'
import { digits, pageQuery, searchTerm } from '../../http/fields'
import { page } from '../../http/pagination'
import { bytesOf, MAX_PAGE_BYTES } from '../../storage/byte-page'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { isAmong } from '../../storage/id-predicates'
import { cohortFrom, type CohortRecord, selectCohortRecords } from './cohort-record'

export const cohortById = (id: number | SQL) => eq(cohorts.id, id)

export const cohortOf = (projectId: number, id: number) =>
  and(eq(cohorts.projectId, projectId), cohortById(id))

/** @throws 404 when the project has no such cohort, or it is deleted. */
export async function getCohort(
  db: Database,
  projectId: number,
  id: number,
): Promise<z.output<typeof CohortRecord>> {
  const isCohort = and(cohortOf(projectId, id), eq(cohorts.deleted, false))
  const [row] = await selectCohortRecords(db, isCohort)
  if (!row) throw notFound()
  return cohortFrom(row)
}

export const CohortQuery = z.object({
  search: searchTerm().optional(),
  type: z.enum(['static', 'dynamic']).optional(),
  created_by_id: digits().optional(),
  ...pageQuery,
})
type CohortQuery = z.output<typeof CohortQuery>

/** Lists a page of cohorts, newest first. @param url of the request, for the links to other pages */
export async function listCohorts(db: Database, projectId: number, query: CohortQuery, url: URL) {
  const { search, type, created_by_id: createdById } = query
  const isListed = and(
    eq(cohorts.projectId, projectId),
    eq(cohorts.deleted, false),
    search ? sql`instr(lower(${cohorts.name}), lower(${search.trim()}))` : undefined,
    type === undefined ? undefined : eq(cohorts.isStatic, type === 'static'),
    createdById === undefined ? undefined : eq(cohorts.createdById, createdById),
  )
  const [counts, picked] = await db.batch([
    countOf(db, cohorts, isListed),
    db
      .select({
        id: cohorts.id,
        bytes: sql<number>`${bytesOf(cohorts.filters, cohorts.description)}`.as('bytes'),
      })
      .from(cohorts)
      .where(isListed)
      .orderBy(desc(cohorts.id))
      .limit(query.limit)
      .offset(query.offset),
  ])
  const ids = withinPage(picked).map(({ id }) => id)
  const rows = await selectCohortRecords(
    db,
    and(eq(cohorts.projectId, projectId), isAmong(ids, cohorts.id)),
  ).orderBy(desc(cohorts.id))
  return page(url, query, totalIn(counts), rows.map(cohortFrom))
}

/** Returns the first rows that fit into a page together, and at least one. */
function withinPage<Row extends { bytes: number }>(rows: readonly Row[]): Row[] {
  let total = 0
  return rows.filter(({ bytes }, place) => {
    total += bytes
    return place === 0 || total <= MAX_PAGE_BYTES
  })
}
