// A project in user and organization records. It is upstream's team object, without further settings.
import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { projects } from '../../../drizzle'
import { organization, project } from '../../http/docs/examples'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { columnsIn } from '../../storage/columns'
import type { Database } from '../../storage/database'

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

/** The record that operations on projects return. The team object of the specification has no settings. */
export const ProjectRecord = z
  .object({ ...TeamRecord.shape, require_evaluation_contexts: z.boolean() })
  .meta({ id: 'Project' })

export type TeamRecord = z.output<typeof TeamRecord>
export type ProjectRecord = z.output<typeof ProjectRecord>

export const timezoneText = 'IANA time zone of flags and queries.'

export const contextRuleText =
  'Whether new flags must have evaluation contexts, and existing ones must keep theirs.'

const teamFields = () => ({
  id: 'Id of the project, for paths.',
  uuid: 'Id that is unique across deployments.',
  organization: 'Id of the organization that owns the project.',
  project_id: 'The same as `id`: a project and its environment share one.',
  api_token:
    'Public token (`phc_…`) of SDKs, safe in client code: it can only evaluate flags and send events.',
  name: 'Name, at most 200 characters.',
  completed_snippet_onboarding: 'Always false: not tracked.',
  has_completed_onboarding_for: 'Always null: not tracked.',
  ingested_event: 'Whether the project has captured an event.',
  is_demo: 'Always false: there are no demo projects.',
  timezone: timezoneText,
  access_control: 'Always false: every member has access to every project.',
})

export const TeamRecordDocs = (): SchemaDocs => ({
  description: 'A project. It owns flags, events and saved queries.',
  fields: teamFields(),
  example: teamExample(),
})

export const ProjectRecordDocs = (): SchemaDocs => ({
  description: 'A project with its settings.',
  fields: { ...teamFields(), require_evaluation_contexts: contextRuleText },
  example: { ...teamExample() },
})

const UNSUPPORTED = {
  completed_snippet_onboarding: false,
  has_completed_onboarding_for: null,
  is_demo: false,
  access_control: false,
}

export const teamExample = () => ({
  id: project.id,
  uuid: project.uuid,
  organization: organization.id,
  project_id: project.id,
  api_token: project.api_token,
  name: project.name,
  ingested_event: true,
  timezone: 'UTC',
})

/** Selects projects by id. */
export const selectTeams = (db: Database, where: SQL | undefined) =>
  db
    .select({ ...columnsIn(projects, ProjectRecord.shape), organizationId: projects.organizationId })
    .from(projects)
    .where(where)
    .orderBy(projects.id)

export type TeamRow = Awaited<ReturnType<typeof selectTeams>>[number]

export const selectTeamsOf = (db: Database, organizationId: SQL | string) =>
  selectTeams(db, eq(projects.organizationId, sql`${organizationId}`))

export const teamRecordFrom = ({
  organizationId,
  require_evaluation_contexts: _rule,
  ...row
}: TeamRow): TeamRecord => ({
  ...row,
  ...UNSUPPORTED,
  organization: organizationId,
  project_id: row.id,
})

export const projectRecordFrom = (row: TeamRow): ProjectRecord => ({
  ...teamRecordFrom(row),
  require_evaluation_contexts: row.require_evaluation_contexts,
})
