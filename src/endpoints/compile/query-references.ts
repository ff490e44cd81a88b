// Reads the facts behind the names that a query mentions: types of variables and properties, ids of cohorts.
import { and, eq, sql } from 'drizzle-orm'
import { actions as actionRows } from '../../../drizzle'
import { propertyTypesFrom, selectDefinitions } from '../../analytics/property-definitions/property-types'
import type { Deps } from '../../deps'
import type { ActionReference, CohortReference } from '../../hogql/resolve/resolve'
import type { Database } from '../../storage/database'
import type { PreparedText, ProjectAction, TextFacts } from './compile-text'
import type { QueryVariables, VariableType } from '../query/query-types'
import { type SavedVariable, typesOf } from '../query/query-variables'
import { selectSavedVariables } from '../variables/read-variables'

/** Names that a query mentions. */
interface QueryReferences extends Pick<PreparedText, 'properties' | 'cohorts' | 'actions' | 'names'> {
  variables: { ids: string[]; codeNames: string[] }
}

interface ProjectFacts extends Omit<TextFacts, 'variables'> {
  variables: readonly SavedVariable[]
}

/**
 * Selects ids of static cohorts by id and by name (`person_id IN COHORT 'Regulars'`). When two have the same name, the older one is
 * meant.
 */
const selectCohortIds = (db: Database, projectId: number, references: readonly CohortReference[]) =>
  db
    .select({ reference: sql<CohortReference>`w.value`.as('reference'), id: sql<number>`min(c.id)`.as('id') })
    .from(
      sql`json_each(${JSON.stringify(references)}) w CROSS JOIN cohorts c
        ON c.project_id = ${projectId} AND iif(w.type = 'text', c.name = w.value, c.id = w.value) AND c.is_static = 1 AND c.deleted = 0`,
    )
    .groupBy(sql`w.key`)

/** Selects actions by id and by name. When two have the same name, the older one is meant. */
const selectActions = (db: Database, projectId: number, references: readonly ActionReference[]) =>
  db
    .select({
      reference: sql<ActionReference>`w.value`.as('reference'),
      id: sql<number>`min(t.id)`.as('id'),
      revision: sql<number>`t.revision`.as('revision'),
      steps: sql<string>`t.steps`.as('steps'),
    })
    .from(
      sql`json_each(${JSON.stringify(references)}) w CROSS JOIN actions t
        ON t.project_id = ${projectId} AND iif(w.type = 'text', t.name = w.value, t.id = w.value) AND t.deleted = 0`,
    )
    .groupBy(sql`w.key`)

/** Maximum number of names that a misspelt name is compared with. */
const MAX_ACTION_NAMES = 200

/**
 * Reads the actions that a query refers to. If one is missing, the names of others are added with the value null, for suggestions. It
 * takes one round trip, and another one for these names.
 */
async function readActions(
  db: Database,
  projectId: number,
  references: readonly ActionReference[],
): Promise<ProjectFacts['actions']> {
  if (references.length === 0) return new Map()
  const rows = await selectActions(db, projectId, references)
  const found = new Map<ActionReference, ProjectAction | null>(
    rows.map(({ reference, id, revision, steps }) => [
      reference,
      { id, revision, steps: JSON.parse(steps) as ProjectAction['steps'] },
    ]),
  )
  if (references.every((reference) => typeof reference === 'number' || found.has(reference))) return found
  const others = await db
    .select({ name: actionRows.name })
    .from(actionRows)
    .where(and(eq(actionRows.projectId, projectId), eq(actionRows.deleted, false)))
    .limit(MAX_ACTION_NAMES)
  for (const { name } of others) if (!found.has(name)) found.set(name, null)
  return found
}

/** Adds what the steps of the actions refer to. */
async function withActions(
  references: QueryReferences,
  actions: ProjectFacts['actions'],
): Promise<QueryReferences> {
  if (actions.size === 0) return references
  const { namesInSteps } = await import('../../hogql/resolve/resolve')
  const names = [...actions.values()].map((action) => namesInSteps(action?.steps ?? []))
  return {
    ...references,
    properties: [...references.properties, ...names.flatMap(({ properties }) => properties)],
    cohorts: [...references.cohorts, ...names.flatMap(({ cohorts }) => cohorts)],
  }
}

/** Reads the facts of a query, with suggestions for names that it misspells. It takes one round trip, and one before it for actions. */
export async function readQueryFacts(
  db: Database,
  projectId: number,
  references: QueryReferences,
): Promise<ProjectFacts> {
  const actions = await readActions(db, projectId, references.actions)
  const all = await withActions(references, actions)
  const { variables, properties, cohorts, names } = all
  const count = variables.ids.length + variables.codeNames.length + properties.length + cohorts.length
  const { selectNearNames, suggestionsFrom } = await import('../../analytics/property-definitions/near-names')
  const [saved, definitions, cohortIds, nearNames] =
    count + names.length === 0
      ? [[], [], [], []]
      : await db.batch([
          selectSavedVariables(db, projectId, variables),
          selectDefinitions(db, projectId, properties),
          selectCohortIds(db, projectId, cohorts),
          selectNearNames(db, projectId, names),
        ])
  return {
    variables: saved,
    actions,
    types: propertyTypesFrom(definitions),
    cohorts: new Map(cohortIds.map(({ reference, id }) => [reference, id])),
    suggestName: suggestionsFrom(nearNames),
  }
}

/** Reads the facts for the text of a stored query. @param own variables that the service added to the text */
export async function readTextFacts(
  { deps: { db }, project }: { deps: Pick<Deps, 'db'>; project: { id: number } },
  { properties, cohorts, actions }: Pick<PreparedText, 'properties' | 'cohorts' | 'actions'>,
  variables: QueryVariables,
  own: Readonly<Record<string, VariableType>> = {},
): Promise<TextFacts> {
  const ids = Object.values(variables ?? {}).map(({ variableId }) => variableId)
  const read = await readQueryFacts(db, project.id, {
    variables: { ids, codeNames: [] },
    properties,
    cohorts,
    actions,
    names: [],
  })
  return { ...read, variables: { ...typesOf(variables, read.variables), ...own } }
}
