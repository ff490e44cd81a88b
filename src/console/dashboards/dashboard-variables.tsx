// Shows fields for the variables that saved queries read: one field for each, however many queries read it.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Tile } from '../api/dashboards'
import { endpointQuery, variablesQuery } from '../api/saved-queries'
import { useSettled } from '../design/use-settled'
import { missingIn, storedValues, type Values, variableNames } from '../query/draft'
import { VariablesForm } from '../query/variables-form'

/** The values that the user entered, at once and after a pause. */
export interface Entered {
  now: Values
  settled: Values
}

/** Returns the entered values. The address stores them. */
export function useEntered(
  stored: Values = {},
  onSettled: (values: Values | undefined) => void,
): [Entered, (values: Values) => void] {
  const [now, setNow] = useState(stored)
  const settled = useSettled(now)
  useEffect(() => {
    if (JSON.stringify(settled) !== JSON.stringify(stored))
      onSettled(Object.keys(settled).length > 0 ? settled : undefined)
  }, [settled])
  return [{ now, settled }, setNow]
}

interface DashboardVariablesProps {
  projectId: number
  /** The tiles. Those of saved queries have an endpoint. */
  tiles: readonly Pick<Tile, 'endpoint'>[]
  entered: Values
  onChange(values: Values): void
}

export function DashboardVariables({ projectId, tiles, entered, onChange }: DashboardVariablesProps) {
  const queries = useQueries({
    // They are not fetched here, because the tiles fetch them.
    queries: tiles.flatMap(({ endpoint }) =>
      endpoint === null ? [] : [{ ...endpointQuery(projectId, endpoint), enabled: false }],
    ),
  }).flatMap(({ data }) => (data?.query.kind === 'HogQLQuery' ? [data.query] : []))
  const names = [...new Set(queries.flatMap(({ query }) => variableNames(String(query))))]
  const variables = useQuery({ ...variablesQuery(projectId), enabled: names.length > 0 })
  const known = variables.data ?? []
  const isRead = (name: string) => (query: (typeof queries)[number]) =>
    variableNames(String(query.query)).includes(name)
  const values = Object.fromEntries(
    names.map((name) => [name, storedValues(queries.find(isRead(name)), known)[name] ?? null]),
  )
  return (
    <VariablesForm
      projectId={projectId}
      names={names}
      variables={known}
      values={{ ...values, ...entered }}
      onChange={(changed) => onChange({ ...entered, ...changed })}
      missing={variables.isSuccess ? missingIn(names, known) : []}
    />
  )
}
