// Which value each variable of a run has (reference/endpoints-api.md §3.7, §8.1).
import { invalid } from '../../errors'
import type { QueryVariable } from '../query/query-types'

/** What the project's saved variables are by default, by their id. One without a default has null. */
export type SavedDefaults = Readonly<Record<string, unknown>>

export interface Chosen {
  /** By code name; null is NULL. Those without any value are missing. */
  values: ReadonlyMap<string, unknown>
  /** Whether a value came from a saved variable, which may change while the query stays as it is. */
  fromSaved: boolean
}

/** What a request may set of the query's variables. */
export const codeNamesOf = (variables: Record<string, QueryVariable> | null): Set<string> =>
  new Set(Object.values(variables ?? {}).map(({ code_name: name }) => name))

/**
 * Refuses variables that the query does not have.
 * @throws 400 `variables`, with their names in order.
 */
export function requireKnown(requested: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void {
  const unknown = Object.keys(requested).filter((name) => !known.has(name))
  if (unknown.length > 0) throw invalid('variables', `Unknown variable(s): ${unknown.sort().join(', ')}`)
}

/** The value of each variable: what the request says, else what the query holds, else what the saved variable is by default. */
export function chooseValues(
  variables: Record<string, QueryVariable> | null,
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
