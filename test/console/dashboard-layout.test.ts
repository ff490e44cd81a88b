import { describe, expect, it } from 'vitest'
import { changedTiles, moved, placesOf, resized, sizesOf } from '../../src/console/dashboards/layout'
import { variablesIn } from '../../src/console/design/address'
import { intervalMs, parseDashboardSearch, parseDashboardsSearch } from '../../src/console/dashboards/search'
import { titleOf } from '../../src/console/dashboards/title'

const tile = (id: number, sm?: { x: number; y: number; w: number; h: number }) => ({
  id,
  layouts: sm ? { sm } : {},
  endpoint: 'revenue',
  insight: null,
})
const size = (id: number, w: number, h = 6) => ({ id, w, h })

describe('the layout of tiles', () => {
  it('is in reading order, with new tiles last', () => {
    const tiles = [
      tile(1),
      tile(2, { x: 6, y: 0, w: 6, h: 4 }),
      tile(3, { x: 0, y: 4, w: 12, h: 4 }),
      tile(4, { x: 0, y: 0, w: 6, h: 4 }),
    ]
    expect(sizesOf(tiles)).toEqual([size(4, 6, 4), size(2, 6, 4), size(3, 12, 4), size(1, 6)])
  })

  it('fills rows, each as high as its highest tile', () => {
    expect([...placesOf([size(1, 6, 4), size(2, 6, 8), size(3, 4), size(4, 9)])]).toEqual([
      [1, { x: 0, y: 0, w: 6, h: 4 }],
      [2, { x: 6, y: 0, w: 6, h: 8 }],
      [3, { x: 0, y: 8, w: 4, h: 6 }],
      [4, { x: 0, y: 14, w: 9, h: 6 }],
    ])
  })

  it('changes by moves and sizes within their limits', () => {
    const sizes = [size(1, 6), size(2, 6), size(3, 6)]
    expect(moved(sizes, 3, 0).map(({ id }) => id)).toEqual([3, 1, 2])
    expect(moved(sizes, 1, 2).map(({ id }) => id)).toEqual([2, 3, 1])
    expect(moved(sizes, 1, 3)).toEqual(sizes)
    expect(resized(sizes, 1, 99, 1)[0]).toEqual(size(1, 12, 3))
  })

  it('is saved where it differs', () => {
    const tiles = [tile(1, { x: 0, y: 0, w: 6, h: 6 }), tile(2, { x: 6, y: 0, w: 6, h: 6 })]
    expect(changedTiles(tiles, sizesOf(tiles))).toEqual([])
    expect(changedTiles(tiles, resized(sizesOf(tiles), 2, 4, 6))).toEqual([
      { id: 2, layouts: { sm: { x: 6, y: 0, w: 4, h: 6 } } },
    ])
  })
})

describe('the address of dashboards', () => {
  it('has known values only', () => {
    expect(parseDashboardsSearch({ of: 'flags', search: 'x', form: 'old' })).toEqual({
      of: 'flags',
      search: 'x',
    })
    expect(parseDashboardSearch({ range: '-7d', refresh: '1m', more: 1 })).toEqual({
      range: '-7d',
      refresh: '1m',
    })
    expect(parseDashboardSearch({ range: '8d', refresh: '1' })).toEqual({})
    expect([intervalMs('30s'), intervalMs('5m'), intervalMs(undefined)]).toEqual([30_000, 300_000, false])
  })
})

describe('the title of a dashboard', () => {
  it.each([
    ['Sales', 'Sales'],
    ['', 'Dashboard 7'],
    ['Generated Dashboard: new-checkout Usage', 'new-checkout'],
  ])('of %j is %j', (name, title) => {
    expect(titleOf({ id: 7, name })).toBe(title)
  })
})

describe('the values of variables in an address', () => {
  it('are an object, or JSON in older links', () => {
    expect(variablesIn({ plan: 'pro' })).toEqual({ variables: { plan: 'pro' } })
    expect(variablesIn('{"plan":"pro"}')).toEqual({ variables: { plan: 'pro' } })
    for (const other of [undefined, 'pro', '{', 7, [], null])
      expect(variablesIn(other)).toEqual({ variables: undefined })
  })
})
