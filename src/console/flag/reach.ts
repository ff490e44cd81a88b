// Computes how many people, or groups, a flag reaches as a whole, from counts of those who match conditions. The functions are pure.
import type { ConditionSet, PropertyFilter } from '../api/client'

/** The most sets that may match the same people, because each doubles the number of counts. */
const MAX_OVERLAPPING = 3

export interface Count {
  /** Conditions, all of which must hold. */
  properties: readonly PropertyFilter[]
  /** What each counted person adds to the reach. It is negative if another count includes them already. */
  weight: number
}

/**
 * Returns the counts whose weighted sum is the reach of condition sets, or null when there would be too many. Each person has a fixed
 * position in the percentages of a flag, so that one who matches two sets has the larger share of the two; with `stopsAtFirst`, the share
 * of the first match.
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
  // By inclusion and exclusion, a set reaches those of its people who match no set before it.
  return counted.flatMap((set, index) =>
    subsetsOf(counted.slice(0, index)).map((before) => ({
      properties: [...before, set].flatMap(({ properties }) => properties ?? []),
      weight: share(set) * (-1) ** before.length,
    })),
  )
}

const subsetsOf = <T>([first, ...others]: readonly T[]): T[][] =>
  first === undefined ? [[]] : subsetsOf(others).flatMap((subset) => [subset, [first, ...subset]])

/**
 * @param affected the number that matches each of the counts
 * @returns the estimate, as a whole number of `total`
 */
export function reachFrom(counts: readonly Count[], affected: readonly number[], total: number): number {
  const sum = counts.reduce((reach, { weight }, index) => reach + weight * (affected[index] ?? 0), 0)
  return Math.min(total, Math.max(0, Math.round(sum)))
}
