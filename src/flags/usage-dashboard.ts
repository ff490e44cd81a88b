// The dashboard about a flag's use: made with the flag or on request, enriched once (reference/flags-api.md §14, decision 16).
import { eq, sql } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import {
  addTiles,
  enrichedTiles,
  hasTiles,
  newUsageDashboard,
  selectTileNames,
} from '../analytics/usage-dashboard'
import { userOf } from '../auth/actor'
import { ApiError } from '../errors'
import { guard } from '../storage/database'
import { retryOnConflict } from '../storage/retry-on-conflict'
import { runBatch } from '../storage/run-batch'
import { stored } from '../timestamps'
import type { FlagContext } from './context'
import { findFlag } from './find'
import { isStillAs } from './invariants'

/** These two operations answer a refusal in a body of their own. */
const refusal = (detail: string) =>
  new ApiError({
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail,
    shape: 'success+error',
  })

/**
 * Makes the usage dashboard of a flag, unless it has one. Of callers that race, one makes it.
 * @throws 404; 400 when the flag is deleted.
 */
export const ensureUsageDashboard = (context: FlagContext, id: number): Promise<void> =>
  retryOnConflict(async () => {
    const { deps, actor, project } = context
    const flag = await findFlag(context, id)
    if (flag.deleted) {
      throw refusal('This feature flag has been deleted. Restore it before generating a usage dashboard.')
    }
    const tiles = await selectTileNames(deps.db, project.id, flag.usageDashboardId)
    if (tiles.length > 0) return

    const { dashboardId, statements } = newUsageDashboard(deps.db, {
      projectId: project.id,
      key: flag.key,
      createdById: userOf(actor)?.id ?? null,
      at: stored(deps.clock.now()),
    })
    await runBatch(deps.db, [
      guard(deps.db, isStillAs(flag)),
      ...statements,
      deps.db
        .update(featureFlags)
        .set({ usageDashboardId: dashboardId as never })
        .where(eq(featureFlags.id, flag.id)),
    ])
  })

/**
 * Adds the tiles about views and interactions to a flag's usage dashboard. Of callers that race, one adds them.
 * @throws 404; 400 when there is no dashboard, when it has them already, or when the flag reports none.
 */
export const enrichUsageDashboard = (context: FlagContext, id: number): Promise<void> =>
  retryOnConflict(async () => {
    const { deps, project } = context
    const flag = await findFlag(context, id)
    const present = await selectTileNames(deps.db, project.id, flag.usageDashboardId)
    if (flag.usageDashboardId === null || present.length === 0) throw refusal('Usage dashboard not found')
    const tiles = enrichedTiles(flag.key)
    if (present.some(({ name }) => tiles.some((tile) => tile.name === name))) {
      throw refusal('Usage dashboard already has enriched data')
    }
    if (!flag.hasEnrichedAnalytics) throw refusal('No enriched analytics available for this feature flag')
    await runBatch(deps.db, [
      guard(deps.db, sql`${isStillAs(flag)} AND ${hasTiles(flag.usageDashboardId, present.length)}`),
      addTiles(deps.db, project.id, flag.usageDashboardId, tiles),
    ])
  })
