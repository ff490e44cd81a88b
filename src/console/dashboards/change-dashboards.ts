// Changes of dashboards, with undo.
import { patch, post } from '../api/client'
import { type Dashboard, dashboardsKey, type Tile } from '../api/dashboards'
import { dashboardQuery, inProject, queryClient, itemIn } from '../api/queries'
import type { components } from '../api/schema'
import { say, sayProblem } from '../design/popups/toast'
import { type Action, doing } from '../edit/doing'
import { placesOf, sizesOf } from './layout'
import { titleOfQuery } from './title'

type Update = components['schemas']['DashboardUpdate']

export const createDashboard = (
  projectId: number,
  name: string,
  tiles: { endpoint: string }[] = [],
): Promise<Dashboard> =>
  post('/api/projects/{project_id}/dashboards/', { path: inProject(projectId) }, { name, tiles })

const sendUpdate = (projectId: number, id: number, body: Update): Promise<Dashboard> =>
  patch('/api/projects/{project_id}/dashboards/{id}/', itemIn(projectId, id), body)

export const refreshList = (projectId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: dashboardsKey(projectId) })

/** Puts a dashboard, as a write has it, into what its page shows; charts keep their data. */
function showDashboard(projectId: number, written: Dashboard): void {
  const { queryKey } = dashboardQuery(projectId, written.id)
  queryClient.setQueryData<Dashboard>(queryKey, (before) => ({
    ...written,
    tiles: written.tiles.map((tile) => ({
      ...tile,
      insight: before?.tiles.find(({ id }) => id === tile.id)?.insight ?? tile.insight,
    })),
  }))
}

/** @returns the dashboard as it is then. @throws Problem. */
export async function updateDashboard(projectId: number, id: number, body: Update): Promise<Dashboard> {
  const written = await sendUpdate(projectId, id, body)
  showDashboard(projectId, written)
  return written
}

/** Arrangements are sent one after the other, and only the response to the last is shown: an earlier one has older places. */
let arrangements = 0
let sending: Promise<unknown> = Promise.resolve()

/** Arranges tiles optimistically, and reverts when the service rejects it. */
export async function arrange(
  projectId: number,
  dashboard: Dashboard,
  tiles: readonly Pick<Tile, 'id' | 'layouts'>[],
  isUndo = false,
): Promise<void> {
  if (tiles.length === 0) return
  const layouts = new Map(tiles.map((tile) => [tile.id, tile.layouts]))
  const { queryKey } = dashboardQuery(projectId, dashboard.id)
  const before = dashboard.tiles.filter(({ id }) => layouts.has(id))
  const show = (places: ReadonlyMap<number, Tile['layouts']>) =>
    queryClient.setQueryData<Dashboard>(
      queryKey,
      (shown) =>
        shown && {
          ...shown,
          tiles: shown.tiles.map((tile) => ({ ...tile, layouts: places.get(tile.id) ?? tile.layouts })),
        },
    )
  show(layouts)
  const turn = ++arrangements
  const sent = sending.then(() => sendUpdate(projectId, dashboard.id, { tiles: [...tiles] }))
  sending = sent.catch(() => null)
  const stored = new Map(before.map((tile) => [tile.id, tile.layouts]))
  try {
    const written = await sent
    if (turn === arrangements) showDashboard(projectId, written)
    if (isUndo) return
    const back = before.map(({ id, layouts: place }) => ({ id, layouts: place.sm ? place : FIRST }))
    say('Arranged.', () => void arrange(projectId, dashboard, back, true))
  } catch (error) {
    show(stored)
    sayProblem(error, () => void arrange(projectId, dashboard, tiles, isUndo))
  }
}

/** A tile that had no place before follows those that have one. */
const FIRST: Tile['layouts'] = { sm: { x: 0, y: 10_000, w: 6, h: 6 } }

/** Takes a saved query off a dashboard, with undo. */
export const removeTile = (projectId: number, dashboard: Dashboard, removed: Tile): Promise<boolean> => {
  const { id, endpoint } = removed
  const title = titleOfQuery(endpoint ?? '')
  const places = placesOf(sizesOf(dashboard.tiles))
  const placed = ({ id: of, layouts }: Tile) => ({ ...layouts, sm: layouts.sm ?? places.get(of)! })
  // Tiles without a place are in the order of their ids, so that a new tile would be the last of them.
  const back = () => {
    const { tiles } = queryClient.getQueryData(dashboardQuery(projectId, dashboard.id).queryKey) ?? dashboard
    const others = tiles.filter((tile) => !tile.layouts.sm && places.has(tile.id))
    return [
      ...others.map((tile) => ({ id: tile.id, layouts: placed(tile) })),
      { endpoint, layouts: placed(removed) },
    ]
  }
  return doing({
    change: () => updateDashboard(projectId, dashboard.id, { tiles: [{ id, deleted: true }] }),
    said: `${title} removed.`,
    undo: {
      change: () => updateDashboard(projectId, dashboard.id, { tiles: back() }),
      said: `${title} is back.`,
    },
  })
}

type Named = Pick<Dashboard, 'id' | 'name'>

const settingDeleted = (projectId: number, { id, name }: Named, deleted: boolean): Action => ({
  async change() {
    await sendUpdate(projectId, id, { deleted })
    void refreshList(projectId)
    void queryClient.invalidateQueries({ queryKey: ['project', projectId, 'activity'] })
  },
  said: `${name || 'The dashboard'} ${deleted ? 'deleted' : 'restored'}.`,
})

export const restoreDashboard = (projectId: number, dashboard: Named): Promise<boolean> =>
  doing(settingDeleted(projectId, dashboard, false))

/** Deletes a dashboard, with undo. @returns whether it is deleted. */
export const deleteDashboard = (projectId: number, dashboard: Named): Promise<boolean> =>
  doing({
    ...settingDeleted(projectId, dashboard, true),
    undo: settingDeleted(projectId, dashboard, false),
    hasRetry: false,
  })
