// The interface between runs and kinds of queries.
import type { BoundValue } from '../../analytics/engine/query-engine'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { RunnableVersion } from './find-runnable'
import type { MaterializedRead } from './materialized-read'
import type { RunRequest } from './run-request'

export interface BindContext {
  deps: Deps
  /** Null means that the query itself runs. */
  materialized: MaterializedRead | null
  project: Project
  version: Pick<RunnableVersion, 'id' | 'query' | 'compiled' | 'savedVariables' | 'materialization'>
  request: RunRequest
  /** The dialect of the engine that will run the query. */
  dialect: Dialect
  now: Date
}

/** The part of a response that is stored. */
export interface ShapedResult {
  /** Members of the response, of which `results` is the first. */
  body: { results: unknown[] | Record<string, unknown> } & Record<string, unknown>
  hasMore: boolean
}

export interface BoundQuery {
  query: CompiledQuery
  /** Values by the index of the parameter. */
  variables: ReadonlyMap<number, BoundValue>
  limit: number
  offset: number
  /**
   * Shapes rows into a result. It is pure, but may change the rows in place.
   * @throws 400 when rows are missing and the result needs all
   */
  shape(rows: unknown[][]): ShapedResult
  /** Whether the result depends only on the version and the request. */
  isCacheable: boolean
}

export interface QueryKind {
  /** Names that a request may set (docs/reference/endpoints.md#variables-of-a-run). */
  variables: ReadonlySet<string>
  /** Whether the query is HogQL, which takes `limit` and `offset`. Insights take `filters_override`. */
  isHogql: boolean
  /** The text of the query, for the response. */
  text: string | null
  /** @throws 400 for missing or invalid values, and for unsupported settings */
  bind(context: BindContext): Promise<BoundQuery>
}
