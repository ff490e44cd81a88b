// What a cost comes to once statistics, variables and measures are known. Without the compiler: runs need nothing else of it.
import { evaluate, type Known, type Steps } from './amount'

/** What statistics and measures are asked for, and how a cost comes of them. */
export interface Estimated<Statistic, MeasureQuery> {
  statistics: Statistic[]
  measures: { query: MeasureQuery; cost: number }[]
  steps: Steps
  /** Nanoseconds by what they are spent on. */
  parts: [label: string, place: number][]
  /** Bytes held at once. */
  held: number
}

/** Numbers put to an estimate. */
export interface Cost {
  nanoseconds: number
  held: number
  /** What most of the time is spent on. */
  mostly: string
}

/** The value of one step. */
export const valueOfStep = (
  { steps }: Pick<Estimated<unknown, unknown>, 'steps'>,
  known: Known,
  place: number,
): number => evaluate(steps, known)[place] ?? 0

export function costOfParts(
  { steps, parts, held }: Pick<Estimated<unknown, unknown>, 'steps' | 'parts' | 'held'>,
  known: Known,
): Cost {
  const values = evaluate(steps, known)
  const spent = parts.map(([label, place]) => ({ label, nanoseconds: values[place] ?? 0 }))
  const [most] = spent.toSorted((a, b) => b.nanoseconds - a.nanoseconds)
  return {
    nanoseconds: spent.reduce((total, { nanoseconds }) => total + nanoseconds, 0),
    held: values[held] ?? 0,
    mostly: most?.label ?? '',
  }
}
