// Creates, updates, deletes and restores dashboards.
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import * as z from 'zod'
import { dashboards, dashboardTiles, endpoints } from '../../../drizzle'
import { diff } from '../../activity/diff'
import type { ActivityVerb, Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import { type Actor, type Project, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, notFound } from '../../errors'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { boolean, integer, text } from '../../http/fields'
import { guard } from '../../storage/database'
import { bumpGeneration } from '../../storage/flags-generation'
import { isAmong } from '../../storage/id-predicates'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import {
  dashboardFrom,
  type DashboardRecord,
  type DashboardRow,
  selectDashboard,
  selectTiles,
  TileLayouts,
  type TileRow,
} from './dashboards'

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
  fields: { ...bodyFields(), tiles: `Saved queries to pin, at most ${MAX_TILES}.` },
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
    'tiles.endpoint': 'Name of a saved query to pin. Has no effect with `id`.',
    'tiles.deleted': 'True removes the pinned saved query. Charts of the usage of a flag stay.',
    deleted: 'True deletes the dashboard, false restores it.',
  },
  example: { tiles: [{ id: 1, layouts: { sm: { x: 6, y: 0, w: 6, h: 5 } } }] },
})

type Body = z.output<typeof DashboardBody>
type Update = z.output<typeof DashboardUpdate>
type Filters = DashboardRow['filters']
type Shown = z.output<typeof DashboardRecord>

interface WriteContext {
  deps: Deps
  actor: Actor
  project: Project
}

/** A saved query that a tile shows. */
interface Pin {
  endpoint: string
  layouts?: z.output<typeof TileLayouts> | undefined
}

/** Returns ids of saved queries by name. @throws 400, attr `tiles`, for a name without one */
async function findPinned({ deps: { db }, project }: WriteContext, pins: readonly Pin[]) {
  if (pins.length === 0) return new Map<string, string>()
  const names = pins.map(({ endpoint }) => endpoint)
  const rows = await db
    .select({ id: endpoints.id, name: endpoints.name })
    .from(endpoints)
    .where(
      and(eq(endpoints.projectId, project.id), eq(endpoints.deleted, false), isAmong(names, endpoints.name)),
    )
  const found = new Map(rows.map(({ id, name }) => [name, id]))
  for (const name of names)
    if (!found.has(name)) throw invalid('tiles', `Saved query "${name}" does not exist.`, 'does_not_exist')
  return found
}

/** The statement that adds tiles. All of them are one parameter. */
const addPins = (
  { deps: { db }, project }: WriteContext,
  dashboardId: number | SQL,
  pins: readonly Pin[],
  ids: ReadonlyMap<string, string>,
) => {
  const rows = JSON.stringify(
    pins.map(({ endpoint, layouts }) => ({ id: ids.get(endpoint), layouts: layouts ?? {} })),
  )
  // The values are in the order of the table's columns.
  return db.insert(dashboardTiles).select(
    sql`SELECT NULL, ${dashboardId}, ${project.id}, '', '{}', pin.value ->> '$.id', pin.value -> '$.layouts'
      FROM json_each(${rows}) pin WHERE true ORDER BY pin.key`,
  )
}

const filtersIn = ({ date_from: from, date_to: to }: NonNullable<Body['filters']>): Filters => ({
  date_from: from ?? null,
  date_to: to ?? null,
})

/** @throws 400 naming the field. */
export async function createDashboard(context: WriteContext, body: Body): Promise<Shown> {
  const { deps, actor, project } = context
  const { db } = deps
  const pins = body.tiles ?? []
  const ids = await findPinned(context, pins)
  const now = deps.clock.now()
  const name = body.name ?? ''
  // Within the batch, the project's newest dashboard is the one that the batch inserts.
  const id = sql<number>`(SELECT max(d.id) FROM dashboards d WHERE d.project_id = ${project.id})`
  const results = await runBatch(db, [
    db.insert(dashboards).values({
      projectId: project.id,
      name,
      description: body.description ?? '',
      creationMode: 'default',
      filters: body.filters ? filtersIn(body.filters) : null,
      createdById: userOf(actor)?.id ?? null,
      createdAt: toStoredTimestamp(now),
    }),
    ...(pins.length > 0 ? [addPins(context, id, pins, ids)] : []),
    recordActivity(deps, now, {
      projectId: project.id,
      actor,
      scope: 'Dashboard',
      itemId: sql`CAST(${id} AS TEXT)`,
      verb: 'created',
      name,
      changes: [],
    }),
    selectDashboard(db, project.id, id),
    selectTiles(db, project.id, id),
  ])
  return shownFrom(results)
}

const shownFrom = (results: readonly unknown[]): Shown => {
  const [[row], tiles] = results.slice(-2) as [DashboardRow[], TileRow[]]
  return dashboardFrom(row!, tiles)
}

/**
 * Updates a dashboard. `deleted` deletes or restores it. The activity log does not record the layout of tiles.
 * @throws 404; 400 naming the field
 */
export async function updateDashboard(context: WriteContext, id: number, body: Update): Promise<Shown> {
  const { deps, actor, project } = context
  const { db } = deps
  const sent = body.tiles ?? []
  const pins = sent.flatMap(({ id: tileId, endpoint, layouts }): Pin[] => {
    if (tileId !== undefined) return []
    if (!endpoint) throw invalid('tiles', 'A tile needs an `id` to be changed, or an `endpoint` to be added.')
    return [{ endpoint, layouts }]
  })
  const ids = await findPinned(context, pins)
  return retryOnConflict(async () => {
    const [[row], tiles] = await db.batch([
      selectDashboard(db, project.id, id),
      selectTiles(db, project.id, id),
    ])
    if (!row) throw notFound()
    const after = {
      name: body.name ?? row.name,
      description: body.description ?? row.description,
      filters: body.filters ? filtersIn(body.filters) : row.filters,
      deleted: body.deleted ?? row.deleted,
    }
    const { removed, arranged } = planTiles(tiles, sent)
    const left = tiles.filter((tile) => !removed.includes(tile.id))
    if (left.length + pins.length > MAX_TILES)
      throw invalid('tiles', `A dashboard has at most ${MAX_TILES} tiles.`)
    const changes: Change[] = [
      ...diff('Dashboard', ['name', 'description', 'filters', 'deleted'], row, after),
      ...diff(
        'Dashboard',
        ['tiles'],
        { tiles: tiles.map(titleOf) },
        { tiles: [...left.map(titleOf), ...pins.map(({ endpoint }) => endpoint)] },
      ),
    ]
    const now = deps.clock.now()
    const isDashboard = and(eq(dashboards.projectId, project.id), eq(dashboards.id, id))!
    const results = await runBatch(db, [
      guard(db, isUnchanged(row, tiles)),
      db.update(dashboards).set(after).where(isDashboard),
      // A flag's record names its dashboards that are not deleted, so that the generation increases.
      ...(after.deleted === row.deleted ? [] : [bumpGeneration(db, project.id)]),
      ...tileStatements(context, id, removed, arranged),
      ...(pins.length > 0 ? [addPins(context, sql`${id}`, pins, ids)] : []),
      ...(changes.length > 0
        ? [
            recordActivity(deps, now, {
              projectId: project.id,
              actor,
              scope: 'Dashboard',
              itemId: String(id),
              verb: verbOf(row.deleted, after.deleted),
              name: after.name,
              changes,
            }),
          ]
        : []),
      selectDashboard(db, project.id, id),
      selectTiles(db, project.id, id),
    ])
    return shownFrom(results)
  })
}

const titleOf = ({ endpoint, name }: TileRow): string => endpoint ?? name

function verbOf(before: boolean, after: boolean): ActivityVerb {
  if (before === after) return 'updated'
  return after ? 'deleted' : 'restored'
}

/** @throws 400, attr `tiles`, for tiles of others, and for charts that would be removed. */
function planTiles(tiles: readonly TileRow[], sent: NonNullable<Update['tiles']>) {
  const known = new Map(tiles.map((tile) => [tile.id, tile]))
  const removed: number[] = []
  const arranged: { id: number; layouts: z.output<typeof TileLayouts> }[] = []
  for (const { id, deleted = false, layouts } of sent) {
    if (id === undefined) continue
    const tile = known.get(id)
    if (!tile) throw invalid('tiles', `Tile ${id} does not exist on this dashboard.`, 'does_not_exist')
    if (!deleted) {
      if (layouts) arranged.push({ id, layouts })
    } else if (tile.endpointId === null) {
      throw invalid('tiles', 'A chart of the usage of a flag cannot be removed.')
    } else {
      removed.push(id)
    }
  }
  return { removed, arranged }
}

/** Statements for changed tiles. They also remove the tiles of deleted saved queries. */
function tileStatements(
  { deps: { db }, project }: WriteContext,
  dashboardId: number,
  removed: readonly number[],
  arranged: readonly { id: number; layouts: unknown }[],
): BatchItem<'sqlite'>[] {
  const isTile = and(eq(dashboardTiles.projectId, project.id), eq(dashboardTiles.dashboardId, dashboardId))
  const wanted = sql`json_each(${JSON.stringify(arranged)}) wanted`
  return [
    db.delete(dashboardTiles).where(
      and(
        isTile,
        sql`${dashboardTiles.endpointId} IS NOT NULL AND (${isAmong(removed, dashboardTiles.id)}
            OR NOT EXISTS (SELECT 1 FROM endpoints e WHERE e.id = ${dashboardTiles.endpointId} AND NOT e.deleted))`,
      ),
    ),
    ...(arranged.length === 0
      ? []
      : [
          db
            .update(dashboardTiles)
            .set({
              layouts: sql`(SELECT wanted.value -> '$.layouts' FROM ${wanted} WHERE wanted.value ->> '$.id' = ${dashboardTiles.id})`,
            })
            .where(and(isTile, sql`${dashboardTiles.id} IN (SELECT value ->> '$.id' FROM ${wanted})`)),
        ]),
  ]
}

/** Write guard: the dashboard and its tiles are those that the update was planned on. */
const isUnchanged = (row: DashboardRow, tiles: readonly TileRow[]): SQL =>
  sql`EXISTS (SELECT 1 FROM dashboards d WHERE d.id = ${row.id} AND d.name = ${row.name} AND d.description = ${row.description}
      AND d.deleted = ${Number(row.deleted)} AND d.filters IS ${row.filters === null ? null : JSON.stringify(row.filters)})
    AND (SELECT count(*) FROM dashboard_tiles t LEFT JOIN endpoints e ON e.id = t.endpoint_id AND NOT e.deleted
      WHERE t.dashboard_id = ${row.id} AND (t.endpoint_id IS NULL OR e.id IS NOT NULL)) = ${tiles.length}`
