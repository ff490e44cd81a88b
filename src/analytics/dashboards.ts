import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { dashboards, dashboardTiles } from '../../drizzle'
import type { Project } from '../auth/actor'
import { UserSummary, userSummaryFrom, userSummarySql } from '../http/user-summary'
import type { Deps } from '../deps'
import { notFound } from '../errors'
import { ada } from '../http/docs/examples'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime } from '../http/fields'
import type { Database } from '../storage/database'
import { belongsTo, isAmong } from '../storage/id-predicates'
import { toApiTimestamp } from '../timestamps'
import { engineFor } from './engine/select-engine'
import { countFlagEvents } from './event-reads'
import { daysOf, flagEventsOf, seriesFrom } from './tile-data'
import { type TileQuery, usageDashboardName, usageTiles } from './usage-dashboard'

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

export const DashboardRecordDocs = (): SchemaDocs => ({
  description: 'Charts of events of a project. Each flag has a dashboard of its usage.',
  fields: {
    id: 'Id of the dashboard.',
    name: 'Name of the dashboard.',
    description: 'Purpose of the dashboard; may be empty.',
    created_by: 'User who created it; null for none.',
    created_at: 'Time of creation (ISO 8601, UTC, microseconds).',
    tiles: 'Charts, in order of creation.',
    'tiles.id': 'Id of the tile.',
    'tiles.insight': 'The chart of the tile.',
    'tiles.insight.id': 'Id of the chart: that of its tile.',
    'tiles.insight.name': 'Title of the chart.',
    'tiles.insight.query': 'A `TrendsQuery` of one series, by day.',
    'tiles.insight.result': 'Lines of the chart, largest first; one line of zeros without events.',
    'tiles.insight.result.label': 'Result of the flag, or the name of the event.',
    'tiles.insight.result.breakdown_value':
      'Result of the flag: `true`, `false` or the key of a variant. Null for a line of all results.',
    'tiles.insight.result.count': 'Sum of `data`.',
    'tiles.insight.result.data': 'Events, or persons with an event, by day; oldest day first.',
    'tiles.insight.result.days': 'The days of `data`, `YYYY-MM-DD` in UTC. The last is today.',
  },
  example: {
    id: 1,
    name: usageDashboardName(EXAMPLE_FLAG),
    description: '',
    created_by: ada,
    created_at: '2026-04-02T09:00:00Z',
    tiles: usageTiles(EXAMPLE_FLAG).map(tileExample),
  },
})

const EXAMPLE_FLAG = 'new-checkout'

/** Last two days by tile: calls, then persons. */
const exampleCounts = [
  { true: [412, 398], false: [61, 73] },
  { true: [128, 119], false: [20, 24] },
] as const

function tileExample({ name, query }: ReturnType<typeof usageTiles>[number], index: number) {
  const days = daysOf(query, new Date('2026-04-02T12:00:00Z'))
  const result = Object.entries(exampleCounts[index]!).map(([label, last]) => ({
    label,
    breakdown_value: label,
    count: last[0] + last[1],
    data: days.map((_, day) => last[day - days.length + last.length] ?? 0),
    days,
  }))
  return { id: index + 1, insight: { id: index + 1, name, query, result } }
}

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
    db
      .select({
        id: dashboards.id,
        name: dashboards.name,
        description: dashboards.description,
        created_at: dashboards.createdAt,
        created_by: userSummarySql('dashboards.created_by_id').as('created_by'),
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
    ...dashboard,
    created_by: userSummaryFrom(dashboard.created_by),
    created_at: toApiTimestamp(dashboard.created_at),
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

/** The existing ones of these dashboards. */
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
