import { describe, expect, it } from 'vitest'
import { mergeArrivals } from '../../src/console/events/merge-events'

const at = (second: number, id = `id-${second}`) => ({
  id,
  timestamp: `2026-03-0${10 - second}T12:00:00.000000Z`,
  arrivedAt: `2026-03-10T12:00:0${second}.000000Z`,
})
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
const options = { order: 'arrivedAt', isWhole: false, hasOlder: false, max: 10 } as const

describe('events that arrive', () => {
  it('precede the known ones, in order of arrival or of their times', () => {
    const merged = mergeArrivals([at(5), at(3)], [at(6), at(5), at(4)], options)
    expect(ids(merged)).toEqual(['id-6', 'id-5', 'id-4', 'id-3'])
    const byTime = mergeArrivals([at(3), at(5)], [at(6), at(5), at(4)], { ...options, order: 'timestamp' })
    expect(ids(byTime)).toEqual(['id-3', 'id-4', 'id-5', 'id-6'])
  })

  it('of the same time are ordered by id', () => {
    const merged = mergeArrivals([at(5, 'b')], [at(5, 'c'), at(5, 'b'), at(5, 'a')], options)
    expect(ids(merged)).toEqual(['c', 'b', 'a'])
  })

  it('leave the list unchanged when all are known', () => {
    const known = [at(5), at(3)]
    expect(mergeArrivals(known, [at(5), at(3)], options)).toBe(known)
  })

  it('replace the list when a whole page is new, because others may be between', () => {
    const page = [at(9), at(8)]
    expect(mergeArrivals([at(5)], page, options)).toEqual(page)
    expect(ids(mergeArrivals([at(5)], page, { ...options, isWhole: true }))).toEqual(['id-9', 'id-8', 'id-5'])
  })

  it('are left to the next page where they belong below a list with more rows', () => {
    const known = [at(5), at(4)]
    expect(mergeArrivals(known, [at(5), at(3)], { ...options, hasOlder: true })).toBe(known)
    expect(ids(mergeArrivals(known, [at(5), at(3)], options))).toEqual(['id-5', 'id-4', 'id-3'])
  })

  it('evict the oldest above the limit', () => {
    expect(ids(mergeArrivals([at(5), at(3)], [at(6), at(5)], { ...options, max: 2 }))).toEqual([
      'id-6',
      'id-5',
    ])
  })
})
