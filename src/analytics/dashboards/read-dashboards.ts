// Reads one dashboard with its data, and lists dashboards.
import { and, desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { dashboards } from '../../../drizzle'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { ApiError, notFound } from '../../errors'
import { pageQuery, searchTerm } from '../../http/fields'
import { page } from '../../http/pagination'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { toApiTimestamp } from '../../timestamps'
import { engineFor } from '../engine/select-engine'
import { countFlagEvents } from '../event-reads/flag-events'
import {
  CREATION_MODES,
  dashboardFrom,
  type DashboardRecord,
  type DashboardSummary,
} from './dashboard-record'
import { dashboardColumns, selectDashboard, selectTiles } from './dashboard-rows'
import { daysOf, flagEventsOf, seriesFrom } from './tile-data'
import type { TileQuery } from './usage-dashboard'

/**
 * Reads a dashboard with its data.
 * @throws 404 when the project has no such dashboard, or it is deleted; 503 when the analytics store is unavailable.
 */
export async function getDashboard(
  { deps, project }: { deps: Deps; project: Project },
  id: number,
): Promise<z.output<typeof DashboardRecord>> {
  const { db, clock } = deps
  const [[dashboard], tiles] = await db.batch([
    selectDashboard(db, project.id, id),
    selectTiles(db, project.id, id),
  ])
  if (!dashboard || dashboard.deleted) throw notFound()

  const now = clock.now()
  const engine = engineFor(deps, project)
  const results = await Promise.all(
    tiles.map(async ({ endpointId, query: stored }) => {
      if (endpointId !== null) return null
      const query = stored as TileQuery
      const days = daysOf(query, now)
      try {
        const rows = await countFlagEvents(engine, project.id, flagEventsOf(query, days))
        return { result: seriesFrom(rows, query.series[0]?.event ?? '', days), error: null }
      } catch (error) {
        // The other charts of the dashboard may take fewer events.
        if (error instanceof ApiError && error.code === 'query_too_expensive')
          return { result: null, error: error.detail }
        throw error
      }
    }),
  )
  return dashboardFrom(dashboard, tiles, results)
}

export const DashboardQuery = z.object({
  search: searchTerm().optional(),
  creation_mode: z.enum(CREATION_MODES).optional(),
  ...pageQuery,
})

/** A page of dashboards, newest first. @param url of the request, for the links to other pages. */
export async function listDashboards(
  db: Database,
  projectId: number,
  query: z.output<typeof DashboardQuery>,
  url: URL,
) {
  const { search, creation_mode: mode, limit, offset } = query
  const isListed = and(
    eq(dashboards.projectId, projectId),
    eq(dashboards.deleted, false),
    mode === undefined ? undefined : eq(dashboards.creationMode, mode),
    search ? sql`instr(lower(${dashboards.name}), lower(${search.trim()}))` : undefined,
  )
  const [counts, rows] = await db.batch([
    countOf(db, dashboards, isListed),
    db
      .select(dashboardColumns)
      .from(dashboards)
      .where(isListed)
      .orderBy(desc(dashboards.id))
      .limit(limit)
      .offset(offset),
  ])
  return page(
    url,
    query,
    totalIn(counts),
    rows.map((row): z.output<typeof DashboardSummary> => ({
      ...row,
      created_at: toApiTimestamp(row.created_at),
    })),
  )
}
