import { useQuery } from '@tanstack/react-query'
import type { Endpoint } from '../../api/client'
import { variablesQuery } from '../../api/saved-queries'
import { CodeSamples } from '../../design/code/code-samples'
import { Loading, Notice, ProblemNotice } from '../../design/feedback'
import { breakdownsOf, callSamples, insightVariables } from './call-samples'
import { storedValues, variableNames } from '../draft'

/** Code that runs the query as it is saved, with the service's own address. */
export default function CallTab({ projectId, query }: { projectId: number; query: Endpoint }) {
  const isSql = query.query.kind === 'HogQLQuery'
  const variables = useQuery({ ...variablesQuery(projectId), enabled: isSql })
  if (isSql && variables.isPending) return <Loading />
  if (isSql && !variables.data)
    return <ProblemNotice error={variables.error} onRetry={() => void variables.refetch()} />
  const names = isSql ? variableNames(String(query.query.query)) : []
  const breakdowns = isSql ? [] : breakdownsOf(query.query)
  const known = storedValues(query.query, variables.data ?? [])
  const samples = callSamples({
    host: location.origin,
    projectId,
    name: query.name,
    values: isSql
      ? Object.fromEntries(names.map((name) => [name, known[name] ?? null]))
      : insightVariables(query.query, query.materialization.enabled),
  })
  const document = `/api/projects/${projectId}/endpoints/${query.name}/openapi.json/`
  return (
    <CodeSamples
      samples={samples}
      notice={!query.is_active && <Notice tone="warn">The query is inactive: a call gets a 404.</Notice>}
    >
      {names.length > 0 &&
        (query.materialization.enabled
          ? 'Once materialized, a call needs a value for each variable. '
          : 'Variables that are left out have the values shown here. ')}
      {breakdowns.length > 0 &&
        (query.materialization.enabled
          ? 'Once materialized, a call needs a value of each breakdown that is not optional. '
          : 'Without a value of a breakdown, a call returns all values. ')}
      Create a key with the scope <code>endpoint:read</code> in your <a href="/settings#keys">account</a>. A
      key is secret: keep it on a server. Generate a client from the <a href={document}>OpenAPI document</a>{' '}
      of this query.
    </CodeSamples>
  )
}
