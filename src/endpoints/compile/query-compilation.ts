// What a query is on its way to being stored, and what it is then.
import type { PropertyName, PropertyTypes } from '../../analytics/property-type'
import type { ColumnType } from '../../hogql/types'
import type { TextWorld } from './compile-text'
import type { CompiledVersion } from './compiled-version'
import type { EndpointQuery } from '../query/query-types'
import type { SavedVariable } from '../query/query-variables'

/** A query as a version holds it. */
export interface StoredQuery {
  query: EndpointQuery
  compiled: CompiledVersion
  columns: { name: string; type: ColumnType }[]
  /** What it was told of the project. */
  world: TextWorld
}

/** What a query has to know of its project. */
export interface DraftNeeds {
  variables: { ids: string[]; codeNames: string[] }
  properties: PropertyName[]
  /** Names of static cohorts. */
  cohorts: string[]
}

export interface DraftWorld {
  variables: readonly SavedVariable[]
  types: PropertyTypes
  cohorts: ReadonlyMap<string, number>
}

export interface Draft {
  needs: DraftNeeds
  /** @throws 400, attr `query`, for what is wrong with the query. */
  finish(world: DraftWorld): StoredQuery
}

export const NO_NEEDS: DraftNeeds = { variables: { ids: [], codeNames: [] }, properties: [], cohorts: [] }
