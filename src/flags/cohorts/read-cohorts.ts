// Reads cohorts.
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { cohorts } from '../../../drizzle'
import { notFound } from '../../errors'
import { digits, pageQuery, searchTerm } from '../../http/fields'
import { page } from '../../http/pagination'
import { bytesOf, isWithinBytes, withRunningTotal } from '../../storage/byte-page'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
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
  const sizes = sql`SELECT ${cohorts.id} AS id, ${bytesOf(cohorts.filters, cohorts.description)} AS bytes FROM ${cohorts}
    WHERE ${isListed} ORDER BY ${cohorts.id} DESC LIMIT ${query.limit} OFFSET ${query.offset}`
  const [counts, rows] = await db.batch([
    countOf(db, cohorts, isListed),
    selectCohortRecords(db, undefined)
      .innerJoin(withRunningTotal(sizes), sql`${cohorts.id} = picked.id AND ${isWithinBytes()}`)
      .orderBy(desc(cohorts.id)),
  ])
  return page(url, query, totalIn(counts), rows.map(cohortFrom))
}
