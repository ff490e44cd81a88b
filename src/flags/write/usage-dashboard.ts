// The usage dashboard of a flag: docs/reference/flags.md#cohorts-and-dashboards-of-a-flag.
import { eq } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import {
  addTiles,
  enrichedTiles,
  hasTiles,
  newUsageDashboard,
  selectTileNames,
} from '../../analytics/dashboards/usage-dashboard'
import type { Ids } from '../../clock'
import { ApiError, notFound } from '../../errors'
import { type Database, guard } from '../../storage/database'
import { bumpGeneration, guardFence, selectFence } from '../../storage/flags-generation'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import type { DashboardRequest } from '../project-calls'
import { type FlagRow, selectFlag } from '../read/rows'

const dashboardError = (detail: string) =>
  new ApiError({
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail,
    shape: 'success+error',
  })

/**
 * Reads the flag and the fence in one transaction.
 * @throws 404
 */
async function readFlag(
  db: Database,
  { projectId, flagId }: DashboardRequest,
): Promise<{ generation: number; flag: FlagRow }> {
  const [[fence], [flag]] = await db.batch([selectFence(db, projectId), selectFlag(db, projectId, flagId)])
  if (!fence || !flag) throw notFound()
  return { generation: fence.generation, flag }
}

/**
 * Creates the usage dashboard of a flag, unless it has one.
 * @throws 404; 400 when the flag is deleted
 */
export const ensureUsageDashboard = (
  { db, ids }: { db: Database; ids: Ids },
  request: DashboardRequest,
): Promise<void> =>
  retryOnConflict(async () => {
    const { projectId, author, now } = request
    const { generation, flag } = await readFlag(db, request)
    if (flag.deleted) {
      throw dashboardError(
        'This feature flag has been deleted. Restore it before generating a usage dashboard.',
      )
    }
    const tiles = await selectTileNames(db, projectId, flag.usage_dashboard_id)
    if (tiles.length > 0) return

    const { dashboardId, statements } = newUsageDashboard(
      { db, ids },
      { projectId, key: flag.key, author, now: new Date(now) },
    )
    await runBatch(db, [
      guardFence(db, projectId, generation),
      ...statements,
      db
        .update(featureFlags)
        .set({ usageDashboardId: dashboardId as never })
        .where(eq(featureFlags.id, flag.id)),
      bumpGeneration(db, projectId),
    ])
  })

/**
 * Adds tiles for views and interactions to the usage dashboard.
 * @throws 404; 400 when there is no dashboard, when it has the tiles already, or when the flag does not report them
 */
export const enrichUsageDashboard = (db: Database, request: DashboardRequest): Promise<void> =>
  retryOnConflict(async () => {
    const { projectId } = request
    const { generation, flag } = await readFlag(db, request)
    const present = await selectTileNames(db, projectId, flag.usage_dashboard_id)
    if (flag.usage_dashboard_id === null || present.length === 0)
      throw dashboardError('Usage dashboard not found')
    const tiles = enrichedTiles(flag.key)
    if (present.some(({ name }) => tiles.some((tile) => tile.name === name))) {
      throw dashboardError('Usage dashboard already has enriched data')
    }
    if (!flag.has_enriched_analytics)
      throw dashboardError('No enriched analytics available for this feature flag')
    await runBatch(db, [
      guardFence(db, projectId, generation),
      guard(db, hasTiles(flag.usage_dashboard_id, present.length)),
      addTiles(db, projectId, flag.usage_dashboard_id, tiles),
    ])
  })
