// Shows settings of the organization, and its projects.
import { post, patch } from '../api/client'
import { PageHeader } from '../design/page-header'
import { Card } from '../design/card'
import { ADMIN, MEMBER } from './levels'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { organizationQuery } from '../api/organization'
import { inOrganization, membersQuery, meQuery, queryClient, refresh } from '../api/queries'
import type { components } from '../api/schema'
import { Button } from '../design/button'
import { Field, Input, Form } from '../design/fields/field'
import { Empty, ProblemNotice } from '../design/feedback'
import { Badge } from '../design/small'
import { openDialog } from '../design/popups/opened'
import { say, sayProblem } from '../design/popups/toast'
import { ConfirmChange } from '../edit/confirm-change'
import { LeaveGuard } from '../edit/leave-dialog'
import { SavedSwitch } from '../edit/saved-switch'
import { useForm } from '../edit/use-form'
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

const SAVED = 'Organization settings saved.'

function Rules({ organization }: { organization: Organization }) {
  const save = async (change: Change) => {
    const saved = await patch(
      '/api/organizations/{organization_id}/',
      inOrganization(organization.id),
      change,
    )
    queryClient.setQueryData(organizationQuery(organization.id).queryKey, saved)
    await refresh(meQuery)
  }
  const form = useForm({ name: organization.name }, save, () => say(SAVED))
  const set = async (field: Rule, isOn: boolean): Promise<void> => {
    await save({ [field]: isOn })
    say(SAVED, () => void set(field, !isOn).catch(sayProblem))
  }
  const rule = (field: Rule) => ({
    isChecked: organization[field] ?? false,
    save: (isOn: boolean) => set(field, isOn),
  })
  // What stops what works now is set only after a question.
  const requireFactor = () =>
    openDialog(
      <ConfirmChange
        title="Require two-factor authentication?"
        action="Require"
        change={() => set('enforce_2fa', true)}
      >
        <RequiredFactor organizationId={organization.id} />
      </ConfirmChange>,
    )
  const rejectKeys = () =>
    openDialog(
      <ConfirmChange
        title="Turn off personal API keys of members?"
        action="Turn off"
        change={() => set('members_can_use_personal_api_keys', false)}
      >
        Programs with a key of a member are rejected at once. Those with keys of admins continue.
      </ConfirmChange>,
    )
  return (
    <Card title="General">
      <WriterFields level={ADMIN}>
        <NameForm label="Name" action="Rename" stored={organization.name} form={form} />
        <SavedSwitch
          title="Require two-factor authentication"
          hint="Members without it can only set it up until they have it."
          isChecked={organization.enforce_2fa ?? false}
          save={async (isOn) => (isOn ? requireFactor() : set('enforce_2fa', false))}
        />
        <SavedSwitch
          title="Members can invite"
          hint="Otherwise only admins can."
          {...rule('members_can_invite')}
        />
        <SavedSwitch
          title="Members can create projects"
          hint="Otherwise only admins can."
          {...rule('members_can_create_projects')}
        />
        <SavedSwitch
          title="Members can use personal API keys"
          hint="Otherwise only keys of admins reach this organization."
          isChecked={organization.members_can_use_personal_api_keys}
          save={async (isOn) => (isOn ? set('members_can_use_personal_api_keys', true) : rejectKeys())}
        />
      </WriterFields>
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
  const form = useForm(
    { name: '' },
    (body) => post('/api/organizations/{organization_id}/projects/', inOrganization(organization.id), body),
    async (project) => {
      await refresh(organizationQuery(organization.id))
      await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
      say(`${project.name} created.`)
      await navigate({ ...pagesOf(project.id).start, ignoreBlocker: true })
    },
  )
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
        <div className="body">
          <NameForm label="New project" action="Create" stored="" form={form} />
        </div>
      </Writers>
    </Card>
  )
}

interface NameFormProps {
  label: string
  action: string
  stored: string
  form: ReturnType<typeof useForm<{ name: string }, unknown>>
}

/** A form with its button beside its only field. */
function NameForm({ label, action, stored, form }: NameFormProps) {
  const { value, error, onChange } = form.field('name')
  return (
    <Form onSubmit={form.props.onSubmit}>
      <Field label={label} error={error}>
        {(control) => (
          <div className="row">
            <Input {...control} value={value} onChange={(event) => onChange(event.target.value)} />
            <Button
              type="submit"
              isBusy={form.props.isBusy}
              disabled={value.trim() === '' || value === stored}
            >
              {action}
            </Button>
          </div>
        )}
      </Field>
      {form.props.error && <ProblemNotice error={form.props.error} />}
      <LeaveGuard isUnsaved={value !== stored} {...form.props} />
    </Form>
  )
}
