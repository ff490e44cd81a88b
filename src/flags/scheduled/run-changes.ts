// Runs scheduled changes every minute. Each becomes an update of its flag, as a caller would make it.
import { and, eq, isNull, lte, min, sql } from 'drizzle-orm'
import { projects, scheduledChanges } from '../../../drizzle'
import type { SystemActor } from '../../auth/actor'
import { apiErrorIn } from '../../errors'
import { describeError, type Log } from '../../http/log/request-log'
import type { Database } from '../../storage/database'
import { turnOf } from '../../storage/turns'
import { toStoredTimestamp } from '../../timestamps'
import { selectAuthor } from '../author'
import type { FlagCalls } from '../project-calls'
import { type FlagRow, selectFlags } from '../read/rows'
import type { FlagWrite } from '../write/write-types'
import { nextOccurrence } from './recurrence'
import { countCrash, failRun } from './run-statements'
import { updateOf } from './update-of'

/** Maximum changes of one call. Each takes some 18 statements, and an invocation may send 1,000 to D1. */
const MAX_RUNS = 40

/** Maximum attempts at a flag that others change at the same time. */
const MAX_ATTEMPTS = 5

/** A change is abandoned after this many runs that ended with an error of the service, but not earlier than this long after its time. */
export const MAX_CRASHES = 10
const MIN_CRASHING_MS = 600_000

const AUTHOR_MAY_NOT =
  'Who scheduled it, or last changed it, may no longer change flags. A member who saves it again becomes its author.'

interface RunDeps {
  db: Database
  /** Commits and publishes an update. */
  write(write: FlagWrite): Promise<unknown>
  log: Log
}

/**
 * Runs due changes of a project. A change that crashes does not stop the others, and is tried again in the next minute.
 * @returns whether more are due now
 * @throws errors of D1
 */
export async function runDueChanges(deps: RunDeps, projectId: number, now: Date): Promise<boolean> {
  const due = await deps.db
    .select({ id: scheduledChanges.id })
    .from(scheduledChanges)
    .where(and(eq(scheduledChanges.projectId, projectId), isDueNow(now)))
    .orderBy(scheduledChanges.dueAt, scheduledChanges.id)
    .limit(MAX_RUNS)
  let hasCrashed = false
  for (const { id } of due) {
    try {
      await runChange(deps, id, now)
    } catch (error) {
      hasCrashed = true
      deps.log({ level: 'error', message: `scheduled change ${id} crashed`, error: describeError(error) })
    }
  }
  return due.length === MAX_RUNS && !hasCrashed
}

const isDueNow = (now: Date) =>
  and(isNull(scheduledChanges.executedAt), lte(scheduledChanges.dueAt, toStoredTimestamp(now)))

/** Maximum projects in one run of the trigger, and calls for each. */
const MAX_PROJECTS = 100
const MAX_CALLS = 3

/**
 * Calls the project objects of projects with due changes, by organizations in turns and longest due first. It runs every minute.
 * @throws the first error of an object, when all others have ended
 */
export async function runAllDue(
  db: Database,
  objects: Pick<FlagCalls, 'runScheduledChanges'>,
  now: Date,
): Promise<void> {
  const due = await db
    .select({ projectId: scheduledChanges.projectId })
    .from(scheduledChanges)
    .where(isDueNow(now))
    // Because of the unary plus, SQLite does not walk all changes, by project.
    .groupBy(sql`+${scheduledChanges.projectId}`)
    .orderBy(turnOf(scheduledChanges.projectId, min(scheduledChanges.dueAt)), min(scheduledChanges.dueAt))
    .limit(MAX_PROJECTS)
  const results = await Promise.allSettled(
    due.map(async ({ projectId }) => {
      for (let calls = 0; calls < MAX_CALLS; calls += 1)
        if (!(await objects.runScheduledChanges(projectId, now))) return
    }),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** @throws errors of the service, which are counted. */
async function runChange(deps: RunDeps, id: number, now: Date): Promise<void> {
  const { db, write } = deps
  for (let attempt = 1; ; attempt += 1) {
    const { change, flag, author, project } = await readChange(db, id)
    const { dueAt, payload, recurrenceInterval: interval, firstAt, endDate } = change ?? {}
    if (!change || !flag || !project || !payload || !firstAt || !dueAt || dueAt > toStoredTimestamp(now))
      return
    const run = {
      id,
      dueAt,
      updatedAt: change.updatedAt,
      version: flag.version,
      nextAt: interval ? nextOccurrence({ firstAt, interval, endDate: endDate ?? null }, now) : null,
    }
    if (flag.deleted) {
      await failRun(db, { ...run, nextAt: null }, now, 'The flag is deleted.')
      return
    }
    // The author may have left the organization, or been deactivated, and then has no rights any more.
    if (!author) {
      await failRun(db, run, now, AUTHOR_MAY_NOT)
      return
    }
    const { level, ...user } = author
    try {
      await write({
        kind: 'update',
        id: flag.id,
        body: updateOf(payload, flag),
        actor: { kind: 'system', user } satisfies SystemActor,
        project: { ...project, membershipLevel: level },
        now: now.getTime(),
        run,
      })
      return
    } catch (error) {
      const rejection = apiErrorIn(error)
      if (rejection && rejection.status < 500) {
        const isHeld = rejection.more.change_request_id !== undefined
        if (rejection.status === 409 && !isHeld && attempt < MAX_ATTEMPTS) continue
        await failRun(db, run, now, rejection.detail)
        return
      }
      const isHopeless =
        change.crashes + 1 >= MAX_CRASHES && now.getTime() - Date.parse(dueAt) >= MIN_CRASHING_MS
      if (isHopeless) await failRun(db, run, now, 'The service failed to make the change.')
      else await countCrash(db, run)
      throw error
    }
  }
}

async function readChange(db: Database, id: number) {
  const ofChange = (column: string) =>
    sql`(SELECT ${sql.raw(`s.${column}`)} FROM scheduled_changes s WHERE s.id = ${id})`
  const [[change], [flag], [author], [project]] = await db.batch([
    db.select().from(scheduledChanges).where(eq(scheduledChanges.id, id)),
    selectFlags(db, sql`feature_flags.id = ${ofChange('flag_id')}`),
    selectAuthor(db, ofChange('last_modified_by_id'), ofChange('project_id')),
    db
      .select({ id: projects.id })
      .from(projects)
      .where(sql`${projects.id} = ${ofChange('project_id')}`),
  ])
  return { change, flag: flag as FlagRow | undefined, author, project }
}
