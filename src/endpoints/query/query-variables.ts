// Synchronizes the variables of a query with the placeholders of its text. Pure. Reference/endpoints-api.md §1.2, 3–4.
import { invalid } from '../../errors'
import type { QueryVariable, QueryVariables, VariableType } from './query-types'

export interface SavedVariable {
  id: string
  codeName: string
  type: VariableType
  defaultValue: unknown
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

/**
 * Drops variables that the text does not read; adds missing ones and default values from the project.
 * @returns null when the text reads none
 */
export function syncVariables(
  sent: QueryVariables,
  placeholders: readonly string[],
  saved: readonly SavedVariable[],
): QueryVariables {
  const used = Object.entries(sent ?? {})
    .filter(([, { code_name: name }]) => placeholders.includes(name))
    .map(([id, variable]) => [id, withDefault(variable, saved)] as const)
  const defined = new Set(used.map(([, { code_name: name }]) => name))
  const added = saved
    .filter(({ codeName }) => placeholders.includes(codeName) && !defined.has(codeName))
    .map((variable) => [variable.id, variableFrom(variable)] as const)
  const variables = Object.fromEntries([...used, ...added])
  return Object.keys(variables).length > 0 ? variables : null
}

function withDefault(variable: QueryVariable, saved: readonly SavedVariable[]): QueryVariable {
  if ((variable.value !== null && variable.value !== undefined) || variable.isNull === true) return variable
  const found = saved.find(({ id }) => id === variable.variableId.toLowerCase())
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
  const missing = ids.filter((id) => !saved.some((each) => each.id === id.toLowerCase()))
  if (missing.length > 0) {
    throw invalid(
      'query',
      `Variable ID(s) not found: ${listed(missing)}. Make sure the variables exist in this project.`,
    )
  }
}

const listed = (names: readonly string[]) => [...new Set(names)].sort().join(', ')

/** Type of a deleted variable, from its stored value. */
function typeOf(value: unknown): VariableType {
  if (typeof value === 'number') return 'Number'
  if (typeof value === 'boolean') return 'Boolean'
  return Array.isArray(value) ? 'List' : 'String'
}

/** By code name. */
export const typesOf = (
  variables: QueryVariables,
  saved: readonly SavedVariable[],
): Record<string, VariableType> =>
  Object.fromEntries(
    Object.entries(variables ?? {}).map(([id, { code_name: name, value }]) => [
      name,
      saved.find((each) => each.id === id.toLowerCase())?.type ?? typeOf(value),
    ]),
  )
