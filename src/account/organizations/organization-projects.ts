import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { memberships, organizations, projects } from '../../../drizzle'
import { storeForNewProject } from '../../storage/shards'
import type { Actor, Organization } from '../../auth/actor'
import type { Deps } from '../../deps'
import { permissionDenied } from '../../errors'
import { text } from '../../http/fields'
import { page, type PageQuery } from '../../http/pagination'
import { totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { type TeamRecord, selectTeams, teamRecordFrom } from './team-record'
import { membershipsInReach } from './organization-read'
import { newProject } from '../provisioning'
import { canCreateProjects } from './membership-guards'

const MAX_NAME_LENGTH = 200
const DEFAULT_NAME = 'Default project'

/** The longest IANA name has 32 characters. */
const MAX_TIMEZONE_LENGTH = 64

const isTimezone = (name: string) => {
  if (name.length > MAX_TIMEZONE_LENGTH) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export const CreateProjectBody = z.object({
  name: text({ max: MAX_NAME_LENGTH }).optional().meta({ default: DEFAULT_NAME }),
  timezone: z
    .string()
    .refine(isTimezone, {
      error: (issue) => `"${String(issue.input)}" is not a valid choice.`,
      params: { code: 'invalid_choice' },
    })
    .optional()
    .meta({ default: 'UTC' }),
})

/** @throws 403 for members below admin, unless the organization allows all members to create projects. */
export async function createProject(
  { db, ids, clock, env }: Deps,
  userId: number,
  { id }: Pick<Organization, 'id'>,
  { name = DEFAULT_NAME, timezone }: z.output<typeof CreateProjectBody>,
): Promise<TeamRecord> {
  const store = await storeForNewProject(env)
  const project = newProject({ db, ids, now: clock.now() }, id, name, timezone, store)
  const [, [row]] = await runIf(
    db,
    canCreateProjects(id, userId),
    [project.statement, selectTeams(db, eq(projects.uuid, project.uuid))],
    () => permissionDenied('Only admins can create projects in this organization.'),
  )
  return teamRecordFrom(row!)
}

/** @param isOne SQL condition on the id of an organization. */
async function listPage(db: Database, isOne: (id: SQLiteColumn) => SQL, query: PageQuery, url: URL) {
  const [counts, rows] = await db.batch([
    db
      .select({ total: sql<number>`coalesce(sum(${organizations.projectCount}), 0)`.as('total') })
      .from(organizations)
      .where(isOne(organizations.id)),
    selectTeams(db, isOne(projects.organizationId)).limit(query.limit).offset(query.offset),
  ])
  return page(url, query, totalIn(counts), rows.map(teamRecordFrom))
}

export const listOrganizationProjects = (db: Database, organizationId: string, query: PageQuery, url: URL) =>
  listPage(db, (id) => eq(id, organizationId), query, url)

/** A page of the projects in all organizations that the caller can access. */
export function listProjects(db: Database, actor: Actor, query: PageQuery, url: URL) {
  const reachable = db
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(membershipsInReach(actor))
  return listPage(db, (id) => inArray(id, reachable), query, url)
}

/** @param id of an existing project. */
export async function getProject(db: Database, id: number): Promise<TeamRecord> {
  const [row] = await selectTeams(db, eq(projects.id, id))
  return teamRecordFrom(row!)
}
