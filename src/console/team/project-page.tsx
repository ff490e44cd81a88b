// Shows settings of a project, and deletes it after its name was typed.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { PageHeader } from '../design/page-header'
import { Card } from '../design/card'
import { type Project, patch, client } from '../api/client'
import { inProject, meQuery, projectQuery, queryClient, refresh } from '../api/queries'
import { SelectField, TextField } from '../design/fields/field'
import { FormBody } from '../design/form-body'
import { CodeBlock } from '../design/small'
import { fieldsChanged } from '../edit/changed-fields'
import { LeaveGuard } from '../edit/leave-dialog'
import { SavedSwitch } from '../edit/saved-switch'
import { useForm } from '../edit/use-form'
import { say } from '../design/popups/toast'
import { Loaded } from '../entity/entity-page'
import { ADMIN } from './levels'
import { WriterFields, Writers } from './writers'
import { Button } from '../design/button'
import { FormDialog } from '../design/popups/dialog'
import { openDialog } from '../design/popups/opened'

const route = getRouteApi('/project/$projectId/settings/project')

export function ProjectPage() {
  const { projectId } = route.useParams()
  const project = useQuery(projectQuery(projectId))
  return (
    <Loaded query={project} noun="project">
      {(data) => (
        <>
          <PageHeader title="Project settings" />
          <General key={projectId} project={data} />
          <Card title="Project token">
            <p>
              SDKs identify the project by it. It may be public: it reads flags and sends events, and nothing
              else.
            </p>
            <CodeBlock label="Project token" code={data.api_token} />
            <p className="soft small">
              Project id {data.id} · address of the service {location.origin} · keys for programs that change
              things are in <a href="/settings#keys">your account</a>
            </p>
          </Card>
          <DeleteProjectCard project={data} />
        </>
      )}
    </Loaded>
  )
}

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')].map(
  (zone) => [zone, zone.replaceAll('_', ' ')] as const,
)

function General({ project }: { project: Project }) {
  const { name, timezone } = project
  const save = async (
    change: Partial<Pick<Project, 'name' | 'timezone' | 'require_evaluation_contexts'>>,
  ) => {
    await patch('/api/projects/{project_id}/', { path: inProject(project.id) }, change)
    // Nothing below the project's address changes with it.
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: projectQuery(project.id).queryKey, exact: true }),
      refresh(meQuery),
    ])
    say('Project settings saved.')
  }
  const form = useForm(
    { name, timezone },
    (entered) => save(fieldsChanged({ name, timezone }, entered)),
    () => {},
  )
  const isChanged = form.values.name !== name || form.values.timezone !== timezone
  return (
    <Card title="General">
      <WriterFields level={ADMIN}>
        <FormBody action="Save" disabled={!isChanged} {...form.props}>
          <TextField label="Name" {...form.field('name')} />
          <SelectField
            label="Time zone"
            hint="Days in queries begin at its midnight."
            options={TIME_ZONES}
            {...form.field('timezone')}
          />
          <LeaveGuard isUnsaved={isChanged} {...form.props} />
        </FormBody>
        <SavedSwitch
          title="Flags need evaluation contexts"
          hint="A new flag has to say where it is evaluated."
          isChecked={project.require_evaluation_contexts}
          save={(isOn) => save({ require_evaluation_contexts: isOn })}
        />
      </WriterFields>
    </Card>
  )
}

function DeleteProjectCard({ project }: { project: Project }) {
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
