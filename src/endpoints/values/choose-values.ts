// Chooses the values of a run's variables (docs/reference/endpoints.md#variables-of-a-run).
import { invalid } from '../../errors'
import type { QueryVariables } from '../query/query-types'
import type { SavedVariable } from '../query/query-variables'
import { checkValue } from './bind-variables'

/** The project's variables by id. The value is null without a default. */
export type SavedVariables = Readonly<Record<string, Pick<SavedVariable, 'type' | 'defaultValue'>>>

export interface Chosen {
  /** Values by code name. Null is NULL. */
  values: ReadonlyMap<string, unknown>
  /** Whether one of the values is a default of the project, which may change while the query does not. */
  fromSaved: boolean
}

export const codeNamesOf = (variables: QueryVariables): Set<string> =>
  new Set(Object.values(variables ?? {}).map(({ code_name: name }) => name))

/** @throws 400 `variables` with the unknown names and the known ones */
export function requireKnown(requested: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void {
  const unknown = Object.keys(requested).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  const valid = known.size > 0 ? `Known: ${[...known].sort().join(', ')}.` : 'The query has no variables.'
  throw invalid('variables', `Unknown variable(s): ${unknown.sort().join(', ')}. ${valid}`)
}

/**
 * Chooses the values of a run. The request takes precedence over the query, and the query over the defaults of the project's variables.
 * @throws 400 `variables` for a value that does not fit the type of its variable
 */
export function chooseValues(
  variables: QueryVariables,
  requested: Readonly<Record<string, unknown>>,
  saved: SavedVariables,
): Chosen {
  const values = new Map<string, unknown>()
  let fromSaved = false
  for (const { variableId, code_name: name, value, isNull } of Object.values(variables ?? {})) {
    const { type, defaultValue = null } = saved[variableId.toLowerCase()] ?? {}
    if (Object.hasOwn(requested, name)) values.set(name, requested[name])
    else if (isNull) values.set(name, null)
    else if (value !== undefined && value !== null) values.set(name, value)
    else if (defaultValue !== null) {
      values.set(name, defaultValue)
      fromSaved = true
    }
    if (type && values.has(name)) checkValue(name, values.get(name), type)
  }
  return { values, fromSaved }
}
