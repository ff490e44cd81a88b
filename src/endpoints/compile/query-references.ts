// What the text of a query has to know of its project: the types of its variables and properties, and its cohorts' ids. One round trip.
import { sql } from 'drizzle-orm'
import { propertyTypesFrom, selectDefinitions } from '../../analytics/property-definitions'
import type { PropertyDefinition } from '../../analytics/property-type'
import type { Deps } from '../../deps'
import type { Database } from '../../storage/database'
import type { PreparedText, TextWorld } from './compile-text'
import { type DraftNeeds, type DraftWorld, NO_NEEDS } from './query-compilation'
import type { HogqlQuery, VariableType } from '../query/query-types'
import { type SavedVariable, typesOf } from '../query/query-variables'
import { selectSavedVariables } from '../variables/read-variables'

/** The statement that reads the ids of static cohorts by name (`person_id IN COHORT 'Regulars'`); of two with one name the older. */
const selectCohortIds = (db: Database, projectId: number, names: readonly string[]) =>
  db
    .select({ name: sql<string>`c.name`.as('name'), id: sql<number>`min(c.id)`.as('id') })
    .from(
      sql`json_each(${JSON.stringify(names)}) w CROSS JOIN cohorts c
        ON c.project_id = ${projectId} AND c.name = w.value AND c.is_static = 1 AND c.deleted = 0`,
    )
    .groupBy(sql`c.name`)

/** The statements that read what a query needs, for a batch with others; none needs nothing. */
export const selectWorld = (db: Database, projectId: number, needs: DraftNeeds = NO_NEEDS) =>
  [
    selectSavedVariables(db, projectId, needs.variables),
    selectDefinitions(db, projectId, needs.properties),
    selectCohortIds(db, projectId, needs.cohorts),
  ] as const

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

/** Reads what a query needs: one round trip, or none when it needs nothing. */
export async function readWorld(db: Database, projectId: number, needs: DraftNeeds): Promise<DraftWorld> {
  const { variables, properties, cohorts } = needs
  const needsNothing =
    variables.ids.length + variables.codeNames.length + properties.length + cohorts.length === 0
  if (needsNothing) return worldFrom([[], [], []])
  return worldFrom(await db.batch([...selectWorld(db, projectId, needs)]))
}

/**
 * Reads what a text of a stored query needs.
 * @param variables those of the query
 * @param own variables that the service itself put into the text
 */
export async function readWorldOf(
  { deps: { db }, project }: { deps: Pick<Deps, 'db'>; project: { id: number } },
  { properties, cohorts }: Pick<PreparedText, 'properties' | 'cohorts'>,
  variables: HogqlQuery['variables'],
  own: Readonly<Record<string, VariableType>> = {},
): Promise<TextWorld> {
  const ids = Object.values(variables ?? {}).map(({ variableId }) => variableId)
  const read = await readWorld(db, project.id, { variables: { ids, codeNames: [] }, properties, cohorts })
  return { ...read, variables: { ...typesOf(variables, read.variables), ...own } }
}
