// What a query may cost on D1: it works on one statement at a time, and cannot be interrupted.
import { evaluate, type Inputs, type Steps } from './formula'

/** Nanoseconds of a query, by its estimate. `npm run bench -- cost` takes two thirds of an estimate at most: 10 s. */
export const MAX_QUERY_NS = 15e9
/** Nanoseconds of all measures of a query, which are work themselves. */
export const MAX_MEASURES_NS = 5e9
/** Queries that cost less start at once. Others take turns. */
export const LIGHT_QUERY_NS = 0.1e9
/** Bytes that a query holds at once: rows in order, groups, subqueries. */
export const MAX_HELD_BYTES = 2e9

/** Why a query is not run; null when it may run. */
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
 * The message for a query that is not run.
 * @param isOfData whether its cost comes from what it reads; else it would cost as much without any data.
 */
export const tooLarge = (excess: string, isOfData: boolean): string =>
  `This query is too large for the built-in database: ${excess}. ` +
  `${isOfData ? 'Narrow its dates' : 'Lower the numbers in it'}, or connect ClickHouse.`

// What a cost comes to once statistics, variables and measures are known. Without the compiler: runs need nothing else of it.
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
