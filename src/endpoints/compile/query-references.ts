// Reads the facts behind the names that a query mentions: types of variables and properties, ids of cohorts.
import { sql } from 'drizzle-orm'
import { propertyTypesFrom, selectDefinitions } from '../../analytics/property-definitions/property-types'
import type { PropertyDefinition } from '../../analytics/property-definitions/property-type'
import type { Deps } from '../../deps'
import type { CohortReference } from '../../hogql/resolve/resolve'
import type { Database } from '../../storage/database'
import type { PreparedText, TextFacts } from './compile-text'
import { type QueryReferences, type ProjectFacts, NO_REFERENCES } from './query-compilation'
import type { QueryVariables, VariableType } from '../query/query-types'
import { type SavedVariable, typesOf } from '../query/query-variables'
import { selectSavedVariables } from '../variables/read-variables'

/** Ids of static cohorts, by id and by name (`person_id IN COHORT 'Regulars'`); of two with one name the older. */
const selectCohortIds = (db: Database, projectId: number, references: readonly CohortReference[]) =>
  db
    .select({ reference: sql<CohortReference>`w.value`.as('reference'), id: sql<number>`min(c.id)`.as('id') })
    .from(
      sql`json_each(${JSON.stringify(references)}) w CROSS JOIN cohorts c
        ON c.project_id = ${projectId} AND iif(w.type = 'text', c.name = w.value, c.id = w.value) AND c.is_static = 1 AND c.deleted = 0`,
    )
    .groupBy(sql`w.key`)

/** Statements for a batch. */
export const selectFacts = (db: Database, projectId: number, references: QueryReferences = NO_REFERENCES) =>
  [
    selectSavedVariables(db, projectId, references.variables),
    selectDefinitions(db, projectId, references.properties),
    selectCohortIds(db, projectId, references.cohorts),
  ] as const

type FactRows = readonly [
  variables: readonly SavedVariable[],
  definitions: readonly PropertyDefinition[],
  cohorts: readonly { reference: CohortReference; id: number }[],
]

export const factsFrom = ([variables, definitions, cohorts]: FactRows): ProjectFacts => ({
  variables,
  types: propertyTypesFrom(definitions),
  cohorts: new Map(cohorts.map(({ reference, id }) => [reference, id])),
})

/** At most one round trip. */
export async function readFacts(
  db: Database,
  projectId: number,
  references: QueryReferences,
): Promise<ProjectFacts> {
  const { variables, properties, cohorts } = references
  const hasNone = variables.ids.length + variables.codeNames.length + properties.length + cohorts.length === 0
  if (hasNone) return factsFrom([[], [], []])
  return factsFrom(await db.batch([...selectFacts(db, projectId, references)]))
}

/** Facts for the text of a stored query. @param own variables that the service added to the text */
export async function readTextFacts(
  { deps: { db }, project }: { deps: Pick<Deps, 'db'>; project: { id: number } },
  { properties, cohorts }: Pick<PreparedText, 'properties' | 'cohorts'>,
  variables: QueryVariables,
  own: Readonly<Record<string, VariableType>> = {},
): Promise<TextFacts> {
  const ids = Object.values(variables ?? {}).map(({ variableId }) => variableId)
  const read = await readFacts(db, project.id, { variables: { ids, codeNames: [] }, properties, cohorts })
  return { ...read, variables: { ...typesOf(variables, read.variables), ...own } }
}
