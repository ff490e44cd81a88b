// Dashboards and their tiles as they are read.
import { and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { dashboards, dashboardTiles, endpoints } from '../../../drizzle'
import { userSummarySql } from '../../http/user-summary'
import type { Database } from '../../storage/database'
import { belongsTo, isAmong } from '../../storage/id-predicates'

export const dashboardColumns = {
  id: dashboards.id,
  name: dashboards.name,
  description: dashboards.description,
  creation_mode: dashboards.creationMode,
  deleted: dashboards.deleted,
  created_at: dashboards.createdAt,
  created_by: userSummarySql('dashboards.created_by_id').as('created_by'),
}

export const selectDashboard = (db: Database, projectId: number, id: number | SQL) =>
  db
    .select({ ...dashboardColumns, filters: dashboards.filters })
    .from(dashboards)
    .where(and(eq(dashboards.projectId, projectId), eq(dashboards.id, id)))

export const selectTiles = (db: Database, projectId: number, dashboardId: number | SQL) =>
  db
    .select({
      id: dashboardTiles.id,
      name: dashboardTiles.name,
      query: dashboardTiles.query,
      endpointId: dashboardTiles.endpointId,
      layouts: dashboardTiles.layouts,
      endpoint: sql<string | null>`${endpoints.name}`.as('endpoint_name'),
    })
    .from(dashboardTiles)
    .leftJoin(
      endpoints,
      and(
        eq(endpoints.id, dashboardTiles.endpointId),
        eq(endpoints.projectId, projectId),
        eq(endpoints.deleted, false),
      ),
    )
    .where(
      and(
        eq(dashboardTiles.projectId, projectId),
        eq(dashboardTiles.dashboardId, dashboardId),
        or(isNull(dashboardTiles.endpointId), isNotNull(endpoints.id)),
      ),
    )
    .orderBy(dashboardTiles.id)

export type DashboardRow = Awaited<ReturnType<typeof selectDashboard>>[number]
export type TileRow = Awaited<ReturnType<typeof selectTiles>>[number]

/** Selects those of the dashboards that exist. */
export const selectDashboards = (db: Database, projectId: number, ids: readonly unknown[]) =>
  db
    .select({ id: dashboards.id })
    .from(dashboards)
    .where(
      and(
        belongsTo(projectId, dashboards.projectId),
        eq(dashboards.deleted, false),
        isAmong(ids, dashboards.id),
      ),
    )
