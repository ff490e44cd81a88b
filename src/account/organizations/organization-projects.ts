import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { memberships, organizations, projects } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { recordActivity } from '../../activity/record'
import { storeForNewProject } from '../../storage/shards'
import { requireWriter } from '../../auth/access'
import { type Actor, type Organization, type Project, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, notFound, permissionDenied } from '../../errors'
import { boolean, falseOnCreate, text } from '../../http/fields'
import { page, type PageQuery } from '../../http/pagination'
import { totalIn } from '../../storage/count'
import { valuesIn } from '../../storage/columns'
import { type Database, guard } from '../../storage/database'
import { bumpGeneration } from '../../storage/flags-generation'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch, runIf } from '../../storage/run-batch'
import { type ProjectRecord, projectRecordFrom, selectTeams } from './team-record'
import { membershipsInReach } from './reach'
import { newProject } from '../provisioning'
import { canCreateProjects, isAdmin } from './membership-guards'

/** Maximum projects of an organization, which records of users and organizations list. */
export const MAX_PROJECTS = 500

const MAX_NAME_LENGTH = 200
const DEFAULT_NAME = 'Default project'

/** Maximum characters of a time zone. The longest IANA name has 32. */
const MAX_TIMEZONE_LENGTH = 64

/** Words of a name of a time zone, such as `America`, `Port-au-Prince` and `GMT+1`. */
const TIMEZONE_NAME = /^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/

/**
 * Returns the name that the runtime knows for a name in any case of letters, or null for an unknown one and for an offset. It may be
 * another name of the same zone.
 */
function knownTimezone(name: string): string | null {
  if (name.length > MAX_TIMEZONE_LENGTH || /^[+-]/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Whether a name is that of a zone in its own case of letters. ClickHouse knows no other spelling, and no offsets. */
function isTimezone(name: string): boolean {
  const known = knownTimezone(name)
  if (known === null || !TIMEZONE_NAME.test(name)) return false
  return known === name || known.toLowerCase() !== name.toLowerCase()
}

function timezoneError(name: string): string {
  const known = knownTimezone(name) ?? timezoneOf(name)
  return `"${name}" is not a valid choice.${known === null ? '' : ` Did you mean ${known}?`}`
}

/** Returns the zone that is named after a city, or null. */
function timezoneOf(city: string): string | null {
  const end = `/${city.trim().replaceAll(' ', '_')}`.toLowerCase()
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().endsWith(end)) ?? null
}

const timezoneName = z.string().refine(isTimezone, {
  error: (issue) => timezoneError(String(issue.input)),
  params: { code: 'invalid_choice' },
})

/** Upstream's first day of the week. Weeks of insights begin on Sunday here, so that another day would change nothing. */
const sundayOnly = () =>
  z
    .int()
    .refine((day) => day === 0, {
      error: 'Weeks begin on Sunday (0). In HogQL, toMonday(…) and toStartOfWeek(…, 1) begin them on Monday.',
    })
    .nullable()
    .optional()

export const CreateProjectBody = z.object({
  name: text({ max: MAX_NAME_LENGTH }).optional().meta({ default: DEFAULT_NAME }),
  timezone: timezoneName.optional().meta({ default: 'UTC' }),
  require_evaluation_contexts: falseOnCreate(
    'Only an existing project can require contexts. Create it, and send require_evaluation_contexts by PATCH.',
  ),
  week_start_day: sundayOnly(),
})

export const UpdateProjectBody = z
  .object({
    name: text({ max: MAX_NAME_LENGTH }),
    timezone: timezoneName,
    require_evaluation_contexts: boolean(),
    week_start_day: sundayOnly(),
  })
  .partial()

/** @throws 403 for viewers, and for members below admin unless the organization allows all members to create projects; 400 beyond MAX_PROJECTS */
export async function createProject(
  deps: Deps,
  actor: Actor,
  organization: Organization,
  { name = DEFAULT_NAME, timezone }: z.output<typeof CreateProjectBody>,
): Promise<ProjectRecord> {
  requireWriter(organization)
  const { db, ids, clock, env } = deps
  const { id } = organization
  const now = clock.now()
  const store = await storeForNewProject(env)
  const project = newProject({ db, ids, now }, id, name, timezone, store)
  const isIt = eq(projects.uuid, project.uuid)
  const projectId = sql<number>`(SELECT ${projects.id} FROM ${projects} WHERE ${isIt})`
  const isAllowed = canCreateProjects(id, userOf(actor)!.id)
  const [, , [row]] = await runIf(
    db,
    sql`${isAllowed} AND (SELECT project_count FROM organizations WHERE id = ${id}) < ${MAX_PROJECTS}`,
    [
      project.statement,
      recordActivity(deps, now, {
        projectId,
        actor,
        scope: 'Project',
        itemId: sql`CAST(${projectId} AS TEXT)`,
        verb: 'created',
        name,
        changes: [],
      }),
      selectTeams(db, isIt),
    ],
    async () => {
      await runIf(db, isAllowed, [], () =>
        permissionDenied('Only admins can create projects in this organization.'),
      )
      return invalid(
        null,
        `An organization has at most ${MAX_PROJECTS} projects. Delete one to create another.`,
      )
    },
  )
  return projectRecordFrom(row!)
}

/** @param isOne SQL condition on the id of an organization */
async function listPage(db: Database, isOne: (id: SQLiteColumn) => SQL, query: PageQuery, url: URL) {
  const [counts, rows] = await db.batch([
    db
      .select({ total: sql<number>`coalesce(sum(${organizations.projectCount}), 0)`.as('total') })
      .from(organizations)
      .where(isOne(organizations.id)),
    selectTeams(db, isOne(projects.organizationId)).limit(query.limit).offset(query.offset),
  ])
  return page(url, query, totalIn(counts), rows.map(projectRecordFrom))
}

export const listOrganizationProjects = (db: Database, organizationId: string, query: PageQuery, url: URL) =>
  listPage(db, (id) => eq(id, organizationId), query, url)

/** Lists a page of the projects in all organizations that the caller can access. */
export function listProjects(db: Database, actor: Actor, query: PageQuery, url: URL) {
  const reachable = db
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(membershipsInReach(actor))
  return listPage(db, (id) => inArray(id, reachable), query, url)
}

/** The error for a deleted project, which a cached actor of another isolate may still name. */
const noProject = () => notFound('Project not found.')

/** @throws 404 when the project was deleted. */
export async function getProject(db: Database, id: number): Promise<ProjectRecord> {
  const [row] = await selectTeams(db, eq(projects.id, id))
  if (!row) throw noProject()
  return projectRecordFrom(row)
}

/** Fields of a project that the activity log has. */
const SETTINGS = ['name', 'timezone', 'require_evaluation_contexts'] as const

/** Updates a project. When evaluation depends on the change, the flags are published again. @throws 403 for members below admin */
export async function updateProject(
  deps: Deps,
  actor: Actor,
  { id, organizationId }: Pick<Project, 'id' | 'organizationId'>,
  { week_start_day: _day, ...body }: z.output<typeof UpdateProjectBody>,
): Promise<ProjectRecord> {
  const { db, clock, keyCache, snapshots } = deps
  const isIt = eq(projects.id, id)
  const isAllowed = isAdmin(organizationId, userOf(actor)!.id)
  const updated = await retryOnConflict(async () => {
    const [[row]] = await runIf(db, isAllowed, [selectTeams(db, isIt)], () =>
      permissionDenied('Only admins can change projects of this organization.'),
    )
    if (!row) throw noProject()
    const before = projectRecordFrom(row)
    const after = { ...before, ...body }
    const changes = diff('Project', SETTINGS, before, after)
    if (changes.length === 0) return { record: before, isPublished: false }
    const isPublished = changes.some(({ field }) => field !== 'name')
    const isUnchanged = and(
      isIt,
      eq(projects.name, before.name),
      eq(projects.timezone, before.timezone),
      eq(projects.requireEvaluationContexts, before.require_evaluation_contexts),
    )
    await keyCache.forgetAfter({ organizationId }, () =>
      runBatch(db, [
        guard(db, sql`${isAllowed} AND EXISTS (SELECT 1 FROM ${projects} WHERE ${isUnchanged})`),
        db.update(projects).set(valuesIn(projects, body)).where(isIt),
        recordActivity(deps, clock.now(), {
          projectId: id,
          actor,
          scope: 'Project',
          itemId: String(id),
          verb: 'updated',
          name: after.name,
          changes,
        }),
        ...(isPublished ? [bumpGeneration(db, id)] : []),
      ]),
    )
    return { record: after, isPublished }
  })
  if (updated.isPublished) await snapshots.publish(id)
  return updated.record
}
