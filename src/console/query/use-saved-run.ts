// Defines the result of a saved query as programs get it, for its own page and for dashboards.
import { useQuery } from '@tanstack/react-query'
import { type DateRange, tileRunQuery } from '../api/dashboards'
import { endpointQuery, variablesQuery } from '../api/saved-queries'
import { storedValues, type Values, variableNames, withValues } from './draft'

/** Matches the placeholder of the time range in a HogQL query. */
const FILTERS = /\{\s*filters\s*\}/

export interface RunTiming {
  /** The range, or null for that of the query itself. */
  range: DateRange | null
  /** Milliseconds between two reads, or false for none. */
  refetchInterval: number | false
}

const ONCE: RunTiming = { range: null, refetchInterval: false }

/**
 * Runs a saved query. The first run uses the stored result if that is fresh enough; each refresh computes a new one.
 * @param values of variables, which replace those of the query
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
