// The usage dashboard of a flag. Its tiles are queries of `$feature_flag_called`.
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { dashboards, dashboardTiles } from '../../../drizzle'
import { type Author, recordActivity } from '../../activity/record'
import type { Ids } from '../../clock'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'

export interface TileQuery extends Record<string, unknown> {
  kind: 'TrendsQuery'
  series: { kind: 'EventsNode'; event: string; name: string; math: 'total' | 'dau' }[]
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

export const usageTiles = (key: string): Tile[] => [
  { name: 'Feature Flag Called Total Volume', query: trend(CALLED, 'total', '$feature_flag', key) },
  {
    name: 'Feature Flag calls made by unique users per variant',
    query: trend(CALLED, 'dau', '$feature_flag', key),
  },
]

/** Tiles for flags whose feature reports its own views and interactions. */
export const enrichedTiles = (key: string): Tile[] => [
  {
    name: 'Feature Interaction Total Volume',
    query: trend('$feature_interaction', 'total', 'feature_flag', key),
  },
  { name: 'Feature Viewed Total Volume', query: trend('$feature_view', 'total', 'feature_flag', key) },
]

export const usageDashboardName = (key: string) => `Generated Dashboard: ${key} Usage`

/** An id, or SQL for it in the batch that creates the dashboard. */
type DashboardReference = number | SQL

export const addTiles = (
  db: Database,
  projectId: number,
  dashboard: DashboardReference,
  tiles: readonly Tile[],
) =>
  db
    .insert(dashboardTiles)
    .values(tiles.map((tile) => ({ ...tile, dashboardId: dashboard as number, projectId })))

/** SQL of the newest dashboard of a project. Within a batch, it is the one that the batch inserts. */
export const newestDashboard = (projectId: number) =>
  sql<number>`(SELECT max(d.id) FROM dashboards d WHERE d.project_id = ${projectId})`

/** Statements that create a dashboard, with its entry in the activity log. `dashboardId` is SQL of its id. */
export function newUsageDashboard(
  { db, ids }: { db: Database; ids: Ids },
  { projectId, key, author, now }: { projectId: number; key: string; author: Author; now: Date },
) {
  const dashboardId = newestDashboard(projectId)
  const name = usageDashboardName(key)
  return {
    dashboardId,
    statements: [
      db
        .insert(dashboards)
        .values({ projectId, name, createdById: author.userId, createdAt: toStoredTimestamp(now) }),
      addTiles(db, projectId, dashboardId, usageTiles(key)),
      recordActivity({ db, ids }, now, {
        projectId,
        actor: author,
        scope: 'Dashboard',
        itemId: sql`CAST(${dashboardId} AS TEXT)`,
        verb: 'created',
        name,
        changes: [],
      }),
    ],
  }
}

/** Has the charts of a usage dashboard show the flag under its new key. As upstream, the dashboard keeps its name. */
export const followKey = (db: Database, dashboardId: number, key: string) =>
  db
    .update(dashboardTiles)
    .set({ query: sql`json_set(query, '$.properties[0].value', ${key})` })
    .where(and(eq(dashboardTiles.dashboardId, dashboardId), isNull(dashboardTiles.endpointId)))

/** Selects the names of tiles. There are no rows when the dashboard is deleted. */
export const selectTileNames = (db: Database, projectId: number, dashboardId: number | null) =>
  db
    .select({ name: dashboardTiles.name })
    .from(dashboardTiles)
    .innerJoin(dashboards, eq(dashboards.id, dashboardTiles.dashboardId))
    .where(
      sql`${dashboardTiles.dashboardId} = ${dashboardId} AND ${dashboards.projectId} = ${projectId} AND NOT ${dashboards.deleted}`,
    )

/** Write guard: the dashboard has so many tiles. */
export const hasTiles = (dashboardId: number, count: number): SQL =>
  sql`(SELECT count(*) FROM dashboard_tiles t WHERE t.dashboard_id = ${dashboardId}) = ${count}`
