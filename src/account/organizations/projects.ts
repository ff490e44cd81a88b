// The projects of an organization: who may add one, and how.
import { eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { organizations, projects } from '../../../drizzle'
import { storeForNewProject } from '../../storage/shards'
import type { Organization } from '../../auth/actor'
import type { Deps } from '../../deps'
import { permissionDenied } from '../../errors'
import { text } from '../../http/fields'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { type TeamRecord, selectTeams, teamRecordFrom } from '../team-record'
import { newProject } from '../tenancy'
import { mayCreateProjects } from './standing'

const MAX_NAME = 200

/** The longest name in the time zone database has 32 characters. */
const MAX_TIMEZONE = 64

const isTimezone = (name: string) => {
  if (name.length > MAX_TIMEZONE) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export const CreateProjectBody = z.object({
  name: text({ max: MAX_NAME }).optional(),
  timezone: z
    .string()
    .refine(isTimezone, {
      error: (issue) => `"${String(issue.input)}" is not a valid choice.`,
      params: { code: 'invalid_choice' },
    })
    .optional(),
})

/**
 * Adds a project to an organization.
 * @throws 403 for members below admin, unless the organization lets every member create projects.
 */
export async function createProject(
  { db, ids, clock, env }: Deps,
  userId: number,
  { id }: Pick<Organization, 'id'>,
  { name = 'Default project', timezone }: z.output<typeof CreateProjectBody>,
): Promise<TeamRecord> {
  const store = await storeForNewProject(env)
  const project = newProject({ db, ids, now: clock.now() }, id, name, timezone, store)
  const [, [row]] = await runIf(
    db,
    mayCreateProjects(id, userId),
    [project.statement, selectTeams(db, eq(projects.uuid, project.uuid))],
    () => permissionDenied('Only admins can create projects in this organization.'),
  )
  return teamRecordFrom(row!)
}

/**
 * The statements that read a page of the projects of some organizations: how many there are, and the page.
 * @param isOne the condition on the id of an organization.
 */
export const selectProjectPage = (
  db: Database,
  isOne: (id: SQLiteColumn) => SQL,
  { limit, offset }: { limit: number; offset: number },
) =>
  [
    db
      .select({ total: sql<number>`coalesce(sum(${organizations.projectCount}), 0)`.as('total') })
      .from(organizations)
      .where(isOne(organizations.id)),
    selectTeams(db, isOne(projects.organizationId)).limit(limit).offset(offset),
  ] as const
