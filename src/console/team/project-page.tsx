// Shows settings of a project.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrors } from '../api/field-errors'
import { PageHeader } from '../design/page-header'
import { Card } from '../design/card'
import { type Project, patch } from '../api/client'
import { meQuery, projectQuery, queryClient } from '../api/queries'
import { Button } from '../design/button'
import { SelectField, SwitchRow, TextField, Form } from '../design/fields/field'
import { ProblemNotice } from '../design/feedback'
import { CodeBlock } from '../design/small'
import { fieldsChanged } from '../edit/changed-fields'
import { LeaveGuard } from '../edit/leave-dialog'
import { say } from '../design/popups/toast'
import { Loaded } from '../entity/entity-page'
import { DeleteProjectCard } from './delete-project'
import { ADMIN } from './levels'
import { WriterFields } from './writers'

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
  const [name, setName] = useState(project.name)
  const [timezone, setTimezone] = useState(project.timezone)
  const isChanged = name !== project.name || timezone !== project.timezone
  const save = useMutation({
    mutationFn: (body: Partial<Pick<Project, 'name' | 'timezone' | 'require_evaluation_contexts'>>) =>
      patch('/api/projects/{project_id}/', { path: { project_id: String(project.id) } }, body),
    async onSuccess(saved, body) {
      // The service trims names.
      if (body.name !== undefined) setName(saved.name)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: projectQuery(project.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
      ])
      say('Project settings saved.')
    },
  })
  const { errorOf, otherError } = fieldErrors(save.error, ['name', 'timezone'])
  return (
    <Card title="General">
      <WriterFields level={ADMIN}>
        <Form
          onSubmit={() =>
            save.mutate(fieldsChanged({ name: project.name, timezone: project.timezone }, { name, timezone }))
          }
        >
          <TextField label="Name" error={errorOf('name')} value={name} onChange={setName} />
          <SelectField
            label="Time zone"
            hint="Days in queries begin at its midnight."
            error={errorOf('timezone')}
            value={timezone}
            options={TIME_ZONES}
            onChange={setTimezone}
          />
          <div>
            <Button type="submit" kind="primary" isBusy={save.isPending} disabled={!isChanged}>
              Save
            </Button>
          </div>
          <LeaveGuard isUnsaved={isChanged} />
        </Form>
        <SwitchRow
          title="Flags need evaluation contexts"
          hint="A new flag has to say where it is evaluated."
          // The new value is shown while it is saved, and reverted if it is rejected.
          isChecked={
            (save.isPending ? save.variables.require_evaluation_contexts : undefined) ??
            project.require_evaluation_contexts
          }
          onChange={(isOn) => save.mutate({ require_evaluation_contexts: isOn })}
          isBusy={save.isPending}
        />
        {otherError && <ProblemNotice error={otherError} />}
      </WriterFields>
    </Card>
  )
}
