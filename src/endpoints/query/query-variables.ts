// Synchronizes the variables of a query with the placeholders of its text (docs/reference/endpoints.md#checks-of-a-hogql-query). Pure.
import { invalid } from '../../errors'
import type { QueryVariable, QueryVariables, VariableType } from './query-types'

export interface SavedVariable {
  id: string
  codeName: string
  type: VariableType
  defaultValue: unknown
}

/** Maximum variables of a query. A run reads the value of each, which may have MAX_VALUE_BYTES. */
export const MAX_VARIABLES = 100

/** @throws 400, attr `query`, for too many variables in its text or beside it */
export function checkVariableCount(sent: QueryVariables, placeholders: readonly string[]): void {
  const count = Math.max(placeholders.length, Object.keys(sent ?? {}).length)
  if (count > MAX_VARIABLES)
    throw invalid('query', `A query has at most ${MAX_VARIABLES} variables, and this one has ${count}.`)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

/**
 * Drops variables that the text does not read, and adds missing ones and default values from the project.
 * @returns null when the text reads none
 */
export function syncVariables(
  sent: QueryVariables,
  placeholders: readonly string[],
  saved: readonly SavedVariable[],
): QueryVariables {
  const read = new Set(placeholders)
  const known = byId(saved)
  const used = Object.entries(sent ?? {})
    .filter(([, { code_name: name }]) => read.has(name))
    .map(([id, variable]) => [id, withDefault(variable, known)] as const)
  const defined = new Set(used.map(([, { code_name: name }]) => name))
  const added = saved
    .filter(({ codeName }) => read.has(codeName) && !defined.has(codeName))
    .map((variable) => [variable.id, variableFrom(variable)] as const)
  const variables = Object.fromEntries([...used, ...added])
  return Object.keys(variables).length > 0 ? variables : null
}

const byId = (saved: readonly SavedVariable[]): ReadonlyMap<string, SavedVariable> =>
  new Map(saved.map((variable) => [variable.id, variable]))

function withDefault(variable: QueryVariable, saved: ReadonlyMap<string, SavedVariable>): QueryVariable {
  if ((variable.value !== null && variable.value !== undefined) || variable.isNull === true) return variable
  const found = saved.get(variable.variableId.toLowerCase())
  return found ? { ...variable, ...valueOf(found) } : variable
}

const valueOf = ({ defaultValue }: SavedVariable) => ({
  isNull: defaultValue === null,
  value: defaultValue,
})

const variableFrom = (saved: SavedVariable): QueryVariable => ({
  code_name: saved.codeName,
  ...valueOf(saved),
  variableId: saved.id,
})

/**
 * @param variables already synchronized
 * @throws 400, attr `query`, for an undefined placeholder, or an id that the project does not have
 */
export function checkVariables(
  variables: QueryVariables,
  placeholders: readonly string[],
  saved: readonly SavedVariable[],
): void {
  const defined = new Set(Object.values(variables ?? {}).map(({ code_name: name }) => name))
  const undefinedOnes = placeholders.filter((name) => !defined.has(name))
  if (undefinedOnes.length > 0) {
    throw invalid(
      'query',
      `Query references undefined variable(s): ${listed(undefinedOnes)}. ` +
        'Create each of them first: POST /api/projects/:project_id/insight_variables/.',
    )
  }
  const ids = Object.keys(variables ?? {})
  const odd = ids.filter((id) => !isUuid(id))
  if (odd.length > 0) throw invalid('query', `Variable ID(s) not valid UUIDs: ${listed(odd)}. `.trimEnd())
  const known = byId(saved)
  const missing = ids.filter((id) => !known.has(id.toLowerCase()))
  if (missing.length > 0) {
    throw invalid(
      'query',
      `Variable ID(s) not found: ${listed(missing)}. Make sure the variables exist in this project.`,
    )
  }
}

const listed = (names: readonly string[]) => [...new Set(names)].sort().join(', ')

/** Returns the type of a deleted variable, from its stored value. */
function typeOf(value: unknown): VariableType {
  if (typeof value === 'number') return 'Number'
  if (typeof value === 'boolean') return 'Boolean'
  return Array.isArray(value) ? 'List' : 'String'
}

/** Types by code name. */
export const typesOf = (
  variables: QueryVariables,
  saved: readonly SavedVariable[],
): Record<string, VariableType> => {
  const known = byId(saved)
  return Object.fromEntries(
    Object.entries(variables ?? {}).map(([id, { code_name: name, value }]) => [
      name,
      known.get(id.toLowerCase())?.type ?? typeOf(value),
    ]),
  )
}
