import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Endpoint } from '../api/client'
import { variablesQuery } from '../api/saved-queries'
import { Loading, Notice } from '../design/feedback'
import { CodeBlock } from '../design/small'
import { callSamples } from './call-samples'
import { storedValues, variableNames } from './draft'

/** Code that runs the query as it is saved, with the service's own address. */
export default function CallTab({ projectId, query }: { projectId: number; query: Endpoint }) {
  const [index, setIndex] = useState(0)
  const isSql = query.query.kind === 'HogQLQuery'
  const variables = useQuery({ ...variablesQuery(projectId), enabled: isSql })
  if (isSql && variables.isPending) return <Loading />
  const names = isSql ? variableNames(String(query.query.query)) : []
  const known = storedValues(query.query, variables.data ?? [])
  const samples = callSamples({
    host: location.origin,
    projectId,
    name: query.name,
    values: Object.fromEntries(names.map((name) => [name, known[name] ?? null])),
  })
  const sample = samples[index] ?? samples[0]!
  const document = `/api/projects/${projectId}/endpoints/${query.name}/openapi.json/`
  return (
    <section className="card" aria-label="Code">
      <header>
        <div className="row wrap" role="group" aria-label="Language">
          {samples.map(({ name }, at) => (
            <button
              key={name}
              type="button"
              className={`button small ${at === index ? 'primary' : ''}`}
              aria-pressed={at === index}
              onClick={() => setIndex(at)}
            >
              {name}
            </button>
          ))}
        </div>
      </header>
      <div className="body stack">
        {!query.is_active && <Notice tone="warn">The query is inactive: a call gets a 404.</Notice>}
        <CodeBlock label={`Code for ${sample.name}`} code={sample.code} />
        <p className="soft small">
          {names.length > 0 && 'Variables that are left out have the values shown here. '}
          Create a key with the scope <code>endpoint:read</code> in your <a href="/settings#keys">account</a>.
          A key is secret: keep it on a server. Generate a client from the{' '}
          <a href={document}>OpenAPI document</a> of this query.
        </p>
      </div>
    </section>
  )
}
