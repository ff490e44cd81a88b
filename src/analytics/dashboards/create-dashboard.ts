import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { dashboards } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import { userOf } from '../../auth/actor'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { type Body, filtersIn } from './dashboard-body'
import type { DashboardRecord } from './dashboard-record'
import { selectDashboard, selectTiles } from './dashboard-rows'
import { newestDashboard } from './usage-dashboard'
import { addPins, findPinned, shownFrom, type WriteContext } from './write-statements'

/** @throws 400 naming the field. */
export async function createDashboard(
  context: WriteContext,
  body: Body,
): Promise<z.output<typeof DashboardRecord>> {
  const { deps, actor, project } = context
  const { db } = deps
  const pins = body.tiles ?? []
  const ids = await findPinned(context, pins)
  const now = deps.clock.now()
  const name = body.name ?? ''
  const id = newestDashboard(project.id)
  const results = await runBatch(db, [
    db.insert(dashboards).values({
      projectId: project.id,
      name,
      description: body.description ?? '',
      creationMode: 'default',
      filters: body.filters ? filtersIn(body.filters) : null,
      createdById: userOf(actor)?.id ?? null,
      createdAt: toStoredTimestamp(now),
    }),
    ...(pins.length > 0 ? [addPins(context, id, pins, ids)] : []),
    recordActivity(deps, now, {
      projectId: project.id,
      actor,
      scope: 'Dashboard',
      itemId: sql`CAST(${id} AS TEXT)`,
      verb: 'created',
      name,
      changes: [],
    }),
    selectDashboard(db, project.id, id),
    selectTiles(db, project.id, id),
  ])
  return shownFrom(results)
}
