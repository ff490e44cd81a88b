// A static cohort of the people for whom a flag is on.
import { sql } from 'drizzle-orm'
import { cohortFrom, type CohortRow, selectCohortRecords } from './cohort-record'
import { cohortById } from './read-cohorts'
import { insertCohort, newCohortId } from './new-cohort'
import { ApiError, notFound } from '../../errors'
import { insertTask } from '../../outbox/outbox'
import { cohortBytes, requireRoom, selectDefinitionBytes } from '../../snapshots/definition-quota'
import { type Database, guard } from '../../storage/database'
import { bumpGeneration, guardFence, selectFence } from '../../storage/flags-generation'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { type FlagContext, publishChange } from '../context'
import { selectFlag } from '../read/rows'

/** Maximum static cohorts of an organization that are filled at the same time. A fill may evaluate a flag for each person of a project. */
export const MAX_FILLS = 10

/** SQL of the number of static cohorts that are being filled. */
const fillsOf = (organizationId: string) =>
  sql`(SELECT count(*) FROM cohorts c CROSS JOIN projects p ON p.id = c.project_id
    WHERE c.is_calculating = 1 AND p.organization_id = ${organizationId})`

const selectFills = (db: Database, organizationId: string) =>
  db.select({ fills: sql<number>`${fillsOf(organizationId)}` }).from(sql`(SELECT 1)`)

const tooManyFills = () =>
  new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'throttled',
    detail: `${MAX_FILLS} static cohorts of your organization are being filled. Create the next one when one of them is complete.`,
    headers: { 'Retry-After': '10' },
  })

/** `2026-03-10 12:00:00` */
const dated = (now: Date) => now.toISOString().slice(0, 19).replace('T', ' ')

/**
 * Creates the cohort. A task of the outbox fills it after the response.
 * @throws 404; 400 when the cohorts of the project are too large; 429 while `MAX_FILLS` are being filled.
 */
export async function createStaticCohort(context: FlagContext, flagId: number) {
  const { deps, project } = context
  const { db } = deps
  const now = deps.clock.now()
  const { taskId, results } = await retryOnConflict(async () => {
    const [[flag], [fence], [used], [filling]] = await db.batch([
      selectFlag(db, project.id, flagId),
      selectFence(db, project.id),
      selectDefinitionBytes(db, project.id),
      selectFills(db, project.organizationId),
    ])
    if (!flag) throw notFound()
    if (filling!.fills >= MAX_FILLS) throw tooManyFills()
    requireRoom(used!.bytes, cohortBytes(null))
    const { version } = flag
    const task = JSON.stringify({ kind: 'fill_cohort', flagId, version, now: now.toISOString() })
    const fill = insertTask(
      deps,
      now,
      project.id,
      sql`json_set(${task}, '$.cohortId', ${newCohortId(project.id)})`,
    )
    const written = await runBatch(db, [
      guardFence(db, project.id, fence!.generation),
      guard(db, sql`${fillsOf(project.organizationId)} < ${MAX_FILLS}`),
      ...insertCohort(
        context,
        {
          name: `Users with feature flag ${flag.key} enabled at ${dated(now)}`,
          isStatic: true,
          isCalculating: true,
        },
        now,
      ),
      fill.statement,
      bumpGeneration(db, project.id),
      selectCohortRecords(db, cohortById(newCohortId(project.id))),
    ])
    return { taskId: fill.id, results: written }
  })
  const [made] = results.at(-1) as CohortRow[]
  deps.afterResponse(async () => (await import('./fill-cohort')).sendFill(deps.env, taskId))
  await publishChange(context)
  return cohortFrom(made!)
}
