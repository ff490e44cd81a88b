// How many people, or groups, a flag as a whole reaches, from counts of those who match conditions. Pure.
import type { ConditionSet, PropertyFilter } from '../api/client'

/** Sets of which some may match the same people: the counts needed double with each. */
const MAX_OVERLAPPING = 3

export interface Count {
  /** Those who have all of these properties. */
  properties: readonly PropertyFilter[]
  /** What one of them adds to the reach: negative where another count has them already. */
  weight: number
}

/**
 * The counts whose weighted sum is the reach of condition sets, or null when that takes too many.
 *
 * Everybody keeps their place among the percent of a flag, so that a user who matches two sets has the larger share of them; with
 * `stopsAtFirst`, the share of the first that they match.
 */
export function countsOf(sets: readonly ConditionSet[], stopsAtFirst: boolean): Count[] | null {
  const share = ({ rollout_percentage: percentage }: ConditionSet) => (percentage ?? 100) / 100
  const ordered = stopsAtFirst
    ? [...sets]
    : sets.filter((set) => share(set) > 0).sort((a, b) => share(b) - share(a))
  // Sets after one that matches everyone have no effect.
  const open = ordered.findIndex(({ properties }) => (properties ?? []).length === 0)
  const counted = open < 0 ? ordered : ordered.slice(0, open + 1)
  if (counted.length > MAX_OVERLAPPING) return null
  // By inclusion and exclusion: a set reaches those of its people who match none before it.
  return counted.flatMap((set, index) =>
    subsetsOf(counted.slice(0, index)).map((before) => ({
      properties: [...before, set].flatMap(({ properties }) => properties ?? []),
      weight: share(set) * (-1) ** before.length,
    })),
  )
}

const subsetsOf = <T>([first, ...others]: readonly T[]): T[][] =>
  first === undefined ? [[]] : subsetsOf(others).flatMap((subset) => [subset, [first, ...subset]])

/** @param affected those who match each of the counts. @returns the estimate, as a whole number of `total`. */
export function reachFrom(counts: readonly Count[], affected: readonly number[], total: number): number {
  const sum = counts.reduce((reach, { weight }, index) => reach + weight * (affected[index] ?? 0), 0)
  return Math.min(total, Math.max(0, Math.round(sum)))
}
