// Shows settings of the organization, and its projects.
import { post, patch } from '../api/client'
import { PageHeader } from '../design/page-header'
import { Card } from '../design/card'
import { ADMIN, MEMBER } from './levels'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Problem } from '../api/problem'
import { fieldErrors } from '../api/field-errors'
import { organizationQuery } from '../api/organization'
import { membersQuery, meQuery, queryClient } from '../api/queries'
import type { components } from '../api/schema'
import { Button } from '../design/button'
import { Field, Input, SwitchRow, Form } from '../design/fields/field'
import { Empty, ProblemNotice } from '../design/feedback'
import { Badge } from '../design/small'
import { say } from '../design/popups/toast'
import { ConfirmChange } from '../edit/confirm-change'
import { LeaveGuard } from '../edit/leave-dialog'
import { Loaded } from '../entity/entity-page'
import { SingleSignOn } from './single-sign-on'
import './team.css'
import { WriterFields, Writers } from './writers'
import { pagesOf } from '../shell/pages'

type Organization = components['schemas']['Organization']
type Change = NonNullable<components['schemas']['OrganizationsPartialUpdateBody']>

const route = getRouteApi('/project/$projectId')

export function OrganizationPage() {
  const { me } = route.useRouteContext()
  const id = me.organization?.id
  const organization = useQuery({ ...organizationQuery(id ?? ''), enabled: id !== undefined })
  if (!id) return <Empty title="You are not a member of an organization" />
  return (
    <Loaded query={organization} noun="organization">
      {(data) => (
        <>
          <PageHeader title={data.name} />
          <Rules key={id} organization={data} />
          <Writers level={ADMIN}>
            <SingleSignOn key={`sso ${id}`} organizationId={id} isStaff={me.is_staff} />
          </Writers>
          <Projects organization={data} />
        </>
      )}
    </Loaded>
  )
}

type Rule =
  | 'enforce_2fa'
  | 'members_can_invite'
  | 'members_can_create_projects'
  | 'members_can_use_personal_api_keys'

/** The values of rules that stop what works now, so that they are set only after a question. */
const STOPS: Partial<Record<Rule, boolean>> = { enforce_2fa: true, members_can_use_personal_api_keys: false }

/** The card shows the error of its mutation. */
const shown = () => {}

function Rules({ organization }: { organization: Organization }) {
  const [asked, setAsked] = useState<Rule | null>(null)
  const [name, setName] = useState(organization.name)
  const save = useMutation({
    mutationFn: (change: Change) =>
      patch('/api/organizations/{organization_id}/', { path: { organization_id: organization.id } }, change),
    async onSuccess(saved, change) {
      // The service trims names.
      if (change.name !== undefined) setName(saved.name)
      queryClient.setQueryData(organizationQuery(organization.id).queryKey, saved)
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    },
  })
  const set = (field: Rule, isOn: boolean) =>
    save
      .mutateAsync({ [field]: isOn })
      .then(() => say('Organization settings saved.', () => void set(field, !isOn).catch(shown)))
  const rule = (field: Rule) => ({
    // The new value is shown while it is saved, and reverted if it is rejected.
    isChecked: Boolean(
      save.isPending && save.variables && field in save.variables
        ? save.variables[field]
        : organization[field],
    ),
    onChange: (isOn: boolean) => {
      if (isOn === STOPS[field]) setAsked(field)
      else void set(field, isOn).catch(shown)
    },
    isBusy: save.isPending,
  })
  const { errorOf, otherError } = fieldErrors(save.error, ['name'])
  return (
    <Card title="General">
      <WriterFields level={ADMIN}>
        <Form
          onSubmit={() =>
            save.mutate({ name }, { onSuccess: () => void say('Organization settings saved.') })
          }
        >
          <Field label="Name" error={errorOf('name')}>
            {(control) => (
              <div className="row">
                <Input {...control} value={name} onChange={(event) => setName(event.target.value)} />
                <Button type="submit" disabled={name === organization.name}>
                  Rename
                </Button>
              </div>
            )}
          </Field>
          <LeaveGuard isUnsaved={name !== organization.name} />
        </Form>
        <SwitchRow
          title="Require two-factor authentication"
          hint="Members without it can only set it up until they have it."
          {...rule('enforce_2fa')}
        />
        <SwitchRow
          title="Members can invite"
          hint="Otherwise only admins can."
          {...rule('members_can_invite')}
        />
        <SwitchRow
          title="Members can create projects"
          hint="Otherwise only admins can."
          {...rule('members_can_create_projects')}
        />
        <SwitchRow
          title="Members can use personal API keys"
          hint="Otherwise only keys of admins reach this organization."
          {...rule('members_can_use_personal_api_keys')}
        />
        {otherError && <ProblemNotice error={otherError} />}
      </WriterFields>
      {asked === 'enforce_2fa' && (
        <ConfirmChange
          title="Require two-factor authentication?"
          action="Require"
          onClose={() => setAsked(null)}
          change={() => set(asked, true)}
        >
          <RequiredFactor organizationId={organization.id} />
        </ConfirmChange>
      )}
      {asked === 'members_can_use_personal_api_keys' && (
        <ConfirmChange
          title="Turn off personal API keys of members?"
          action="Turn off"
          onClose={() => setAsked(null)}
          change={() => set(asked, false)}
        >
          Programs with a key of a member are rejected at once. Those with keys of admins continue.
        </ConfirmChange>
      )}
    </Card>
  )
}

/** Says who is locked out when a second factor is required. */
function RequiredFactor({ organizationId }: { organizationId: string }) {
  const members = useQuery(membersQuery(organizationId)).data?.results
  const without = members?.filter(({ is_2fa_enabled: has }) => !has).length
  return (
    <p>
      {without === undefined
        ? 'Members'
        : `${without.toLocaleString('en')} ${without === 1 ? 'member' : 'members'}`}{' '}
      without it can only set it up until they have it.
    </p>
  )
}

function Projects({ organization }: { organization: Organization }) {
  const { projectId } = route.useParams()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () =>
      post(
        '/api/organizations/{organization_id}/projects/',
        { path: { organization_id: organization.id } },
        { name },
      ),
    async onSuccess(project) {
      await queryClient.invalidateQueries({ queryKey: organizationQuery(organization.id).queryKey })
      await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
      setName('')
      say(`${project.name} created.`)
      await navigate({ ...pagesOf(project.id).start, ignoreBlocker: true })
    },
  })
  return (
    <Card title="Projects" isFlush>
      <ul className="people">
        {organization.teams.map((project) => (
          <li key={project.id}>
            <div className="grow">
              <strong>{project.name}</strong>
              <div className="soft small">
                Id {project.id} · {project.timezone}
              </div>
            </div>
            {project.id === projectId ? (
              <Badge tone="accent">Current</Badge>
            ) : (
              <Button isSmall onClick={() => void navigate(pagesOf(project.id).flags)}>
                Open
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Writers level={organization.members_can_create_projects ? MEMBER : ADMIN}>
        <Form className="body stack" onSubmit={() => create.mutate()}>
          <Field label="New project" error={create.error instanceof Problem ? create.error.message : null}>
            {(control) => (
              <div className="row">
                <Input
                  {...control}
                  value={name}
                  placeholder="Name"
                  onChange={(event) => setName(event.target.value)}
                />
                <Button type="submit" isBusy={create.isPending} disabled={name.trim() === ''}>
                  Create
                </Button>
              </div>
            )}
          </Field>
          <LeaveGuard isUnsaved={name !== ''} />
        </Form>
      </Writers>
    </Card>
  )
}
