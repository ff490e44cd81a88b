/** The sum of each value and those before it. */
export function cumulated(data: readonly number[]): number[] {
  let sum = 0
  return data.map((value) => (sum += value))
}

/** The sum of each value and those after it. */
export const sumsFromEnd = (data: readonly number[]): number[] => cumulated(data.toReversed()).toReversed()

/** Rounds to an integer, and a half to the even one, as upstream. */
export function roundEven(value: number): number {
  const rounded = Math.round(value)
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}
