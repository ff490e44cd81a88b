// A query during and after compilation.
import type { DefinedName } from '../../analytics/property-definitions/near-names'
import type { PropertyName, PropertyTypes } from '../../analytics/property-definitions/property-type'
import type { Warning } from '../../hogql/error'
import type { Selection } from '../../hogql/parser/ast'
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
  /** The SQL of the query; that of an insight was written for it. */
  tree: Selection
}

/** Names that a query mentions. */
export interface QueryReferences {
  variables: { ids: string[]; codeNames: string[] }
  properties: PropertyName[]
  /** Cohorts by id or name. */
  cohorts: CohortReference[]
  /** Actions by id or name. */
  actions: ActionReference[]
  /** Names that are checked for misspellings. */
  names: DefinedName[]
}

export interface ProjectFacts {
  variables: readonly SavedVariable[]
  types: PropertyTypes
  /** Ids of static cohorts, by id and by name. */
  cohorts: ReadonlyMap<CohortReference, number>
  /** Actions by id and by name. The action is null for a name that the query does not refer to. */
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
