// The bodies that create and change a dashboard, and their documentation.
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { boolean, falseOnCreate, integer, text } from '../../http/fields'
import { type DashboardRecord, TileLayouts } from './dashboard-record'

/** Maximum tiles of a dashboard. */
export const MAX_TILES = 50

const dateBound = () =>
  z
    .string()
    .regex(/^(-\d{1,4}[hdwmqy]|\d{4}-\d{2}-\d{2})$/, {
      error: 'Must be an offset such as -7d, or a date (YYYY-MM-DD).',
    })
    .nullish()

const NewTile = z.object({ endpoint: text(), layouts: TileLayouts.optional() })

const TileChange = z.object({
  id: integer({ min: 1 }).optional(),
  endpoint: text().nullish(),
  layouts: TileLayouts.optional(),
  deleted: boolean().optional(),
})

export const DashboardBody = z
  .object({
    name: text({ max: 400, blank: true }).optional(),
    description: text({ max: 1000, blank: true }).optional(),
    filters: z.strictObject({ date_from: dateBound(), date_to: dateBound() }).optional(),
    tiles: z.array(NewTile).max(MAX_TILES).optional(),
    deleted: falseOnCreate('A new dashboard cannot be deleted. Create it, and send deleted by PATCH.'),
  })
  .meta({ id: 'DashboardBody' })

const bodyFields = () => ({
  name: 'Name, at most 400 characters. Default empty.',
  description: 'Purpose, at most 1,000 characters. Default empty.',
  filters: 'Date range for user interfaces. Default: that of each tile.',
  'filters.date_from': 'Start: an offset such as `-7d`, or a date. Null for that of each tile.',
  'filters.date_to': 'End: the same. Null for now.',
  'tiles.endpoint': 'Name of a saved query to pin.',
  'tiles.layouts': 'Place and size by width of the screen.',
  'tiles.layouts.sm': 'On wide screens.',
  'tiles.layouts.xs': 'On phones.',
})

const bodyExample = () => ({
  name: 'Sales',
  tiles: [{ endpoint: 'revenue', layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } } }],
})

export const DashboardBodyDocs = (): SchemaDocs => ({
  description: 'A dashboard to create.',
  fields: {
    ...bodyFields(),
    tiles: `Saved queries to pin, at most ${MAX_TILES}.`,
    deleted: 'Not supported: true is a 400, because updates delete.',
  },
  example: bodyExample(),
})

export const DashboardUpdate = DashboardBody.extend({
  tiles: z.array(TileChange).max(MAX_TILES).optional(),
  deleted: boolean().optional(),
}).meta({ id: 'DashboardUpdate' })

export const DashboardUpdateDocs = (): SchemaDocs => ({
  description: 'Fields of a dashboard to change; absent ones stay the same.',
  fields: {
    ...bodyFields(),
    tiles: `Tiles to add (with \`endpoint\`) or to change (with \`id\`). Others stay the same. A dashboard has at most ${MAX_TILES} tiles.`,
    'tiles.id': 'Id of a tile to change.',
    'tiles.endpoint': 'Name of a saved query to pin. With `id`, only that of the tile.',
    'tiles.deleted':
      'True removes the pinned saved query that `id` names. Charts of the usage of a flag stay.',
    deleted: 'True deletes the dashboard, false restores it.',
  },
  example: { tiles: [{ id: 1, layouts: { sm: { x: 6, y: 0, w: 6, h: 5 } } }] },
})

type Filters = z.output<typeof DashboardRecord>['filters']

export type Body = z.output<typeof DashboardBody>

export type Update = z.output<typeof DashboardUpdate>

/** The stored form of the date range that was sent. */
export const filtersIn = ({ date_from: from, date_to: to }: NonNullable<Body['filters']>): Filters => ({
  date_from: from ?? null,
  date_to: to ?? null,
})
