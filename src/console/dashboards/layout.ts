// Arranges tiles on the grid. The functions are pure.
import type { Tile } from '../api/dashboards'

/** The number of columns of the grid, which is the API's. */
export const COLUMNS = 12

export interface Place {
  x: number
  y: number
  w: number
  h: number
}

export interface Size {
  id: number
  w: number
  h: number
}

const DEFAULT = { w: 6, h: 6 }
const LIMITS = { w: [3, COLUMNS], h: [3, 14] } as const

/** Returns tiles in reading order, with their sizes. Those that were never arranged are last. */
export const sizesOf = (tiles: readonly Tile[]): Size[] =>
  tiles
    .toSorted((a, b) => orderOf(a) - orderOf(b) || a.id - b.id)
    .map(({ id, layouts }) => ({ id, w: layouts.sm?.w ?? DEFAULT.w, h: layouts.sm?.h ?? DEFAULT.h }))

const orderOf = ({ layouts: { sm } }: Tile): number => (sm ? sm.y * COLUMNS + sm.x : Number.POSITIVE_INFINITY)

/** Arranges tiles in rows from left to right. Each row is as high as its highest tile. */
export function placesOf(sizes: readonly Size[]): Map<number, Place> {
  const places = new Map<number, Place>()
  let [x, y, height] = [0, 0, 0]
  for (const { id, w, h } of sizes) {
    if (x + w > COLUMNS) [x, y, height] = [0, y + height, 0]
    places.set(id, { x, y, w, h })
    x += w
    height = Math.max(height, h)
  }
  return places
}

/** Moves a tile to the position of another in the order. */
export function moved(sizes: readonly Size[], id: number, to: number): Size[] {
  const from = sizes.findIndex((each) => each.id === id)
  if (from < 0 || to < 0 || to >= sizes.length) return [...sizes]
  const rest = sizes.toSpliced(from, 1)
  return rest.toSpliced(to, 0, sizes[from]!)
}

const between = (value: number, [min, max]: readonly [number, number]): number =>
  Math.min(max, Math.max(min, value))

export const resized = (sizes: readonly Size[], id: number, w: number, h: number): Size[] =>
  sizes.map((each) => (each.id === id ? { id, w: between(w, LIMITS.w), h: between(h, LIMITS.h) } : each))

/** Returns the body of a write: tiles whose place differs from the stored one. */
export const changedTiles = (tiles: readonly Tile[], sizes: readonly Size[]) => {
  const places = placesOf(sizes)
  return tiles.flatMap(({ id, layouts }) => {
    const place = places.get(id)
    return !place || samePlace(layouts.sm, place) ? [] : [{ id, layouts: { ...layouts, sm: place } }]
  })
}

const samePlace = (a: Place | undefined, b: Place): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h
