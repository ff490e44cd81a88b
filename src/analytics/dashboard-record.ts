// A dashboard as it is shown: its tiles, with what they count.
import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { dashboards, dashboardTiles } from '../../drizzle'
import { UserSummary, userSummaryFrom, userSummarySql } from '../http/user-summary'
import type { Project } from '../auth/actor'
import type { Deps } from '../deps'
import { notFound } from '../errors'
import { dateTime } from '../http/fields'
import { shown } from '../timestamps'
import { engineFor } from './engine'
import { countFlagEvents } from './event-reads'
import { daysOf, flagEventsOf, seriesFrom } from './tile-data'
import type { TileQuery } from './usage-dashboard'

export const DashboardRecord = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    created_by: UserSummary.nullable(),
    created_at: dateTime(),
    tiles: z.array(
      z.object({
        id: z.int(),
        insight: z.object({
          id: z.int(),
          name: z.string(),
          query: z.record(z.string(), z.unknown()),
          result: z.array(
            z.object({
              label: z.string(),
              breakdown_value: z.string().nullable(),
              count: z.number(),
              data: z.array(z.number()),
              days: z.array(z.string()),
            }),
          ),
        }),
      }),
    ),
  })
  .meta({ id: 'Dashboard' })

/**
 * Reads a dashboard of a project with its data.
 * @throws 404 when the project has no such dashboard, or it is deleted; 503 when its events cannot be read.
 */
export async function readDashboard(
  { deps, project }: { deps: Deps; project: Project },
  id: number,
): Promise<z.output<typeof DashboardRecord>> {
  const { db, clock } = deps
  const [[dashboard], tiles] = await db.batch([
    db
      .select({
        id: dashboards.id,
        name: dashboards.name,
        description: dashboards.description,
        createdAt: dashboards.createdAt,
        createdBy: userSummarySql('dashboards.created_by_id').as('created_by'),
      })
      .from(dashboards)
      .where(and(eq(dashboards.projectId, project.id), eq(dashboards.id, id), eq(dashboards.deleted, false))),
    db
      .select()
      .from(dashboardTiles)
      .where(and(eq(dashboardTiles.projectId, project.id), eq(dashboardTiles.dashboardId, id)))
      .orderBy(dashboardTiles.id),
  ])
  if (!dashboard) throw notFound()

  const charts = tiles.map((tile) => {
    const query = tile.query as TileQuery
    return { ...tile, query, days: daysOf(query, clock.now()) }
  })
  const engine = engineFor(deps, project.store)
  const data = await Promise.all(
    charts.map(({ query, days }) => countFlagEvents(engine, project.id, flagEventsOf(query, days))),
  )
  return {
    id: dashboard.id,
    name: dashboard.name,
    description: dashboard.description,
    created_by: userSummaryFrom(dashboard.createdBy),
    created_at: shown(dashboard.createdAt),
    tiles: charts.map(({ id: tileId, name, query, days }, index) => ({
      id: tileId,
      insight: {
        id: tileId,
        name,
        query,
        result: seriesFrom(data[index] ?? [], query.series[0]?.event ?? '', days),
      },
    })),
  }
}
