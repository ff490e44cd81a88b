// The limits of a query on D1, which runs one statement at a time and cannot interrupt it, and the evaluation of an estimate when the
// query runs.
import { evaluate, type Inputs, type Steps } from './formula'

/** Estimated nanoseconds of a query on D1. `npm run bench -- cost` measures at most two thirds of an estimate, which is 10 s. */
export const MAX_QUERY_NS = 15e9
/** Estimated nanoseconds of all measures of a query together. */
export const MAX_MEASURES_NS = 5e9
/** Estimated nanoseconds below which a query starts at once, without the queue. */
export const LIGHT_QUERY_NS = 0.1e9
/** Bytes of sorted rows, groups and subqueries that a query holds at once. */
export const MAX_HELD_BYTES = 2e9

/** Returns why a query exceeds the budget, or null when it does not. */
export function excessOf({ nanoseconds, held, mostly }: Cost): string | null {
  if (nanoseconds > MAX_QUERY_NS) {
    return `it may take ${seconds(nanoseconds)}, most of it for ${mostly}, and the limit is ${seconds(MAX_QUERY_NS)}`
  }
  if (held > MAX_HELD_BYTES) {
    return `it may hold ${gigabytes(held)} of rows at once, and the limit is ${gigabytes(MAX_HELD_BYTES)}`
  }
  return null
}

const seconds = (nanoseconds: number): string => `${Math.ceil(nanoseconds / 1e9).toLocaleString('en')} s`
const gigabytes = (bytes: number): string => `${Math.ceil(bytes / 1e9).toLocaleString('en')} GB`

/**
 * Returns the error for a query over budget.
 * @param isOfData whether the cost comes from data; otherwise it comes from constants in the query
 */
export const tooLarge = (excess: string, isOfData: boolean): string =>
  `This query is too large for the built-in database: ${excess}. ` +
  `${isOfData ? 'Narrow its dates' : 'Lower the numbers in it'}, or connect ClickHouse.`

/** The statements that run before a query, and how the cost follows from their results. It is stored with the query. */
export interface Estimated<Statistic, MeasureQuery> {
  statistics: Statistic[]
  measures: { query: MeasureQuery; cost: number }[]
  steps: Steps
  /** Places of the nanoseconds among the steps, by label. */
  parts: [label: string, place: number][]
  held: number
}

export interface Cost {
  nanoseconds: number
  held: number
  /** The label with the most nanoseconds. */
  mostly: string
}

export const valueOfStep = (
  { steps }: Pick<Estimated<unknown, unknown>, 'steps'>,
  known: Inputs,
  place: number,
): number => evaluate(steps, known)[place] ?? 0

export function costOfParts(
  { steps, parts, held }: Pick<Estimated<unknown, unknown>, 'steps' | 'parts' | 'held'>,
  known: Inputs,
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
