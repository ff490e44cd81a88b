// Reads and writes actions.
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import { actions } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { recordActivity } from '../../activity/record'
import { dialectOf } from '../../analytics/engine/select-engine'
import { userOf } from '../../auth/actor'
import { aboutField, invalid, notFound } from '../../errors'
import { sameJson } from '../../json'
import { jsonBytes } from '../../json-bytes'
import { page, type Page, type PageQuery } from '../../http/pagination'
import { countOf, totalIn } from '../../storage/count'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { guard } from '../../storage/database'
import { runBatch, runIf } from '../../storage/run-batch'
import { cleanTags } from '../../tags'
import { toApiTimestampOrNull, toStoredTimestamp } from '../../timestamps'
import { InvalidText, prepareText } from '../compile/compile-text'
import { requireRunnable } from '../compile/compiled-version'
import { readTextFacts } from '../compile/query-references'
import type { EndpointContext } from '../context'
import {
  actionFrom,
  type ActionBody,
  type ActionRecord,
  type ActionUpdate,
  selectActionRecords,
} from './action-record'

type Context = Pick<EndpointContext, 'deps' | 'actor' | 'project'>

export const MAX_ACTIONS = 500

/** Maximum bytes of the JSON of an action's steps. */
export const MAX_STEPS_BYTES = 20_000

const actionOf = (projectId: number, id: number): SQL =>
  and(eq(actions.projectId, projectId), eq(actions.id, id))!

/** Lists the project's actions, newest first, without deleted ones. */
export async function listActions(
  { deps: { db }, project, url }: Pick<EndpointContext, 'deps' | 'project' | 'url'>,
  { limit, offset }: PageQuery,
): Promise<Page<ActionRecord>> {
  const where = and(eq(actions.projectId, project.id), eq(actions.deleted, false))!
  const [counts, rows] = await db.batch([
    countOf(db, actions, where),
    selectActionRecords(db, where).orderBy(desc(actions.id)).limit(limit).offset(offset),
  ])
  return page(url, { limit, offset }, totalIn(counts), rows.map(actionFrom))
}

/** @throws 404, also for a deleted action */
export async function findAction({ deps: { db }, project }: Context, id: number): Promise<ActionRecord> {
  const [row] = await selectActionRecords(db, actionOf(project.id, id))
  if (!row || row.deleted) throw notFound()
  return actionFrom(row)
}

/** @throws 400 for too many actions or steps */
export async function createAction(context: Context, body: ActionBody): Promise<ActionRecord> {
  const { deps, actor, project } = context
  const { db } = deps
  await requireSteps(context, body.steps)
  const now = deps.clock.now()
  // Within the batch, the newest action of the project is the one that it inserts.
  const id = sql<number>`(SELECT max(id) FROM actions WHERE project_id = ${project.id})`
  const results = await runIf(
    db,
    hasRoom(project.id),
    [
      db.insert(actions).values({
        projectId: project.id,
        name: body.name,
        description: body.description ?? '',
        tags: cleanTags(body.tags ?? []),
        steps: body.steps ?? [],
        pinnedAt: body.pinned_at ?? null,
        createdById: userOf(actor)?.id ?? null,
        createdAt: toStoredTimestamp(now),
      }),
      recordActivity(deps, now, {
        projectId: project.id,
        actor,
        scope: 'Action',
        itemId: sql`CAST(${id} AS TEXT)`,
        verb: 'created',
        name: body.name,
        changes: [],
      }),
      selectActionRecords(db, eq(actions.id, id)),
    ],
    tooMany,
  )
  return actionFrom(results[2][0]!)
}

const hasRoom = (projectId: number) =>
  sql`(SELECT count(*) FROM actions WHERE project_id = ${projectId} AND deleted = 0) < ${MAX_ACTIONS}`

const tooMany = () => invalid(null, `A project may have at most ${MAX_ACTIONS} actions.`)

/** @throws 400, attr `steps`, also for steps that do not compile: each query with the action would fail */
async function requireSteps({ deps, project }: Context, steps: ActionBody['steps']): Promise<void> {
  if (!steps || steps.length === 0) return
  if (jsonBytes(steps) > MAX_STEPS_BYTES)
    throw invalid(
      'steps',
      `The steps may have at most ${MAX_STEPS_BYTES.toLocaleString('en')} bytes of JSON.`,
    )
  try {
    const text = await prepareText({
      sql: 'SELECT 1 FROM events WHERE {fragments.steps}',
      timezone: project.timezone,
      fragments: { steps: [{ type: 'action', key: 'steps', value: steps }] },
    })
    const { queries } = text.compile(await readTextFacts({ deps, project }, text, null))
    requireRunnable(queries, dialectOf(project.store), null)
  } catch (error) {
    throw error instanceof InvalidText ? invalid('steps', error.reason.message) : aboutField('steps', error)
  }
}

const STATE_FIELDS = ['name', 'description', 'tags', 'steps', 'deleted', 'pinned_at'] as const
type State = Pick<ActionRecord, (typeof STATE_FIELDS)[number]>

/** Updates an action. Queries that refer to it are compiled again at their next run. @throws 404; 400 for too many actions or steps */
export async function updateAction(context: Context, id: number, body: ActionUpdate): Promise<ActionRecord> {
  const { deps, actor, project } = context
  const { db } = deps
  const now = deps.clock.now()
  const isAction = actionOf(project.id, id)
  return retryOnConflict(async () => {
    const [rows, rooms] = await db.batch([
      selectActionRecords(db, isAction),
      db.select({ isFree: sql<number>`${hasRoom(project.id)}`.as('is_free') }).from(sql`(SELECT 1)`),
    ])
    const [row] = rows
    if (!row) throw notFound()
    const before = actionFrom(row)
    if (!sameJson(body.steps, before.steps)) await requireSteps(context, body.steps)
    const pinnedAt = body.pinned_at === undefined ? row.pinnedAt : body.pinned_at
    const after: State = {
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      tags: body.tags ? cleanTags(body.tags) : before.tags,
      steps: body.steps ?? before.steps,
      deleted: body.deleted ?? before.deleted,
      pinned_at: toApiTimestampOrNull(pinnedAt),
    }
    const isRestored = before.deleted && !after.deleted
    if (isRestored && !rooms[0]?.isFree) throw tooMany()
    const changes = diff<State>('Action', STATE_FIELDS, before, after)
    if (changes.length === 0) return before
    const { pinned_at: _at, steps, ...columns } = after
    const results = await runBatch(db, [
      guard(
        db,
        sql`(SELECT revision FROM actions WHERE ${isAction}) = ${row.revision}
          AND ${isRestored ? hasRoom(project.id) : sql`TRUE`}`,
      ),
      db
        .update(actions)
        .set({ ...columns, steps: steps as never, pinnedAt, revision: row.revision + 1 })
        .where(isAction),
      recordActivity(deps, now, {
        projectId: project.id,
        actor,
        scope: 'Action',
        itemId: String(id),
        verb: before.deleted === after.deleted ? 'updated' : after.deleted ? 'deleted' : 'restored',
        name: after.name,
        changes,
      }),
      selectActionRecords(db, isAction),
    ])
    return actionFrom((results.at(-1) as Parameters<typeof actionFrom>)[0])
  })
}
