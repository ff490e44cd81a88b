// The result of a saved query as programs get it, on its own page and on dashboards.
import { useQuery } from '@tanstack/react-query'
import { type DateRange, tileRunQuery } from '../api/dashboards'
import { endpointQuery, variablesQuery } from '../api/saved-queries'
import { storedValues, type Values, variableNames, withValues } from './draft'

/** What a HogQL query has in place of a condition on its time range. */
const FILTERS = /\{\s*filters\s*\}/

export interface RunTiming {
  /** Null: the range of the query itself. */
  range: DateRange | null
  /** Milliseconds between two reads; false for none. */
  refetchInterval: number | false
}

const ONCE: RunTiming = { range: null, refetchInterval: false }

/**
 * Runs a saved query: the first time for its stored result where that is fresh enough, and for a new one at each refresh.
 *
 * @param values - of variables, in place of the values that the query has.
 */
export function useSavedRun(projectId: number, name: string, values: Values, timing = ONCE) {
  const endpoint = useQuery(endpointQuery(projectId, name))
  const query = endpoint.data?.query as (Record<string, unknown> & { kind: string }) | undefined
  const isSql = query?.kind === 'HogQLQuery'
  const filtered = isSql && FILTERS.test(String(query.query)) ? query : null
  const names = isSql ? variableNames(String(query.query)) : []
  const variables = useQuery({ ...variablesQuery(projectId), enabled: names.length > 0 })
  const takesRange = query !== undefined && (!isSql || filtered !== null)
  const known = { ...storedValues(query, variables.data ?? []), ...values }
  const run = useQuery({
    ...tileRunQuery(projectId, {
      name,
      version: endpoint.data?.current_version ?? 0,
      range: takesRange ? timing.range : null,
      filtered: filtered && withValues(filtered, known, variables.data ?? []),
      variables: Object.fromEntries(names.map((each) => [each, known[each] ?? null])),
    }),
    enabled: query !== undefined && (names.length === 0 || !variables.isPending),
    refetchInterval: timing.refetchInterval,
  })
  return { endpoint, query, run, takesRange }
}
