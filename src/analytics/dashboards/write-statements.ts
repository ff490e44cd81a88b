// Statements and facts that creating and updating a dashboard share.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { dashboardTiles, endpoints } from '../../../drizzle'
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import { isAmong } from '../../storage/id-predicates'
import { dashboardFrom, type DashboardRecord, type TileLayouts } from './dashboard-record'
import type { DashboardRow, TileRow } from './dashboard-rows'

export interface WriteContext {
  deps: Deps
  actor: Actor
  project: Project
}

/** A saved query that a tile shows. */
export interface Pin {
  endpoint: string
  layouts?: z.output<typeof TileLayouts> | undefined
}

/** Returns ids of saved queries by name. @throws 400, attr `tiles`, for a name without one */
export async function findPinned({ deps: { db }, project }: WriteContext, pins: readonly Pin[]) {
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
export const addPins = (
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

/** The record after a write, whose batch ends with the dashboard and its tiles. */
export const shownFrom = (results: readonly unknown[]): z.output<typeof DashboardRecord> => {
  const [[row], tiles] = results.slice(-2) as [DashboardRow[], TileRow[]]
  return dashboardFrom(row!, tiles)
}
