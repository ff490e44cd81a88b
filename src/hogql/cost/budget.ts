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
 * @param source what the cost comes from: events, whose numbers are known by day, other tables, or constants in the query
 */
export const tooLarge = (excess: string, source: keyof typeof ADVICE): string =>
  `This query is too large for the built-in database: ${excess}. ${ADVICE[source]}, or connect ClickHouse.`

const ADVICE = {
  events: 'Narrow its dates',
  tables: 'Join on a key, or aggregate before the join',
  constants: 'Lower the numbers in it',
}

/** What a statement costs, as places among the steps. */
export interface Terms {
  /** The nanoseconds by label. */
  parts: [label: string, place: number][]
  held: number
}

/** The statements that run before a query, and how the cost follows from their results. It is stored with the query. */
export interface Estimated<Statistic, MeasureQuery> extends Terms {
  statistics: Statistic[]
  /** Whether a date may lower the cost. */
  readsEvents: boolean
  /** Those of the statements of texts, in their order, and after them those of the query. */
  measures: { query: MeasureQuery; cost: number }[]
  steps: Steps
  /** The statements that read texts for the query, each with the number of its measures and of those before. */
  texts: (Terms & { measures: number })[]
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

/**
 * Returns the cost of a query, with the statements that read texts for it.
 * @param until the number of these statements whose cost is wanted without that of the query
 */
export function costOfParts(
  { steps, texts, parts, held }: Pick<Estimated<unknown, unknown>, 'steps' | 'texts' | 'parts' | 'held'>,
  known: Inputs,
  until = Infinity,
): Cost {
  const values = evaluate(steps, known)
  const statements = [...texts, { parts, held }].slice(0, until)
  const spent = new Map<string, number>()
  for (const [label, place] of statements.flatMap((terms) => terms.parts))
    spent.set(label, (spent.get(label) ?? 0) + (values[place] ?? 0))
  const [most] = [...spent].toSorted(([, a], [, b]) => b - a)
  return {
    nanoseconds: [...spent.values()].reduce((total, nanoseconds) => total + nanoseconds, 0),
    held: statements.reduce((total, terms) => total + (values[terms.held] ?? 0), 0),
    mostly: most?.[0] ?? '',
  }
}
