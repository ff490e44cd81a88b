import { describe, expect, it } from 'vitest'
import type { ActivityVerb } from '../../../src/activity/entry'
import type { LoggedState } from '../../../src/flags/state'
import { type VersionEntry, versionAt } from '../../../src/flags/read/versions'

/** Noon and a bit on a day of March. */
const day = (date: number, fraction = '000000') =>
  `2026-03-${String(date).padStart(2, '0')}T12:00:00.${fraction}Z`

const entry = (date: number, activity: ActivityVerb, version?: number): VersionEntry => ({
  activity,
  createdAt: day(date),
  userId: 1,
  changes:
    version === undefined
      ? []
      : [{ type: 'FeatureFlag', action: 'changed', field: 'version', before: version - 1, after: version }],
})

/** A flag of this version that was made on the 1st and last changed on the day of its newest entry. */
const origin = (version: number, updated = 1, deleted = false) => ({
  state: { version, deleted, created_at: day(1) } as LoggedState,
  updated_at: day(updated),
  created_by_id: 1,
  last_modified_by_id: 1,
})

describe('the version of a flag at a moment', () => {
  const grown = [entry(5, 'updated', 3), entry(3, 'updated', 2)]

  it('is the one that the newest change before it made', () => {
    const at = (moment: string) => versionAt(origin(3, 5), grown, moment)
    expect(at(day(1))).toBe(1)
    expect(at(day(2))).toBe(1)
    expect(at(day(3))).toBe(2)
    expect(at(day(4))).toBe(2)
    expect(at(day(5))).toBe(3)
    expect(at(day(28))).toBe(3)
  })

  it('is exact to the microsecond', () => {
    expect(versionAt(origin(3, 5), grown, '2026-03-03T11:59:59.999999Z')).toBe(1)
    expect(versionAt(origin(3, 5), grown, day(3, '000001'))).toBe(2)
    expect(versionAt(origin(1), [], '2026-03-01T11:59:59.999999Z')).toBe(null)
  })

  it('is null before the flag was created, and while it was deleted', () => {
    const entries = [entry(7, 'restored', 3), entry(3, 'deleted', 2)]
    const at = (date: number) => versionAt(origin(3, 7), entries, day(date))
    expect([at(2), at(3), at(6), at(7)]).toEqual([1, null, null, 3])
  })

  it('is null for a deleted flag that was updated', () => {
    const entries = [entry(7, 'restored', 4), entry(5, 'updated', 3), entry(3, 'deleted', 2)]
    const at = (date: number) => versionAt(origin(4, 7), entries, day(date))
    expect([at(4), at(5), at(6), at(7)]).toEqual([null, null, null, 4])
  })

  it('is null when the entry of another change is next to that of the deletion', () => {
    const entries = [entry(3, 'updated'), entry(3, 'deleted', 2)]
    expect(versionAt(origin(2, 3, true), entries, day(3))).toBe(null)
  })

  it('passes over entries that made no version: a bulk delete, and changes of contexts', () => {
    const entries = [entry(8, 'deleted'), entry(6, 'updated'), entry(4, 'updated', 2)]
    const at = (date: number) => versionAt(origin(2, 8, true), entries, day(date))
    expect([at(3), at(4), at(6), at(7), at(8)]).toEqual([1, 2, 2, 2, null])
  })

  it('needs no entry from before the one that made it', () => {
    const entries = [entry(9, 'restored', 5), entry(8, 'deleted', 4), entry(7, 'updated', 3)]
    const at = (date: number) => versionAt(origin(5, 9), entries, day(date))
    expect([at(7), at(8), at(9)]).toEqual([3, null, 5])
  })

  it('is the current one when nothing is on record and nothing has happened since', () => {
    expect(versionAt(origin(4, 3), [], day(3))).toBe(4)
    expect(versionAt(origin(4, 3), [], day(2))).toBe(1)
  })
})
