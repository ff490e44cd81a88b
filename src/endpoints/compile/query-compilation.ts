// A query during and after compilation.
import type { DefinedName } from '../../analytics/property-definitions/near-names'
import type { PropertyName, PropertyTypes } from '../../analytics/property-definitions/property-type'
import type { Warning } from '../../hogql/error'
import type { ActionReference, CohortReference, ResolveContext } from '../../hogql/resolve/resolve'
import type { ColumnType } from '../../hogql/types'
import type { ProjectAction, TextFacts } from './compile-text'
import type { CompiledVersion } from './compiled-version'
import type { EndpointQuery } from '../query/query-types'
import type { SavedVariable } from '../query/query-variables'

export interface StoredQuery {
  query: EndpointQuery
  compiled: CompiledVersion
  columns: { name: string; type: ColumnType }[]
  facts: TextFacts
  warnings: readonly Warning[]
}

/** Names that a query mentions. */
export interface QueryReferences {
  variables: { ids: string[]; codeNames: string[] }
  properties: PropertyName[]
  /** Ids and names of static cohorts. */
  cohorts: CohortReference[]
  /** Ids and names of actions. */
  actions: ActionReference[]
  /** Names that it may misspell. */
  names: DefinedName[]
}

export interface ProjectFacts {
  variables: readonly SavedVariable[]
  types: PropertyTypes
  /** Ids by id and name. */
  cohorts: ReadonlyMap<CohortReference, number>
  /** By id and name; null for a name that the query does not refer to. */
  actions: ReadonlyMap<ActionReference, ProjectAction | null>
  suggestName?: ResolveContext['suggestName']
}

export interface QueryCompilation {
  references: QueryReferences
  /** @throws 400, attr `query` */
  finish(facts: ProjectFacts): StoredQuery
}

export const NO_REFERENCES: QueryReferences = {
  variables: { ids: [], codeNames: [] },
  properties: [],
  cohorts: [],
  actions: [],
  names: [],
}
