// The dashboard about a flag's use: which tiles it has, and the statements that make it. Tiles are queries over `$feature_flag_called`.
import { eq, type SQL, sql } from 'drizzle-orm'
import { dashboards, dashboardTiles } from '../../drizzle'
import type { Database } from '../storage/database'

/** What a tile counts. */
export interface TileQuery extends Record<string, unknown> {
  kind: 'TrendsQuery'
  series: { kind: 'EventsNode'; event: string; name: string; math: 'total' | 'dau' }[]
  /** Only events about this flag. */
  properties: { key: '$feature_flag' | 'feature_flag'; type: 'event'; operator: 'exact'; value: string }[]
  breakdownFilter?: { breakdown: '$feature_flag_response'; breakdown_type: 'event' }
  dateRange: { date_from: string }
  interval: 'day'
}

interface Tile {
  name: string
  query: TileQuery
}

const CALLED = '$feature_flag_called'
const MONTH = { date_from: '-30d' }

const trend = (
  event: string,
  math: 'total' | 'dau',
  property: '$feature_flag' | 'feature_flag',
  key: string,
): TileQuery => ({
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event, name: event, math }],
  properties: [{ key: property, type: 'event', operator: 'exact', value: key }],
  ...(event === CALLED
    ? { breakdownFilter: { breakdown: '$feature_flag_response', breakdown_type: 'event' } }
    : {}),
  dateRange: MONTH,
  interval: 'day',
})

/** Tiles that every usage dashboard has. */
export const usageTiles = (key: string): Tile[] => [
  { name: 'Feature Flag Called Total Volume', query: trend(CALLED, 'total', '$feature_flag', key) },
  {
    name: 'Feature Flag calls made by unique users per variant',
    query: trend(CALLED, 'dau', '$feature_flag', key),
  },
]

/** Tiles that are added when the flag's feature reports its own views and interactions. */
export const enrichedTiles = (key: string): Tile[] => [
  {
    name: 'Feature Interaction Total Volume',
    query: trend('$feature_interaction', 'total', 'feature_flag', key),
  },
  { name: 'Feature Viewed Total Volume', query: trend('$feature_view', 'total', 'feature_flag', key) },
]

/** The name of the dashboard about a flag's use. */
export const usageDashboardName = (key: string) => `Generated Dashboard: ${key} Usage`

/** Where the dashboard stands: its id, or SQL for it while it is made in the same batch. */
type DashboardReference = number | SQL

/** The statement that adds tiles to a dashboard. */
export const addTiles = (
  db: Database,
  projectId: number,
  dashboard: DashboardReference,
  tiles: readonly Tile[],
) =>
  db
    .insert(dashboardTiles)
    .values(tiles.map((tile) => ({ ...tile, dashboardId: dashboard as number, projectId })))

/** The statements that make the dashboard of a flag. `dashboardId` is SQL for the id that the first of them gives out. */
export function newUsageDashboard(
  db: Database,
  {
    projectId,
    key,
    createdById,
    at,
  }: { projectId: number; key: string; createdById: number | null; at: string },
) {
  const dashboardId = sql`(SELECT max(d.id) FROM dashboards d WHERE d.project_id = ${projectId})`
  return {
    dashboardId,
    statements: [
      db.insert(dashboards).values({ projectId, name: usageDashboardName(key), createdById, createdAt: at }),
      addTiles(db, projectId, dashboardId, usageTiles(key)),
    ],
  }
}

/** The statements that let a dashboard follow its flag to another key. */
export const renameUsageDashboard = (db: Database, dashboardId: number, key: string) => [
  db
    .update(dashboards)
    .set({ name: usageDashboardName(key) })
    .where(eq(dashboards.id, dashboardId)),
  db
    .update(dashboardTiles)
    .set({ query: sql`json_set(query, '$.properties[0].value', ${key})` })
    .where(eq(dashboardTiles.dashboardId, dashboardId)),
]

/** The statement that reads the names of a dashboard's tiles; no rows when the dashboard is gone. */
export const selectTileNames = (db: Database, projectId: number, dashboardId: number | null) =>
  db
    .select({ name: dashboardTiles.name })
    .from(dashboardTiles)
    .innerJoin(dashboards, eq(dashboards.id, dashboardTiles.dashboardId))
    .where(
      sql`${dashboardTiles.dashboardId} = ${dashboardId} AND ${dashboards.projectId} = ${projectId} AND NOT ${dashboards.deleted}`,
    )

/** The condition, for a guard, that a dashboard has so many tiles. */
export const hasTiles = (dashboardId: number, count: number): SQL =>
  sql`(SELECT count(*) FROM dashboard_tiles t WHERE t.dashboard_id = ${dashboardId}) = ${count}`
