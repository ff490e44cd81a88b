// The usage dashboard of a flag (reference/flags-api.md §14, decision 16).
import { eq } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import {
  addTiles,
  enrichedTiles,
  hasTiles,
  newUsageDashboard,
  selectTileNames,
} from '../../analytics/dashboards/usage-dashboard'
import { userOf } from '../../auth/actor'
import { ApiError } from '../../errors'
import { guard } from '../../storage/database'
import { bumpGeneration, guardFence, selectFence } from '../../storage/flags-generation'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import { getFlag } from '../read/find'

const dashboardError = (detail: string) =>
  new ApiError({
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail,
    shape: 'success+error',
  })

/**
 * Creates the usage dashboard of a flag, unless it has one. Of concurrent callers one creates it.
 * @throws 404; 400 when the flag is deleted.
 */
export const ensureUsageDashboard = (context: FlagContext, id: number): Promise<void> =>
  retryOnConflict(async () => {
    const { deps, actor, project } = context
    const [fence] = await selectFence(deps.db, project.id)
    const flag = await getFlag(context, id)
    if (flag.deleted) {
      throw dashboardError(
        'This feature flag has been deleted. Restore it before generating a usage dashboard.',
      )
    }
    const tiles = await selectTileNames(deps.db, project.id, flag.usage_dashboard_id)
    if (tiles.length > 0) return

    const { dashboardId, statements } = newUsageDashboard(deps.db, {
      projectId: project.id,
      key: flag.key,
      createdById: userOf(actor)?.id ?? null,
      at: toStoredTimestamp(deps.clock.now()),
    })
    await runBatch(deps.db, [
      guardFence(deps.db, project.id, fence!.generation),
      ...statements,
      deps.db
        .update(featureFlags)
        .set({ usageDashboardId: dashboardId as never })
        .where(eq(featureFlags.id, flag.id)),
      bumpGeneration(deps.db, project.id),
    ])
  })

/**
 * Adds tiles for views and interactions. Of concurrent callers one adds them.
 * @throws 404; 400 when there is no dashboard, when it has them already, or when the flag reports none.
 */
export const enrichUsageDashboard = (context: FlagContext, id: number): Promise<void> =>
  retryOnConflict(async () => {
    const { deps, project } = context
    const [fence] = await selectFence(deps.db, project.id)
    const flag = await getFlag(context, id)
    const present = await selectTileNames(deps.db, project.id, flag.usage_dashboard_id)
    if (flag.usage_dashboard_id === null || present.length === 0)
      throw dashboardError('Usage dashboard not found')
    const tiles = enrichedTiles(flag.key)
    if (present.some(({ name }) => tiles.some((tile) => tile.name === name))) {
      throw dashboardError('Usage dashboard already has enriched data')
    }
    if (!flag.has_enriched_analytics)
      throw dashboardError('No enriched analytics available for this feature flag')
    await runBatch(deps.db, [
      guardFence(deps.db, project.id, fence!.generation),
      guard(deps.db, hasTiles(flag.usage_dashboard_id, present.length)),
      addTiles(deps.db, project.id, flag.usage_dashboard_id, tiles),
    ])
  })
