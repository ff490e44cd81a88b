// What the texts of a materialization have to know of their project, read in one round trip.
import { propertyTypesFrom, selectDefinitions } from '../../analytics/property-definitions'
import type { Deps } from '../../deps'
import { selectCohortIds } from '../cohort-ids'
import type { PreparedText, TextWorld } from '../compile-text'
import type { HogqlQuery, VariableType } from '../query/shape'
import { typesOf } from '../query/variables'
import { selectSavedVariables } from '../variables/rows'

/**
 * Reads the types of a text's variables and properties, and its cohorts' ids.
 * @param variables those of the query
 * @param own variables that the service itself put into the text
 */
export async function readWorldOf(
  { deps: { db }, project }: { deps: Pick<Deps, 'db'>; project: { id: number } },
  text: Pick<PreparedText, 'properties' | 'cohorts'>,
  variables: HogqlQuery['variables'],
  own: Readonly<Record<string, VariableType>> = {},
): Promise<TextWorld> {
  const ids = Object.values(variables ?? {}).map(({ variableId }) => variableId)
  const [saved, definitions, cohorts] = await db.batch([
    selectSavedVariables(db, project.id, { ids, codeNames: [] }),
    selectDefinitions(db, project.id, text.properties),
    selectCohortIds(db, project.id, text.cohorts),
  ])
  return {
    variables: { ...typesOf(variables, saved), ...own },
    types: propertyTypesFrom(definitions),
    cohorts: new Map(cohorts.map(({ name, id }) => [name, id])),
  }
}
