// A cohort as the API shows it.
import { type SQL } from 'drizzle-orm'
import * as z from 'zod'
import { cohorts } from '../../../drizzle'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import { UserSummary, userSummarySql } from '../../http/user-summary'
import type { Database } from '../../storage/database'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'

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
    unknown_ids: z.array(z.string()).optional(),
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
    errors_calculating:
      'Number of persons who could not be evaluated when the cohort was made from a flag, and are not in it; one more when the flag ' +
      'changed before all were evaluated, which ends the work.',
    last_calculation: 'Time when the members were determined (ISO 8601, UTC, microseconds); null if not yet.',
    created_by: 'User who created it; null for none. Read-only.',
    created_at: 'Time of creation (ISO 8601, UTC, microseconds). Read-only.',
    unknown_ids:
      'Ids that the request lists and no person has, so that they are not added. Absent in the response to any other request.',
  },
  example: {
    id: 1,
    name: 'Users with feature flag new-checkout enabled at 2026-04-02 10:00:00',
    description: '',
    is_static: true,
    count: 128,
    errors_calculating: 0,
    last_calculation: '2026-04-02T10:00:00.941000Z',
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

export type CohortRow = Awaited<ReturnType<typeof selectCohortRecords>>[number]

export const cohortFrom = (row: CohortRow): z.output<typeof CohortRecord> => ({
  ...row,
  groups: [],
  last_calculation: toApiTimestampOrNull(row.last_calculation),
  created_by: row.created_by,
  created_at: toApiTimestamp(row.created_at),
})
