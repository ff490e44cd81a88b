// Settings of a project.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { projectQuery } from '../api/queries'
import { Loading, ProblemNotice } from '../design/feedback'
import { CodeBlock } from '../design/small'

const route = getRouteApi('/project/$projectId/settings/project')

export function ProjectPage() {
  const { projectId } = route.useParams()
  const project = useQuery(projectQuery(projectId))
  if (project.isPending) return <Loading />
  if (project.isError) return <ProblemNotice error={project.error} onRetry={() => void project.refetch()} />
  return (
    <>
      <div className="page-header">
        <h1>Project settings</h1>
      </div>
      <section className="card" aria-labelledby="token">
        <header>
          <h2 id="token">Project token</h2>
        </header>
        <div className="body stack">
          <p>
            SDKs identify the project by it. It may be public: it reads flags and sends events, and nothing
            else.
          </p>
          <CodeBlock label="Project token" code={project.data.api_token} />
          <p className="soft small">
            Project id {project.data.id} · address of the service {location.origin} · keys for programs that
            change things are in <a href="/settings#keys">your account</a>
          </p>
        </div>
      </section>
    </>
  )
}
