// Changes of dashboards, with undo.
import { patch, post } from '../api/client'
import { type Dashboard, dashboardsKey, type Tile } from '../api/dashboards'
import { Problem } from '../api/problem'
import { dashboardQuery, inProject, queryClient, itemIn } from '../api/queries'
import type { components } from '../api/schema'
import { doing, type Undo } from '../edit/doing'
import { expectUnchanged } from '../edit/overtaken'
import { placesOf, sizesOf } from './layout'
import { titleOf, titleOfQuery } from './title'

type Update = components['schemas']['DashboardUpdate']

export const createDashboard = (
  projectId: number,
  name: string,
  tiles: { endpoint: string }[] = [],
): Promise<Dashboard> =>
  post('/api/projects/{project_id}/dashboards/', { path: inProject(projectId) }, { name, tiles })

const sendUpdate = (projectId: number, id: number, body: Update): Promise<Dashboard> =>
  patch('/api/projects/{project_id}/dashboards/{id}/', itemIn(projectId, id), body)

/** Reads a dashboard as it is now, which its page shows then. */
export const readDashboard = (projectId: number, id: number): Promise<Dashboard> =>
  queryClient.fetchQuery({ ...dashboardQuery(projectId, id), staleTime: 0 })

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

type Placed = Pick<Tile, 'id' | 'layouts'>

/** Arranges tiles optimistically, with undo. @returns whether it is done */
export async function arrange(
  projectId: number,
  dashboard: Dashboard,
  tiles: readonly Placed[],
): Promise<boolean> {
  if (tiles.length === 0) return false
  const ids = new Set(tiles.map(({ id }) => id))
  const placesIn = (all: readonly Placed[]) =>
    Object.fromEntries(all.filter(({ id }) => ids.has(id)).map(({ id, layouts }) => [id, layouts]))
  const { queryKey } = dashboardQuery(projectId, dashboard.id)
  const show = (places: ReturnType<typeof placesIn>) =>
    queryClient.setQueryData<Dashboard>(
      queryKey,
      (shown) =>
        shown && {
          ...shown,
          tiles: shown.tiles.map((tile) => ({ ...tile, layouts: places[tile.id] ?? tile.layouts })),
        },
    )
  const place = async (to: readonly Placed[]): Promise<Dashboard> => {
    const turn = ++arrangements
    const sent = sending.then(() => sendUpdate(projectId, dashboard.id, { tiles: [...to] }))
    sending = sent.catch(() => null)
    const written = await sent
    if (turn === arrangements) showDashboard(projectId, written)
    return written
  }
  const before = dashboard.tiles.filter(({ id }) => ids.has(id))
  const back = before.map(({ id, layouts }) => ({ id, layouts: layouts.sm ? layouts : FIRST }))
  let written: Dashboard = dashboard
  return doing({
    item: titleOf(dashboard),
    show: () => show(placesIn(tiles)),
    revert: () => show(placesIn(before)),
    change: async () => {
      written = await place(tiles)
    },
    said: 'Arranged.',
    undo: {
      check: () =>
        expectUnchanged(
          placesIn(written.tiles),
          () => readDashboard(projectId, dashboard.id),
          (current) => placesIn(current.tiles),
        ),
      change: () => place(back),
      said: 'The tiles are where they were before.',
    },
  })
}

/** A tile that had no place before follows those that have one. */
const FIRST: Tile['layouts'] = { sm: { x: 0, y: 10_000, w: 6, h: 6 } }

/**
 * Pins a saved query to a dashboard.
 * @throws Problem if it is on it: another tile would show the same
 */
export async function pinQuery(projectId: number, id: number, endpoint: string): Promise<Dashboard> {
  const { tiles } = await readDashboard(projectId, id)
  if (tiles.some((tile) => tile.endpoint === endpoint))
    throw new Problem(`${titleOfQuery(endpoint)} is on this dashboard already.`, 400, null, 'tiles')
  return updateDashboard(projectId, id, { tiles: [{ endpoint }] })
}

/** Takes a saved query off a dashboard, with undo. */
export const removeTile = (projectId: number, dashboard: Dashboard, removed: Tile): Promise<boolean> => {
  const { id, endpoint } = removed
  const title = titleOfQuery(endpoint ?? '')
  const places = placesOf(sizesOf(dashboard.tiles))
  const placed = ({ id: of, layouts }: Tile) => ({ ...layouts, sm: layouts.sm ?? places.get(of)! })
  // Tiles without a place are in the order of their ids, so that a new tile would be the last of them.
  const back = async () => {
    const { tiles } = await readDashboard(projectId, dashboard.id)
    const others = tiles.filter((tile) => !tile.layouts.sm && places.has(tile.id))
    return [
      ...others.map((tile) => ({ id: tile.id, layouts: placed(tile) })),
      { endpoint, layouts: placed(removed) },
    ]
  }
  return doing({
    item: titleOf(dashboard),
    change: () => updateDashboard(projectId, dashboard.id, { tiles: [{ id, deleted: true }] }),
    said: `${title} removed.`,
    undo: {
      // It places tiles that have no place yet.
      check: null,
      change: async () => updateDashboard(projectId, dashboard.id, { tiles: await back() }),
      said: `${title} is back.`,
    },
  })
}

type Named = Pick<Dashboard, 'id' | 'name'>

const settingDeleted = (projectId: number, { id, name }: Named, deleted: boolean): Undo => ({
  item: titleOf({ id, name }),
  check: null,
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
