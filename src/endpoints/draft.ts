// A query on its way to being stored: what of the project it has to be told, and what becomes of it then. One round trip in between.
import { propertyTypesFrom, selectDefinitions } from '../analytics/property-definitions'
import type { PropertyDefinition } from '../analytics/property-type'
import type { Database } from '../storage/database'
import { selectCohortIds } from './cohort-ids'
import { draftHogql } from './hogql-draft'
import { draftInsight } from './insight-draft'
import { type Draft, type DraftWorld, NO_NEEDS } from './query-draft'
import type { EndpointQuery } from './query/shape'
import type { SavedVariable } from './query/variables'
import { selectSavedVariables } from './variables/rows'

/**
 * Reads the `query` of a body. What is wrong inside the query is told by `finish`, when it is its turn.
 * @param timezone of the project: what moments in the text mean.
 * @throws 400 `parse_error` for anything that is no query; 400, attr `query`, for a kind that is not run here.
 */
export async function draftQuery(sent: Record<string, unknown>, timezone: string): Promise<Draft> {
  // The shapes of all kinds are many: they are made when the first query is written, not when an isolate starts.
  const { parseQuery } = await import('./query/parse')
  return draftOf(parseQuery(sent), timezone, 'sent')
}

/** A query that is stored already, to be compiled again: its variables are as they are, whatever became of the project's. */
export const draftStored = (query: EndpointQuery, timezone: string): Promise<Draft> =>
  draftOf(query, timezone, 'stored')

async function draftOf(query: EndpointQuery, timezone: string, origin: 'sent' | 'stored'): Promise<Draft> {
  try {
    switch (query.kind) {
      case 'HogQLQuery':
        return await draftHogql(query, timezone, origin)
      case 'TrendsQuery':
      case 'LifecycleQuery':
      case 'RetentionQuery':
      case 'FunnelsQuery':
        return await draftInsight(query, timezone)
    }
  } catch (error) {
    return {
      needs: NO_NEEDS,
      finish() {
        throw error
      },
    }
  }
}

/** The statements that read what a draft needs, for a batch with others; no draft needs nothing. */
export const selectWorld = (db: Database, projectId: number, draft: Draft | null) => {
  const { variables, properties, cohorts } = draft?.needs ?? NO_NEEDS
  return [
    selectSavedVariables(db, projectId, variables),
    selectDefinitions(db, projectId, properties),
    selectCohortIds(db, projectId, cohorts),
  ] as const
}

type WorldRows = readonly [
  variables: readonly SavedVariable[],
  definitions: readonly PropertyDefinition[],
  cohorts: readonly { name: string; id: number }[],
]

/** What the statements of `selectWorld` gave. */
export const worldFrom = ([variables, definitions, cohorts]: WorldRows): DraftWorld => ({
  variables,
  types: propertyTypesFrom(definitions),
  cohorts: new Map(cohorts.map(({ name, id }) => [name, id])),
})

/** Reads what a draft needs: one round trip, or none when it needs nothing. */
export async function readWorld(db: Database, projectId: number, draft: Draft): Promise<DraftWorld> {
  const { variables, properties, cohorts } = draft.needs
  const needsNothing =
    variables.ids.length + variables.codeNames.length + properties.length + cohorts.length === 0
  if (needsNothing) return worldFrom([[], [], []])
  return worldFrom(await db.batch([...selectWorld(db, projectId, draft)]))
}
