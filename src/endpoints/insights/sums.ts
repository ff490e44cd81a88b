/** The sum of each value and those before it. */
export function cumulated(data: readonly number[]): number[] {
  let sum = 0
  return data.map((value) => (sum += value))
}

/** The sum of each value and those after it. */
export const sumsFromEnd = (data: readonly number[]): number[] => cumulated(data.toReversed()).toReversed()
