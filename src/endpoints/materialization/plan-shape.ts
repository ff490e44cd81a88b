// What a plan of kept rows is, and what it is made for.
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { Type } from '../../hogql/types'
import type { TextWorld } from '../compile-text'
import type { EndpointQuery } from '../query/shape'
import type { Preview } from './analysis/preview'
import type { BucketOverrides } from './analysis/shape'

export interface MaterializationPlan {
  /** Gives the rows to keep: the query's own columns, and behind them one for each variable. */
  write: CompiledQuery
  /** Reads them from the table that stands in it as `STORED_TABLE` of `hogql/compiled.ts`. */
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
  project: Pick<Project, 'id' | 'timezone'>
  /** Of the engine that has the events. */
  dialect: Dialect
  /** What the query has to know of the project, where that was read already. */
  world?: TextWorld
}
