// Defines the result of a saved query as programs get it, for its own page and for dashboards.
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { QueryResult } from '../api/client'
import { type DateRange, tileRunQuery } from '../api/dashboards'
import { endpointQuery, variablesQuery } from '../api/saved-queries'
import { storedValues, type Values, valueIssue, variableNames, withValues } from './draft'

/** Matches the placeholder of the time range in a HogQL query. */
const FILTERS = /\{\s*filters\s*\}/

export interface RunTiming {
  /** The range, or null for that of the query itself. */
  range: DateRange | null
  /** Milliseconds between two reads, or false for none. */
  refetchInterval: number | false
  /** Whether only a result that is there is read. */
  isIdle?: boolean
}

export const ONCE: RunTiming = { range: null, refetchInterval: false }

/**
 * Runs a saved query. The first run uses the stored result if that is fresh enough; each refresh computes a new one.
 * @param values of variables, which replace those of the query. In place of one that is not valid, the value before counts.
 * @returns with the last result, which stays when a later run fails
 */
export function useSavedRun(projectId: number, name: string, values: Values, timing = ONCE) {
  const endpoint = useQuery(endpointQuery(projectId, name))
  const query = endpoint.data?.query
  const isSql = query?.kind === 'HogQLQuery'
  const filtered = isSql && FILTERS.test(String(query.query)) ? query : null
  const names = isSql ? variableNames(String(query.query)) : []
  const variables = useQuery({ ...variablesQuery(projectId), enabled: names.length > 0 })
  const takesRange = query !== undefined && (!isSql || filtered !== null)
  const stored = storedValues(query, variables.data ?? [])
  const known: Record<string, unknown> = { ...stored, ...values }
  const last = useRef<Values>({})
  for (const variable of variables.data ?? [])
    if (valueIssue(variable, known[variable.code_name]) !== null)
      known[variable.code_name] = last.current[variable.code_name] ?? stored[variable.code_name]
  last.current = known
  const run = useQuery({
    ...tileRunQuery(projectId, {
      name,
      version: endpoint.data?.current_version ?? 0,
      range: takesRange ? timing.range : null,
      filtered: filtered && withValues(filtered, known, variables.data ?? []),
      variables: Object.fromEntries(names.map((each) => [each, known[each] ?? null])),
    }),
    enabled: !timing.isIdle && query !== undefined && (names.length === 0 || !variables.isPending),
    refetchInterval: timing.refetchInterval,
  })
  // Its columns, which the schema does not bound, are pairs.
  const result = useRef<QueryResult>(undefined)
  result.current = (run.data as QueryResult | undefined) ?? result.current
  return { endpoint, query, run, result: result.current, takesRange }
}
