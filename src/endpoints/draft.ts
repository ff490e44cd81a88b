// A query on its way to being stored: what of the project it has to be told, and what becomes of it then. One round trip in between.
import {
  propertyTypesFrom,
  selectDefinitions,
  type PropertyName,
  type PropertyTypes,
} from '../analytics/property-definitions'
import type { Database } from '../storage/database'
import type { CompiledVersion } from './compiled-version'
import { draftHogql } from './hogql-draft'
import type { EndpointQuery } from './query/shape'
import type { SavedVariable } from './query/variables'
import { selectSavedVariables } from './variables/rows'
import type { ColumnType } from '../hogql/types'

/** A query as a version holds it. */
export interface StoredQuery {
  query: EndpointQuery
  /** Null for a kind that is compiled when it runs. */
  compiled: CompiledVersion | null
  columns: { name: string; type: ColumnType }[]
}

/** What a query has to know of its project. */
export interface DraftNeeds {
  variables: { ids: string[]; codeNames: string[] }
  properties: PropertyName[]
}

export interface DraftWorld {
  variables: readonly SavedVariable[]
  types: PropertyTypes
}

export interface Draft {
  needs: DraftNeeds
  /** @throws 400, attr `query`, for what is wrong with the query. */
  finish(world: DraftWorld): StoredQuery
}

const NOTHING: DraftNeeds = { variables: { ids: [], codeNames: [] }, properties: [] }

/**
 * Reads the `query` of a body.
 * @param timezone of the project: what moments in the text mean.
 * @throws 400 `parse_error` for anything that is no query; 400, attr `query`, for a kind that is not run here.
 */
export async function draftQuery(sent: Record<string, unknown>, timezone: string): Promise<Draft> {
  // The shapes of all kinds are many: they are made when the first query is written, not when an isolate starts.
  const { parseQuery } = await import('./query/parse')
  const query = parseQuery(sent)
  switch (query.kind) {
    case 'HogQLQuery':
      return draftHogql(query, timezone)
    case 'TrendsQuery':
    case 'LifecycleQuery':
    case 'RetentionQuery':
    case 'FunnelsQuery':
      return { needs: NOTHING, finish: () => ({ query, compiled: null, columns: [] }) }
  }
}

/** The statements that read what a draft needs, for a batch with others; no draft needs nothing. */
export const selectWorld = (db: Database, projectId: number, draft: Draft | null) => {
  const { variables, properties } = draft?.needs ?? NOTHING
  return [
    selectSavedVariables(db, projectId, variables),
    selectDefinitions(db, projectId, properties),
  ] as const
}

/** What the statements of `selectWorld` gave. */
export const worldFrom = (
  variables: readonly SavedVariable[],
  definitions: Parameters<typeof propertyTypesFrom>[0],
): DraftWorld => ({ variables, types: propertyTypesFrom(definitions) })

/** Reads what a draft needs: one round trip, or none when it needs nothing. */
export async function readWorld(db: Database, projectId: number, draft: Draft): Promise<DraftWorld> {
  const { variables, properties } = draft.needs
  if (variables.ids.length + variables.codeNames.length + properties.length === 0) return worldFrom([], [])
  const [saved, definitions] = await db.batch([...selectWorld(db, projectId, draft)])
  return worldFrom(saved, definitions)
}
