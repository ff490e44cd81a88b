import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { dashboards, dashboardTiles } from '../../../drizzle'
import { UserSummary, userSummaryFrom, userSummarySql } from '../../account/user-summary'
import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import { runBatch } from '../../storage/run-batch'
import { shown } from '../../timestamps'
import { daysOf, selectTileData, seriesFrom } from '../tile-data'
import type { TileQuery } from '../usage-dashboard'

const Dashboard = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    created_by: UserSummary.nullable(),
    created_at: z.string().meta({ format: 'date-time' }),
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

export const retrieveDashboard = operation({
  id: 'dashboards_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/dashboards/:id/',
  summary: 'Read a dashboard with its data',
  scope: 'dashboard:read',
  params: z.object({ id: id() }),
  responses: { 200: Dashboard, 404: ErrorBody },
  async handle({ deps: { db, clock }, project, params }) {
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
        .where(
          and(
            eq(dashboards.projectId, project.id),
            eq(dashboards.id, params.id),
            eq(dashboards.deleted, false),
          ),
        ),
      db
        .select()
        .from(dashboardTiles)
        .where(and(eq(dashboardTiles.projectId, project.id), eq(dashboardTiles.dashboardId, params.id)))
        .orderBy(dashboardTiles.id),
    ])
    if (!dashboard) throw notFound()

    const charts = tiles.map((tile) => {
      const query = tile.query as TileQuery
      return { ...tile, query, days: daysOf(query, clock.now()) }
    })
    const data = await runBatch(
      db,
      charts.map(({ query, days }) => selectTileData(db, project.id, query, days)),
    )
    return {
      id: dashboard.id,
      name: dashboard.name,
      description: dashboard.description,
      created_by: userSummaryFrom(dashboard.createdBy),
      created_at: shown(dashboard.createdAt),
      tiles: charts.map(({ id: tileId, name, query, days }, index) => {
        const rows = data[index] as Awaited<ReturnType<typeof selectTileData>>
        return {
          id: tileId,
          insight: { id: tileId, name, query, result: seriesFrom(rows, query.series[0]?.event ?? '', days) },
        }
      }),
    }
  },
})
