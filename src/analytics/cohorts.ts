import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { cohorts } from '../../drizzle'
import { UserSummary, userSummaryFrom, userSummarySql } from '../http/user-summary'
import { notFound } from '../errors'
import { ada } from '../http/docs/examples'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime, digits, pageQuery, searchTerm } from '../http/fields'
import { page } from '../http/pagination'
import { bytesOf, MAX_PAGE_BYTES } from '../storage/byte-page'
import { countOf, totalIn } from '../storage/count'
import type { Database } from '../storage/database'
import { belongsTo, unlessNone } from '../storage/id-predicates'
import { toApiTimestamp, toApiTimestampOrNull } from '../timestamps'

export const CohortRecord = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    deleted: z.boolean(),
    is_static: z.boolean(),
    filters: z.record(z.string(), z.unknown()).nullable(),
    groups: z.array(z.unknown()),
    is_calculating: z.boolean(),
    count: z.int().nullable(),
    errors_calculating: z.int(),
    last_calculation: dateTime().nullable(),
    created_by: UserSummary.nullable(),
    created_at: dateTime(),
  })
  .meta({ id: 'Cohort' })

export const CohortRecordDocs = (): SchemaDocs => ({
  description: 'A set of persons for the conditions of flags and queries.',
  fields: {
    id: 'Id of the cohort. Read-only.',
    name: 'Name of the cohort.',
    description: 'Purpose of the cohort; may be empty.',
    deleted: 'Whether it is deleted: true only in the response to its deletion.',
    is_static: 'True for a list of persons, false for conditions on their properties.',
    filters:
      'Conditions: `properties`, with groups of filters joined by AND and OR. Null for a static cohort.',
    groups: 'Always empty: conditions are in `filters`.',
    is_calculating: 'Whether members are being added in the background.',
    count: 'Number of members; null until they are counted. Only members of static cohorts are counted.',
    errors_calculating: 'Number of failures to add the members. Always 0: failed work is retried.',
    last_calculation: 'Time when the members were determined (ISO 8601, UTC, microseconds); null if not yet.',
    created_by: 'User who created it; null for none. Read-only.',
    created_at: 'Time of creation (ISO 8601, UTC, microseconds). Read-only.',
  },
  example: {
    id: 1,
    name: 'Users with feature flag new-checkout enabled at 2026-04-02 10:00:00',
    description: '',
    deleted: false,
    is_static: true,
    filters: null,
    groups: [],
    is_calculating: false,
    count: 128,
    errors_calculating: 0,
    last_calculation: '2026-04-02T10:00:00.941000Z',
    created_by: ada,
    created_at: '2026-04-02T10:00:00.941000Z',
  },
})

export const selectCohortRecords = (db: Database, where: SQL | undefined) =>
  db
    .select({
      id: cohorts.id,
      name: cohorts.name,
      description: cohorts.description,
      deleted: cohorts.deleted,
      is_static: cohorts.isStatic,
      filters: cohorts.filters,
      is_calculating: cohorts.isCalculating,
      count: cohorts.count,
      errors_calculating: cohorts.errorsCalculating,
      last_calculation: cohorts.lastCalculation,
      created_at: cohorts.createdAt,
      created_by: userSummarySql('cohorts.created_by_id').as('created_by'),
    })
    .from(cohorts)
    .where(where)

type CohortRow = Awaited<ReturnType<typeof selectCohortRecords>>[number]

export const cohortFrom = (row: CohortRow): z.output<typeof CohortRecord> => ({
  ...row,
  groups: [],
  last_calculation: toApiTimestampOrNull(row.last_calculation),
  created_by: userSummaryFrom(row.created_by),
  created_at: toApiTimestamp(row.created_at),
})

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

/** A page of cohorts, newest first. @param url of the request, for the links to other pages. */
export async function listCohorts(db: Database, projectId: number, query: CohortQuery, url: URL) {
  const { search, type, created_by_id: createdById } = query
  const isListed = and(
    eq(cohorts.projectId, projectId),
    eq(cohorts.deleted, false),
    search ? sql`instr(lower(${cohorts.name}), ${search.trim().toLowerCase()})` : undefined,
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
  const ids = JSON.stringify(withinPage(picked).map(({ id }) => id))
  const rows = await selectCohortRecords(
    db,
    and(eq(cohorts.projectId, projectId), sql`${cohorts.id} IN (SELECT value FROM json_each(${ids}))`),
  ).orderBy(desc(cohorts.id))
  return page(url, query, totalIn(counts), rows.map(cohortFrom))
}

/** The first rows that are together within the limit of a page; at least one. */
function withinPage<Row extends { bytes: number }>(rows: readonly Row[]): Row[] {
  let total = 0
  return rows.filter(({ bytes }, place) => {
    total += bytes
    return place === 0 || total <= MAX_PAGE_BYTES
  })
}

/** These cohorts and all cohorts that they reference, transitively. */
export function selectCohortClosure(db: Database, projectId: number, ids: readonly number[]) {
  const roots = JSON.stringify(ids)
  return db
    .select({ id: cohorts.id, name: cohorts.name, isStatic: cohorts.isStatic, filters: cohorts.filters })
    .from(cohorts)
    .where(
      and(
        belongsTo(projectId, cohorts.projectId),
        eq(cohorts.deleted, false),
        unlessNone(
          ids,
          sql`${cohorts.id} IN (WITH RECURSIVE reach(id) AS (SELECT value FROM json_each(${roots})
            UNION SELECT leaf.value FROM reach
              JOIN cohorts c ON c.id = reach.id AND c.project_id = ${projectId} AND c.is_static = 0
              JOIN json_tree(c.filters) leaf ON leaf.key = 'value'
              JOIN json_tree(c.filters) kind ON kind.key = 'type' AND kind.value = 'cohort' AND kind.parent = leaf.parent)
            SELECT id FROM reach)`,
        ),
      ),
    )
}

/** Inserts a cohort; a static one has no members yet. */
export const newCohort = (
  db: Database,
  cohort: Pick<typeof cohorts.$inferInsert, 'projectId' | 'name' | 'createdById' | 'createdAt'> &
    Partial<typeof cohorts.$inferInsert>,
) => db.insert(cohorts).values(cohort)
