import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type * as z from 'zod'
import { dashboards, dashboardTiles } from '../../../drizzle'
import { diff } from '../../activity/diff'
import type { Change } from '../../activity/entry'
import { verbOf } from '../../activity/verb'
import { recordActivity } from '../../activity/record'
import { invalid, notFound } from '../../errors'
import { guard } from '../../storage/database'
import { bumpGeneration } from '../../storage/flags-generation'
import { isAmong } from '../../storage/id-predicates'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { filtersIn, MAX_TILES, type Update } from './dashboard-body'
import type { DashboardRecord, TileLayouts } from './dashboard-record'
import { type DashboardRow, selectDashboard, selectTiles, type TileRow } from './dashboard-rows'
import { addPins, findPinned, type Pin, shownFrom, type WriteContext } from './write-statements'

/**
 * Updates a dashboard. `deleted` deletes or restores it. The activity log does not record the layout of tiles.
 * @throws 404, also when it is deleted and not restored; 400 naming the field
 */
export async function updateDashboard(
  context: WriteContext,
  id: number,
  body: Update,
): Promise<z.output<typeof DashboardRecord>> {
  const { deps, actor, project } = context
  const { db } = deps
  const sent = body.tiles ?? []
  const pins = sent.flatMap(({ id: tileId, endpoint, layouts, deleted }): Pin[] => {
    if (tileId !== undefined) return []
    if (deleted) throw invalid('tiles', 'A tile is deleted by its `id`.')
    if (!endpoint) throw invalid('tiles', 'A tile needs an `id` to be changed, or an `endpoint` to be added.')
    return [{ endpoint, layouts }]
  })
  const ids = await findPinned(context, pins)
  return retryOnConflict(async () => {
    const [[row], tiles] = await db.batch([
      selectDashboard(db, project.id, id),
      selectTiles(db, project.id, id),
    ])
    if (!row || (row.deleted && body.deleted !== false)) throw notFound()
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

/** @throws 400, attr `tiles`, for tiles of others, and for charts that would be removed. */
function planTiles(tiles: readonly TileRow[], sent: NonNullable<Update['tiles']>) {
  const known = new Map(tiles.map((tile) => [tile.id, tile]))
  const removed: number[] = []
  const arranged: { id: number; layouts: z.output<typeof TileLayouts> }[] = []
  for (const { id, endpoint, deleted = false, layouts } of sent) {
    if (id === undefined) continue
    const tile = known.get(id)
    if (!tile) throw invalid('tiles', `Tile ${id} does not exist on this dashboard.`, 'does_not_exist')
    if (endpoint && endpoint !== tile.endpoint)
      throw invalid(
        'tiles',
        `Tile ${id} keeps what it shows. Delete it, and add another one with the endpoint "${endpoint.slice(0, 100)}".`,
      )
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
