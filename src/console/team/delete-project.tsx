// Deletes a project, after its name was typed.
import { useNavigate } from '@tanstack/react-router'
import { client, type Project } from '../api/client'
import { inProject, meQuery, projectQuery, queryClient } from '../api/queries'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { TextField } from '../design/fields/field'
import { FormDialog } from '../design/popups/dialog'
import { useForm } from '../edit/use-form'
import { openDialog } from '../design/popups/opened'
import { say } from '../design/popups/toast'
import { ADMIN } from './levels'
import { Writers } from './writers'

export function DeleteProjectCard({ project }: { project: Project }) {
  return (
    <Writers level={ADMIN}>
      <Card
        title="Delete the project"
        hint="Deletes its token, flags, cohorts, people, events, queries and dashboards. This cannot be undone."
      >
        <div>
          <Button className="danger" onClick={() => openDialog(<DeleteProject project={project} />)}>
            Delete the project…
          </Button>
        </div>
      </Card>
    </Writers>
  )
}

function DeleteProject({ project }: { project: Project }) {
  const navigate = useNavigate()
  const form = useForm(
    { typed: '' },
    () => client.DELETE('/api/projects/{project_id}/', { params: { path: inProject(project.id) } }),
    async () => {
      say(`${project.name} deleted.`)
      await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
      await navigate({ to: '/' })
      queryClient.removeQueries(projectQuery(project.id))
    },
  )
  return (
    <FormDialog
      title={`Delete ${project.name}?`}
      className="danger"
      action="Delete the project"
      disabled={form.values.typed.trim() !== project.name}
      {...form.props}
    >
      <p>
        Programs that use its token get errors at once: flags no longer have a value, and events are lost. All
        of its data is deleted within minutes.
      </p>
      <TextField label={`Type “${project.name}” to confirm`} autoFocus {...form.field('typed')} />
    </FormDialog>
  )
}
