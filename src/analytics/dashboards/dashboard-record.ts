// The records of dashboards, and their documentation.
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import { UserSummary } from '../../http/user-summary'
import { toApiTimestamp } from '../../timestamps'
import type { DashboardRow, TileRow } from './dashboard-rows'
import { daysOf, type seriesFrom } from './tile-data'
import { usageDashboardName, usageTiles } from './usage-dashboard'

/** The number of columns in the grid of tiles. */
const COLUMNS = 12

export const TileLayout = z
  .object({
    x: z
      .int()
      .min(0)
      .max(COLUMNS - 1),
    y: z.int().min(0).max(10_000),
    w: z.int().min(1).max(COLUMNS),
    h: z.int().min(1).max(100),
  })
  .meta({ id: 'TileLayout' })

export const TileLayoutDocs = (): SchemaDocs => ({
  description: 'Place and size of a tile on a grid of 12 columns.',
  fields: {
    x: 'First column, from 0.',
    y: 'First row, from 0.',
    w: 'Columns.',
    h: 'Rows.',
  },
  example: { x: 0, y: 0, w: 6, h: 5 },
})

/** Layouts by the width of the screen. */
export const TileLayouts = z.object({ sm: TileLayout.optional(), xs: TileLayout.optional() })

export const CREATION_MODES = ['default', 'template'] as const

/** Fields of a dashboard that lists have as well. */
const shared = {
  id: z.int(),
  name: z.string(),
  description: z.string(),
  creation_mode: z.enum(CREATION_MODES),
  deleted: z.boolean(),
  created_by: UserSummary.nullable(),
  created_at: dateTime(),
}

export const DashboardSummary = z.object(shared).meta({ id: 'DashboardBasic' })

const sharedDocs = () => ({
  id: 'Id of the dashboard.',
  name: 'Name of the dashboard.',
  description: 'Purpose of the dashboard; may be empty.',
  creation_mode: '`template` for the usage of a flag, which the flag creates; else `default`.',
  deleted: 'Whether it is deleted: true only in the response to its deletion.',
  created_by: 'User who created it; null for none.',
  created_at: 'Time of creation (ISO 8601, UTC, microseconds).',
})

const sharedExample = () => ({
  id: 1,
  name: usageDashboardName(EXAMPLE_FLAG),
  description: '',
  creation_mode: 'template',
  created_at: '2026-04-02T09:00:00Z',
})

export const DashboardSummaryDocs = (): SchemaDocs => ({
  description: 'A dashboard without its tiles.',
  fields: sharedDocs(),
  example: sharedExample(),
})

export const DashboardRecord = z
  .object({
    ...shared,
    filters: z.object({ date_from: z.string().nullable(), date_to: z.string().nullable() }),
    tiles: z.array(
      z.object({
        id: z.int(),
        layouts: TileLayouts,
        endpoint: z.string().nullable(),
        insight: z
          .object({
            id: z.int(),
            name: z.string(),
            query: z.record(z.string(), z.unknown()),
            result: z
              .array(
                z.object({
                  label: z.string(),
                  breakdown_value: z.string().nullable(),
                  count: z.number(),
                  data: z.array(z.number()),
                  days: z.array(z.string()),
                }),
              )
              .nullable(),
            error: z.string().nullable(),
          })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'Dashboard' })

export const DashboardRecordDocs = (): SchemaDocs => ({
  description: 'Charts of events, and saved queries that are pinned. Each flag has a dashboard of its usage.',
  fields: {
    ...sharedDocs(),
    filters: 'Date range for user interfaces.',
    'filters.date_from': 'Start: an offset such as `-7d`, or a date. Null for that of each tile.',
    'filters.date_to': 'End; null for now.',
    tiles: 'Tiles, in order of creation. Those of deleted saved queries are left out.',
    'tiles.id': 'Id of the tile.',
    'tiles.layouts': 'Place and size by width of the screen; empty before the tile is arranged.',
    'tiles.layouts.sm': 'On wide screens.',
    'tiles.layouts.xs': 'On phones.',
    'tiles.endpoint': 'Name of the saved query that is pinned, to be run by its name; null for a chart.',
    'tiles.insight': 'The chart of the tile; null for a saved query.',
    'tiles.insight.id': 'Id of the chart: that of its tile.',
    'tiles.insight.name': 'Title of the chart.',
    'tiles.insight.query': 'A `TrendsQuery` of one series, by day.',
    'tiles.insight.result':
      'Lines of the chart, largest first; one line of zeros without events. Null in responses to writes, and with an error.',
    'tiles.insight.error':
      'Why the chart has no result: it counts too many events for the built-in database. Null otherwise.',
    'tiles.insight.result.label': 'Result of the flag, or the name of the event.',
    'tiles.insight.result.breakdown_value':
      'Result of the flag: `true`, `false` or the key of a variant. Null for a line of all results.',
    'tiles.insight.result.count': 'Sum of `data`.',
    'tiles.insight.result.data': 'Events, or persons with an event, by day; oldest day first.',
    'tiles.insight.result.days': 'The days of `data`, `YYYY-MM-DD` in UTC. The last is today.',
  },
  example: {
    ...sharedExample(),
    tiles: usageTiles(EXAMPLE_FLAG).map(tileExample),
  },
})

const EXAMPLE_FLAG = 'new-checkout'

/** Counts of the last two days by tile: calls, then persons. */
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
  return {
    id: index + 1,
    layouts: {},
    endpoint: null,
    insight: { id: index + 1, name, query, result, error: null },
  }
}

interface TileResult {
  result: ReturnType<typeof seriesFrom> | null
  error: string | null
}

/** @param results of the charts; without them, the tiles' results are null */
export const dashboardFrom = (
  { filters, ...row }: DashboardRow,
  tiles: readonly TileRow[],
  results: readonly (TileResult | null)[] = [],
): z.output<typeof DashboardRecord> => ({
  ...row,
  created_at: toApiTimestamp(row.created_at),
  filters: filters ?? { date_from: null, date_to: null },
  tiles: tiles.map(({ id, name, query, endpointId, endpoint, layouts }, index) => ({
    id,
    layouts: (layouts ?? {}) as z.output<typeof TileLayouts>,
    endpoint: endpointId === null ? null : endpoint,
    insight:
      endpointId === null ? { id, name, query, ...(results[index] ?? { result: null, error: null }) } : null,
  })),
})
