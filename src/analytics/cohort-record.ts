// A cohort as it is shown.
import { and, eq, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import { cohorts } from '../../drizzle'
import { UserSummary, userSummaryFrom, userSummarySql } from '../http/user-summary'
import { dateTime } from '../http/fields'
import type { Database } from '../storage/database'
import { shown, shownOrNull } from '../timestamps'

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

/** Selects cohorts with what is shown of them. */
export const selectCohortRecords = (db: Database, where: SQL | undefined) =>
  db
    .select({
      id: cohorts.id,
      name: cohorts.name,
      description: cohorts.description,
      deleted: cohorts.deleted,
      isStatic: cohorts.isStatic,
      filters: cohorts.filters,
      isCalculating: cohorts.isCalculating,
      count: cohorts.count,
      errorsCalculating: cohorts.errorsCalculating,
      lastCalculation: cohorts.lastCalculation,
      createdAt: cohorts.createdAt,
      createdBy: userSummarySql('cohorts.created_by_id').as('created_by'),
    })
    .from(cohorts)
    .where(where)

type CohortRow = Awaited<ReturnType<typeof selectCohortRecords>>[number]

export const cohortFrom = (row: CohortRow): z.output<typeof CohortRecord> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  deleted: row.deleted,
  is_static: row.isStatic,
  filters: row.filters,
  groups: [],
  is_calculating: row.isCalculating,
  count: row.count,
  errors_calculating: row.errorsCalculating,
  last_calculation: shownOrNull(row.lastCalculation),
  created_by: userSummaryFrom(row.createdBy),
  created_at: shown(row.createdAt),
})

/** The cohort with this id. */
export const cohortById = (id: number | SQL) => eq(cohorts.id, id)

/** The cohort with this id, unless it is deleted, if the project has it. */
export const liveCohort = (projectId: number, id: number) =>
  and(eq(cohorts.projectId, projectId), cohortById(id), eq(cohorts.deleted, false))
