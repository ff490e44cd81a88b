// Shows one change request: what it changes, who voted, and the vote of the user.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Card } from '../design/card'
import {
  type ChangeRequest,
  refreshRequests,
  requestQuery,
  type Vote,
  vote,
  type VoteResult,
} from '../api/approvals'
import type { Flag } from '../api/client'
import { flagKey, flagQuery, membersQuery, queryClient } from '../api/queries'
import { Button } from '../design/button'
import { FormDialog } from '../design/popups/dialog'
import { openDialog, useClose } from '../design/popups/opened'
import { Problem } from '../api/problem'
import { useForm } from '../edit/use-form'
import { Notice } from '../design/feedback'
import { EntityPage, Loaded } from '../entity/entity-page'
import { AreaField } from '../design/fields/field'
import { Badge, nameOf, Time } from '../design/small'
import { say } from '../design/popups/toast'
import { SetReach, TotalReach, useSubjects } from '../flag/reach-lines'
import { setsOf } from '../grammar/sets'
import { ChangeList } from '../grammar/difference-list'
import { useTitle } from './use-title'
import { actionWords, changesOf, progressWords, stateOf, voteOf } from './words'
import { pagesOf, toFlag } from '../shell/pages'
import '../flag/flag.css'
import './approvals.css'

const route = getRouteApi('/project/$projectId/change_requests/$requestId')

export function RequestPage() {
  const { projectId, requestId } = route.useParams()
  return (
    <Loaded query={useQuery(requestQuery(projectId, requestId))} noun="change request">
      {(request) => <Page key={request.id} projectId={projectId} request={request} />}
    </Loaded>
  )
}

interface PageProps {
  projectId: number
  request: ChangeRequest
}

function Page({ projectId, request }: PageProps) {
  const ask = (kind: Vote) => openDialog(<VoteDialog projectId={projectId} request={request} kind={kind} />)
  const { tone, text } = stateOf(request)
  return (
    <EntityPage
      noun="change request"
      list={{ ...pagesOf(projectId).requests, label: 'Change requests' }}
      title={useTitle(projectId, request)}
      marks={<Badge tone={tone}>{text}</Badge>}
      note={
        <>
          {request.created_by ? nameOf(request.created_by) : 'A deleted user'}{' '}
          <Time at={request.created_at} /> ·{' '}
          <Link {...toFlag(projectId, request.intent.flag_id)}>{request.intent.flag_key}</Link> ·{' '}
          {actionWords(request.action_key)}
        </>
      }
      actions={
        <>
          {request.can_cancel && <Button onClick={() => ask('cancel')}>Cancel the request</Button>}
          {request.can_approve && (
            <>
              <Button onClick={() => ask('reject')}>Reject</Button>
              <Button kind="primary" onClick={() => ask('approve')}>
                Approve
              </Button>
            </>
          )}
        </>
      }
    >
      <StateNotice projectId={projectId} request={request} />
      <Card title="Changes">
        <ChangeList changes={changesOf(request)} />
        {request.state === 'pending' && <Reach projectId={projectId} request={request} />}
      </Card>
      <Votes request={request} />
    </EntityPage>
  )
}

/** Shows how many people get the flag after the change. */
function Reach({ projectId, request: { intent, intent_display: change } }: PageProps) {
  const flag = useQuery(flagQuery(projectId, intent.flag_id)).data
  const { subjectOf } = useSubjects(projectId)
  const after = { ...flag, ...change.after } as Partial<Flag>
  if (!after.filters || !after.active || after.deleted) return null
  const [first, ...others] = setsOf(after.filters)
  if (!first) return null
  const groupType = first.aggregation_group_type_index
  return others.length > 0 ? (
    <TotalReach projectId={projectId} filters={after.filters} />
  ) : (
    <SetReach projectId={projectId} set={first} groupType={groupType} subject={subjectOf(groupType)} />
  )
}

function StateNotice({ projectId, request }: PageProps) {
  if (request.state === 'applied')
    return (
      <Notice tone="good">
        Approved and applied:{' '}
        <Link {...toFlag(projectId, request.intent.flag_id)} search={{ tab: 'activity' }}>
          version {String(request.result_data?.resource_version)} of {request.intent.flag_key}
        </Link>
        .
      </Notice>
    )
  if (request.state === 'failed')
    return <Notice tone="bad">The change was approved and could not be made. {request.apply_error}</Notice>
  if (request.state === 'expired')
    return <Notice>This request was not decided in time. Make the change again to request it again.</Notice>
  if (request.state !== 'pending') return null
  if (request.validation_status === 'stale')
    return (
      <Notice tone="warn">
        What this request changes has changed since it was made: an approval will fail. Cancel or reject it,
        and make the change again.
      </Notice>
    )
  if (request.user_decision === 'approved') return <Notice>You have approved this change.</Notice>
  if (request.is_requester && !request.can_approve)
    return <Notice>You made this change: others have to approve it.</Notice>
  return null
}

function Votes({ request }: { request: ChangeRequest }) {
  const { me } = getRouteApi('/project/$projectId').useRouteContext()
  const members = useQuery({
    ...membersQuery(me.organization?.id ?? ''),
    enabled: me.organization !== null,
  })
  const { users } = request.policy_snapshot
  const names = members.data?.results.flatMap(({ user }) => (users.includes(user.id) ? [nameOf(user)] : []))
  return (
    <Card title="Votes" action={<span className="soft small">{progressWords(request)}</span>}>
      {request.state === 'pending' && names && (
        <p className="soft small">
          {names.length > 0 ? `May vote: ${names.join(', ')}.` : 'No member may vote any more.'} Expires{' '}
          <Time at={request.expires_at} />.
        </p>
      )}
      {request.approvals.length === 0 && <p className="soft">No votes yet.</p>}
      <ul className="stack">
        {request.approvals.map((each) => (
          <li key={each.id}>
            <Badge tone={voteOf(request, each).tone}>{voteOf(request, each).text}</Badge>{' '}
            <strong>{each.created_by ? nameOf(each.created_by) : 'A deleted user'}</strong>{' '}
            <span className="soft small">
              <Time at={each.created_at} />
            </span>
            {each.reason && <p className="vote-reason">{each.reason}</p>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const TITLES: Readonly<Record<Vote, readonly [title: string, action: string]>> = {
  approve: ['Approve this change?', 'Approve'],
  reject: ['Reject this change?', 'Reject'],
  cancel: ['Cancel this request?', 'Cancel the request'],
}

const VOTED: Readonly<Record<VoteResult['status'], string>> = {
  approved: 'Your approval is recorded.',
  applied: 'Approved and applied.',
  failed: 'Approved, but the change could not be made.',
  rejected: 'The request is rejected.',
  canceled: 'The request is canceled.',
}

function VoteDialog({ projectId, request, kind }: PageProps & { kind: Vote }) {
  const [title, action] = TITLES[kind]
  const close = useClose()
  const form = useForm(
    { reason: '' },
    async ({ reason }) => {
      if (kind === 'reject' && reason.trim() === '')
        throw new Problem('A rejection needs a reason.', 400, null, 'reason')
      // Others may have voted in between: the page behind shows it, also when the vote fails.
      return vote(projectId, request.id, kind, reason.trim()).finally(() => void refreshRequests(projectId))
    },
    async ({ status, change_request: voted }) => {
      queryClient.setQueryData(requestQuery(projectId, request.id).queryKey, voted)
      say(VOTED[status])
      close()
      if (status === 'applied')
        await queryClient.invalidateQueries({ queryKey: flagKey(projectId, request.intent.flag_id) })
    },
  )
  return (
    <FormDialog
      title={title}
      description={useTitle(projectId, request)}
      action={action}
      keep="Back"
      className={kind === 'approve' ? '' : 'danger'}
      {...form.props}
    >
      <AreaField
        label={kind === 'reject' ? 'Reason' : 'Reason (optional)'}
        rows={3}
        maxLength={1_000}
        {...form.field('reason')}
      />
    </FormDialog>
  )
}
