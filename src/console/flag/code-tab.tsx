import { useQuery } from '@tanstack/react-query'
import type { Flag } from '../api/client'
import { projectQuery } from '../api/queries'
import { CodeSamples } from '../design/code-samples'
import { Loading, ProblemNotice } from '../design/feedback'
import { samplesOf } from './code-samples'

/** Code that asks for the flag, with the project's own token and address. */
export default function CodeTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const project = useQuery(projectQuery(projectId))
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
  return (
    <CodeSamples samples={samples}>
      The token may be public: it reads flags and sends events, and nothing else.
    </CodeSamples>
  )
}
