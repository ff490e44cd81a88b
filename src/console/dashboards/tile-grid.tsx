// Shows the tiles of a dashboard, which people arrange while they edit it.
import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { Dashboard, Tile } from '../api/dashboards'
import { dashboardQuery, queryClient } from '../api/queries'
import type { Values } from '../query/draft'
import type { RunTiming } from '../query/use-saved-run'
import { arrange, removeTile } from './change-dashboards'
import { changedTiles, moved, placesOf, resized, type Size, sizesOf } from './layout'
import { CallsChart } from '../flag/calls-chart'
import { EndpointTile } from './tile-content'
import { TileBody, TileFrame } from './tile-frame'
import { titleOfQuery } from './title'
import { toQuery } from '../shell/item-pages'

interface TileGridProps {
  projectId: number
  dashboard: Dashboard
  timing: RunTiming
  isEditing: boolean
  /** The values of variables by code name. */
  values: Values
}

export function TileGrid({ projectId, dashboard, timing, isEditing, values }: TileGridProps) {
  const { tiles } = dashboard
  const stored = useMemo(() => sizesOf(tiles), [tiles])
  // This is set while a pointer holds a tile.
  const [preview, setPreview] = useState<{ id: number; sizes: Size[] } | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => setPreview(null), [stored])
  const sizes = preview?.sizes ?? stored
  const places = placesOf(sizes)
  // An element that moves loses the focus.
  const [focused, setFocused] = useState<number | null>(null)
  useEffect(() => {
    if (focused === null) return
    document.querySelector<HTMLElement>(`[data-tile="${focused}"] .tile-handle`)?.focus()
    setFocused(null)
  }, [focused, stored])
  /** Keys may come faster than pages are drawn. */
  const current = () =>
    queryClient.getQueryData(dashboardQuery(projectId, dashboard.id).queryKey) ?? dashboard
  const save = (next: Size[], words: string) => {
    const now = current()
    setSaid(words)
    setPreview(null)
    void arrange(projectId, now, changedTiles(now.tiles, next))
  }
  const remove = async (tile: Tile) => {
    const at = stored.findIndex(({ id }) => id === tile.id)
    const beside = stored[at - 1] ?? stored[at + 1]
    if ((await removeTile(projectId, dashboard, tile)) && beside) setFocused(beside.id)
  }
  return (
    <>
      <p id="tile-keys" className="visually-hidden">
        Arrow keys move the tile, with Shift they resize it.
      </p>
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
      <div className="tiles">
        {/* Elements keep their order while a pointer holds one: moving its element would release it. */}
        {stored.map(({ id }) => {
          const position = sizes.findIndex((each) => each.id === id)
          const tile = tiles.find((each) => each.id === id)
          const place = places.get(id)
          if (!tile || !place) return null
          const name = nameOf(tile)
          const moveTo = (to: number) => {
            if (to < 0 || to >= sizes.length) return
            setFocused(id)
            save(moved(sizesOf(current().tiles), id, to), `${name} is tile ${to + 1} of ${sizes.length}.`)
          }
          const resizeBy = (columns: number, rows: number) => {
            const now = sizesOf(current().tiles)
            const { w, h } = now.find((each) => each.id === id) ?? place
            const next = resized(now, id, w + columns, h + rows)
            const size = next.find((each) => each.id === id)!
            save(next, `${name} is ${size.w} columns wide and ${size.h} rows high.`)
          }
          return (
            <TileFrame
              key={id}
              id={id}
              name={name}
              title={
                tile.endpoint === null ? name : <Link {...toQuery(projectId, tile.endpoint)}>{name}</Link>
              }
              place={place}
              position={position}
              count={sizes.length}
              isMoving={preview?.id === id}
              isEditing={isEditing}
              actions={
                tile.endpoint === null
                  ? []
                  : [
                      {
                        label: 'Remove',
                        icon: Trash2,
                        isDanger: true,
                        onSelect: () => void remove(tile),
                      },
                    ]
              }
              onMove={moveTo}
              onMoveOver={(over) =>
                setPreview({
                  id,
                  sizes: moved(
                    sizes,
                    id,
                    sizes.findIndex((each) => each.id === over),
                  ),
                })
              }
              onResizeBy={resizeBy}
              onPreview={(w, h) => setPreview({ id, sizes: resized(sizes, id, w, h) })}
              onEnd={(isKept) =>
                isKept && preview ? save(preview.sizes, `${name} is arranged.`) : setPreview(null)
              }
            >
              {tile.insight ? (
                <TileBody name={tile.insight.name}>
                  <CallsChart projectId={projectId} insight={tile.insight} {...timing} />
                </TileBody>
              ) : (
                <EndpointTile
                  projectId={projectId}
                  name={tile.endpoint ?? ''}
                  title={name}
                  timing={timing}
                  isEditing={isEditing}
                  values={values}
                />
              )}
            </TileFrame>
          )
        })}
      </div>
    </>
  )
}

const nameOf = ({ id, endpoint, insight }: Tile): string =>
  endpoint === null ? (insight?.name ?? `Tile ${id}`) : titleOfQuery(endpoint)
