// Shows which changes of flags need approval, and by whom.
import { ConfirmChange } from '../edit/confirm-change'
import { PageHeader } from '../design/page-header'
import { Card } from '../design/card'
import { ADMIN } from '../team/levels'
import { useCanWrite } from '../team/writers'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, ShieldCheck } from 'lucide-react'
import { client, type Member } from '../api/client'
import { POLICIES, type Policy, policiesQuery } from '../api/approvals'
import { itemIn, membersQuery, refresh } from '../api/queries'
import { Button } from '../design/button'
import { Empty } from '../design/feedback'
import { Badge, nameOf } from '../design/small'
import { openDialog } from '../design/popups/opened'
import { say } from '../design/popups/toast'
import { Loaded } from '../entity/entity-page'
import { expiryWords } from './expiry'
import { PolicyForm } from './policy-form'
import { ACTIONS, actionWords, approverWords, conditionWords, LEVELS } from './words'
import './approvals.css'

const route = getRouteApi('/project/$projectId')

export function PoliciesPage() {
  const { projectId } = route.useParams()
  const { me } = route.useRouteContext()
  const mayEdit = useCanWrite(ADMIN)
  const policies = useQuery(policiesQuery(projectId))
  const members = useQuery({
    ...membersQuery(me.organization?.id ?? ''),
    enabled: me.organization !== null,
  })
  return (
    <Loaded query={policies} noun="policies">
      {({ results }) => (
        <Loaded query={members} noun="members">
          {(people) => {
            const open = (policy: Policy | null, actions: typeof ACTIONS) =>
              openDialog(
                <PolicyForm
                  projectId={projectId}
                  policy={policy}
                  actions={actions}
                  members={people.results}
                />,
              )
            const free = ACTIONS.filter(([key]) => !results.some(({ action_key: taken }) => taken === key))
            const add = mayEdit && free.length > 0 && (
              <Button kind="primary" onClick={() => open(null, free)}>
                <Plus size={16} aria-hidden /> Add a policy
              </Button>
            )
            return (
              <>
                <PageHeader
                  title="Approvals"
                  note={
                    <>
                      Which changes of flags take effect only once others approve them.
                      {!mayEdit && ' Admins of the organization decide.'}
                    </>
                  }
                >
                  {results.length > 0 && add}
                </PageHeader>
                {results.length === 0 && (
                  <Empty
                    icon={<ShieldCheck size={28} aria-hidden />}
                    title="No change needs approval"
                    action={add}
                  >
                    A policy holds changes until others approve them.
                  </Empty>
                )}
                {results.map((policy) => (
                  <PolicyCard
                    key={policy.id}
                    policy={policy}
                    members={people.results}
                    {...(mayEdit
                      ? {
                          onEdit: () =>
                            open(
                              policy,
                              ACTIONS.filter(([key]) => key === policy.action_key),
                            ),
                          onDelete: () => openDialog(<Delete projectId={projectId} policy={policy} />),
                        }
                      : {})}
                  />
                ))}
              </>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

interface PolicyCardProps {
  policy: Policy
  members: readonly Member[]
  onEdit?(): void
  onDelete?(): void
}

function PolicyCard({ policy, members, onEdit, onDelete }: PolicyCardProps) {
  const { quorum, users } = policy.approver_config
  const names = users.map((id) => {
    const member = members.find(({ user }) => user.id === id)
    return member ? nameOf(member.user) : 'a former member'
  })
  const condition = conditionWords(policy.conditions)
  const levels = LEVELS.filter(([level]) => policy.bypass_org_membership_levels.includes(level))
  return (
    <Card
      title={actionWords(policy.action_key)}
      action={
        <span className="row">
          <Badge tone={policy.enabled ? 'good' : ''}>{policy.enabled ? 'Applies' : 'Off'}</Badge>
          {onEdit && (
            <Button isSmall onClick={onEdit}>
              Change
            </Button>
          )}
          {onDelete && (
            <Button isSmall onClick={onDelete}>
              Delete
            </Button>
          )}
        </span>
      }
    >
      <p>
        {condition ? `When ${condition}: ` : ''}
        {approverWords(names, quorum)}
      </p>
      <p className="soft small">
        {policy.allow_self_approve ? 'Approvers may approve their own changes. ' : ''}
        {levels.length > 0 && `${levels.map(([, name]) => name).join(' and ')} need no approval. `}
        A request expires after {expiryWords(policy.expires_after)}.
      </p>
    </Card>
  )
}

const Delete = ({ projectId, policy }: { projectId: number; policy: Policy }) => (
  <ConfirmChange
    title="Delete this policy?"
    action="Delete the policy"
    change={async () => {
      await client.DELETE(`${POLICIES}{id}/`, { params: itemIn(projectId, policy.id) })
      await refresh(policiesQuery(projectId))
      say('The policy is deleted.')
    }}
  >
    “{actionWords(policy.action_key)}” needs no approval any more. Requests that wait keep waiting.
  </ConfirmChange>
)
