// Chooses the values of a run's variables (docs/reference/endpoints.md#variables-of-a-run).
import { invalid } from '../../errors'
import type { QueryVariables } from '../query/query-types'

/** By id; null without a default. */
export type SavedDefaults = Readonly<Record<string, unknown>>

export interface Chosen {
  /** By code name; null is NULL. */
  values: ReadonlyMap<string, unknown>
  /** Whether a value is a default of the project, which may change while the query does not. */
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

/** Precedence: request, query, default of the project's variable. */
export function chooseValues(
  variables: QueryVariables,
  requested: Readonly<Record<string, unknown>>,
  saved: SavedDefaults,
): Chosen {
  const values = new Map<string, unknown>()
  let fromSaved = false
  for (const { variableId, code_name: name, value, isNull } of Object.values(variables ?? {})) {
    if (Object.hasOwn(requested, name)) values.set(name, requested[name])
    else if (isNull) values.set(name, null)
    else if (value !== undefined && value !== null) values.set(name, value)
    else {
      const byDefault = saved[variableId.toLowerCase()] ?? null
      if (byDefault === null) continue
      values.set(name, byDefault)
      fromSaved = true
    }
  }
  return { values, fromSaved }
}
