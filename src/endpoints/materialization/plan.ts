// How a version is materialized: the query whose rows are kept, and the one that reads them, ready to be run.
import type { Deps } from '../../deps'
import { ApiError } from '../../errors'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { Type } from '../../hogql/types'
import type { TextWorld } from '../compile-text'
import type { EndpointQuery, HogqlQuery, InsightQuery } from '../query/shape'
import type { BucketOverrides } from './analysis/shape'
import type { Preview } from './analysis/preview'
import { planHogql } from './plan-hogql'
import { planInsight } from './plan-insight'

export interface MaterializationPlan {
  /** Gives the rows to keep: the query's own columns, and behind them one for each variable. */
  write: CompiledQuery
  /** Reads them from the table that stands in it as `STORED_TABLE` of `hogql/sqlite/stored-table.ts`. */
  read: CompiledQuery
  /** Of the kept table, by place. */
  columns: { name: string; type: Type }[]
  /** Places of the columns to index, those that are compared by equality first. */
  indexed: number[]
  /** What a run has to give a value for. */
  required: string[]
  /** Whether the query itself has to be run where no row is kept for the values of a run. */
  inlineWhenEmpty: boolean
}

export type Planned = { reason: string } | { reason: null; plan: MaterializationPlan; preview: Preview }

/** A version, as far as what is kept of it depends on it. */
export interface Materializable {
  query: EndpointQuery
  /** Of the endpoint. */
  name: string
  version: number
  bucketOverrides: BucketOverrides
  optionalBreakdownProperties: readonly string[]
}

/** Where and for what a plan is made. */
export interface Place {
  deps: Pick<Deps, 'db'>
  project: { id: number; timezone: string }
  /** Of the engine that has the events. */
  dialect: Dialect
  /** What the query has to know of the project, where that was read already. */
  world?: TextWorld
}

/** The plan of a version, or why there is none. Whatever in a query does not compile is such a reason. */
export async function planMaterialization(place: Place, subject: Materializable): Promise<Planned> {
  try {
    return subject.query.kind === 'HogQLQuery'
      ? await planHogql(place, subject, subject.query as HogqlQuery)
      : await planInsight(place, subject, subject.query as InsightQuery)
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { reason: error.detail }
    throw error
  }
}
