// What a query may cost on D1: it works on one statement at a time, and cannot be interrupted.
import type { Cost } from './value'

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
