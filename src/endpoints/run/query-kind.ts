// What a run has to know of a query's kind: the seam between running, which is the same for all, and what is run.
import type { BoundValue } from '../../analytics/engine/query-engine'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { RunnableVersion } from './find-runnable'
import type { KeptRows } from './materialized-read'
import type { RunRequest } from './run-request'

export interface PlanContext {
  deps: Deps
  /** The rows that are read in place of what the query reads; null for the query itself. */
  kept: KeptRows | null
  project: Project
  version: RunnableVersion
  request: RunRequest
  /** Of the engine that will run it. */
  dialect: Dialect
  now: Date
}

/** What a run says of its rows, whenever it is told. */
export interface Answer {
  /** Members of the response; `results` is the first. */
  body: { results: unknown[] } & Record<string, unknown>
  hasMore: boolean
}

export interface Plan {
  query: CompiledQuery
  /** By place of the parameter. */
  variables: ReadonlyMap<number, BoundValue>
  limit: number
  offset: number
  /**
   * From the rows to the answer. Pure. May change the rows in place.
   * @throws 400 where these are not all rows, and the answer needs all.
   */
  answer(rows: unknown[][]): Answer
  /** Whether the answer depends on nothing but the version and the request. */
  isCacheable: boolean
}

export interface Kind {
  /** What a request may set (reference/endpoints-api.md §3.7). */
  variables: ReadonlySet<string>
  /** Whether it takes `limit` and `offset`, which insights do not, and `filters_override`, which only they do. */
  isHogql: boolean
  /** The text of the query, for the answer. */
  text: string | null
  /**
   * Decides what the engine is asked for.
   * @throws 400 for values that are missing or do not fit, and for what this kind cannot do.
   */
  plan(context: PlanContext): Promise<Plan>
}
