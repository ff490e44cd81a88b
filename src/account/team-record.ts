// A project as the account area shows it: the team object of a user and of an organization (reference/account-api.md §8.5).
import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { projects } from '../../drizzle'
import type { Database } from '../storage/database'

export const TeamRecord = z
  .object({
    id: z.int(),
    uuid: z.uuid(),
    organization: z.uuid(),
    project_id: z.int(),
    api_token: z.string(),
    name: z.string(),
    completed_snippet_onboarding: z.boolean(),
    has_completed_onboarding_for: z.unknown(),
    ingested_event: z.boolean(),
    is_demo: z.boolean(),
    timezone: z.string(),
    access_control: z.boolean(),
  })
  .meta({ id: 'Team' })

export type TeamRecord = z.output<typeof TeamRecord>

/** The rows that team objects are made from, by id. */
export const selectTeams = (db: Database, where: SQL | undefined) =>
  db
    .select({
      id: projects.id,
      uuid: projects.uuid,
      organizationId: projects.organizationId,
      apiToken: projects.apiToken,
      name: projects.name,
      timezone: projects.timezone,
      ingestedEvent: projects.ingestedEvent,
    })
    .from(projects)
    .where(where)
    .orderBy(projects.id)

export type TeamRow = Awaited<ReturnType<typeof selectTeams>>[number]

/** The teams of an organization: every member reaches every project of it. */
export const selectTeamsOf = (db: Database, organizationId: SQL | string) =>
  selectTeams(db, eq(projects.organizationId, sql`${organizationId}`))

/** The team object. Onboarding per product, demo projects and access control are things that Halyard does not have. */
export const teamRecordFrom = (row: TeamRow): TeamRecord => ({
  id: row.id,
  uuid: row.uuid,
  organization: row.organizationId,
  project_id: row.id,
  api_token: row.apiToken,
  name: row.name,
  completed_snippet_onboarding: false,
  has_completed_onboarding_for: null,
  ingested_event: Boolean(row.ingestedEvent),
  is_demo: false,
  timezone: row.timezone,
  access_control: false,
})
