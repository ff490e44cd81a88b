import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Flag } from '../api/client'
import { projectQuery } from '../api/queries'
import { Loading, ProblemNotice } from '../design/feedback'
import { CodeBlock } from '../design/small'
import { samplesOf } from './code-samples'

/** Code that asks for the flag, with the project's own token and address. */
export default function CodeTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const project = useQuery(projectQuery(projectId))
  const [index, setIndex] = useState(0)
  if (project.isPending) return <Loading />
  if (project.isError) return <ProblemNotice error={project.error} onRetry={() => void project.refetch()} />
  const samples = samplesOf({
    key: flag.key,
    token: project.data.api_token,
    host: location.origin,
    variants: flag.filters.multivariate?.variants.map(({ key }) => key) ?? [],
    isConfig: flag.is_remote_configuration === true,
    projectId,
  })
  const sample = samples[index] ?? samples[0]!
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
        {sample.install && <CodeBlock label="Installation" code={sample.install} />}
        <CodeBlock label={`Code for ${sample.name}`} code={sample.code} />
        <p className="soft small">
          The token may be public: it reads flags and sends events, and nothing else.
        </p>
      </div>
    </section>
  )
}
