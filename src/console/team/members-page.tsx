// Shows members of the organization and invites to it.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound, LogOut, Mail, Trash2, UserCog, UserMinus, UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ConfirmChange } from '../edit/confirm-change'
import { sayDone } from '../edit/doing'
import { expectUnchanged } from '../edit/overtaken'
import { useForm } from '../edit/use-form'
import { PageHeader } from '../design/page-header'
import { Card } from '../design/card'
import { client, type Invite, type Member, post, patch } from '../api/client'
import { invitesQuery, organizationQuery } from '../api/organization'
import { inOrganization, membersQuery, queryClient, refresh } from '../api/queries'
import { Button, IconButton } from '../design/button'
import { Confirm, Dialog, DoneButton, FormDialog } from '../design/popups/dialog'
import { SelectField, TextField } from '../design/fields/field'
import { Empty, Loading, Notice, ProblemNotice } from '../design/feedback'
import { MoreMenu } from '../design/popups/more-menu'
import { Avatar, Badge, CodeBlock, CopyButton, nameOf, Time } from '../design/small'
import { openDialog, useClose } from '../design/popups/opened'
import { say } from '../design/popups/toast'
import { ADMIN, MEMBER, OWNER, type Level, levelName, levelOf, levelOptions } from './levels'
import { useCanWrite } from './writers'
import './team.css'

const route = getRouteApi('/project/$projectId')

const inviteLink = ({ id }: Pick<Invite, 'id'>): string => `${location.origin}/signup/${id}`

export function MembersPage() {
  const { me } = route.useRouteContext()
  const { organization } = me
  const mayInvite = useCanWrite(organization?.members_can_invite ? MEMBER : ADMIN)
  const members = useQuery({ ...membersQuery(organization?.id ?? ''), enabled: organization !== null })
  const invites = useQuery({ ...invitesQuery(organization?.id ?? ''), enabled: organization !== null })
  if (!organization) return <Empty title="You are not a member of an organization" />
  const level = levelOf(me)
  return (
    <>
      <PageHeader title="Members" note={<>Who works in {organization.name}, and what they may do.</>}>
        {mayInvite && (
          <Button
            kind="primary"
            onClick={() => openDialog(<InviteDialog organizationId={organization.id} myLevel={level} />)}
          >
            <UserPlus size={16} aria-hidden /> Invite
          </Button>
        )}
      </PageHeader>
      <Card
        title="Members"
        action={members.data && <span className="soft small">{members.data.count}</span>}
        isFlush
      >
        {members.isPending && <Loading />}
        {members.isError && <ProblemNotice error={members.error} onRetry={() => void members.refetch()} />}
        <List
          of={members.data?.results ?? []}
          row={(member) => (
            <MemberRow
              key={member.id}
              member={member}
              isMe={member.user.uuid === me.uuid}
              myLevel={level}
              organizationId={organization.id}
            />
          )}
        />
      </Card>
      <Card
        title="Open invites"
        action={Boolean(invites.data?.count) && <span className="soft small">{invites.data?.count}</span>}
        isFlush
      >
        {invites.isError && <ProblemNotice error={invites.error} onRetry={() => void invites.refetch()} />}
        {invites.data?.results.length === 0 && (
          <Empty icon={<Mail size={24} aria-hidden />} title="No open invites">
            An invite is a link that you send. It is valid for three days.
          </Empty>
        )}
        <List
          of={invites.data?.results ?? []}
          row={(invite) => (
            <InviteRow
              key={invite.id}
              invite={invite}
              organizationId={organization.id}
              mayDelete={mayInvite}
            />
          )}
        />
      </Card>
    </>
  )
}

/** Rows that are drawn at first, and more each time. */
const SHOWN = 100

function List<T>({ of: items, row }: { of: readonly T[]; row(item: T): ReactNode }) {
  const [shown, setShown] = useState(SHOWN)
  return (
    <>
      <ul className="people">{items.slice(0, shown).map(row)}</ul>
      {items.length > shown && (
        <div className="body">
          <Button onClick={() => setShown(shown + SHOWN)}>Show more</Button>
        </div>
      )}
    </>
  )
}

interface MemberRowProps {
  member: Member
  isMe: boolean
  myLevel: Level
  organizationId: string
}

function MemberRow({ member, isMe, myLevel, organizationId }: MemberRowProps) {
  const { user } = member
  const mayChange = myLevel >= ADMIN && !isMe && myLevel >= member.level
  return (
    <li>
      <Avatar person={user} />
      <div className="grow">
        <div className="row wrap">
          <strong className="truncate">{nameOf(user)}</strong>
          {isMe && <Badge tone="accent">You</Badge>}
          {member.is_2fa_enabled ? <Badge tone="good">2FA</Badge> : <Badge>No 2FA</Badge>}
        </div>
        <div className="soft small truncate">{user.email}</div>
      </div>
      <span className="soft small last">
        {member.last_login ? (
          <>
            Last seen <Time at={member.last_login} />
          </>
        ) : (
          'Never signed in'
        )}
      </span>
      <Badge>{levelName(member.level)}</Badge>
      {mayChange || isMe ? (
        <MoreMenu
          label={`Actions for ${nameOf(user)}`}
          isSmall
          items={[
            ...(isMe
              ? []
              : [
                  {
                    label: 'Change role…',
                    icon: UserCog,
                    onSelect: () =>
                      openDialog(
                        <ChangeRole member={member} myLevel={myLevel} organizationId={organizationId} />,
                      ),
                  },
                  {
                    label: 'Reset password…',
                    icon: KeyRound,
                    onSelect: () =>
                      openDialog(<ResetDialog member={member} organizationId={organizationId} />),
                  },
                ]),
            {
              label: isMe ? 'Leave the organization…' : 'Remove…',
              icon: isMe ? LogOut : UserMinus,
              isDanger: true,
              onSelect: () =>
                openDialog(<RemoveMember member={member} isMe={isMe} organizationId={organizationId} />),
            },
          ]}
        />
      ) : (
        <span className="menu-space" />
      )}
    </li>
  )
}

/** Keys that walk through the options of a select choose each: none is saved before the button is pressed. */
function ChangeRole({ member, myLevel, organizationId }: Omit<MemberRowProps, 'isMe'>) {
  const close = useClose()
  const { id, user, level: before } = member
  const setLevel = async (level: Level) => {
    await patch(
      '/api/organizations/{organization_id}/members/{user_uuid}/',
      { path: { organization_id: organizationId, user_uuid: user.uuid } },
      { level },
    )
    await refresh(organizationQuery(organizationId))
    return level
  }
  const form = useForm(
    { level: String(before) },
    ({ level }) => setLevel(Number(level) as Level),
    (level) => {
      close()
      sayDone(roleWords(user, level), {
        item: nameOf(user),
        check: () =>
          expectUnchanged(
            { level },
            () => queryClient.fetchQuery({ ...membersQuery(organizationId), staleTime: 0 }),
            ({ results }) => ({ level: results.find((each) => each.id === id)?.level }),
          ),
        change: () => setLevel(before),
        said: roleWords(user, before),
      })
    },
  )
  const isOwner = form.values.level === String(OWNER)
  return (
    <FormDialog
      title={`Role of ${nameOf(user)}`}
      disabled={form.values.level === String(before)}
      action={isOwner ? 'Make owner' : 'Change role'}
      className={isOwner ? 'danger' : ''}
      {...form.props}
    >
      <RoleField myLevel={myLevel} {...form.field('level')} />
      {isOwner && (
        <Notice tone="warn">An owner may do everything that you may, also remove you as a member.</Notice>
      )}
    </FormDialog>
  )
}

const roleWords = (user: Member['user'], level: Level): string => {
  const role = levelName(level).toLowerCase()
  return `${nameOf(user)} is now ${/^[ao]/.test(role) ? 'an' : 'a'} ${role}.`
}

const RoleField = ({
  myLevel,
  ...field
}: Pick<MemberRowProps, 'myLevel'> & {
  value: string
  error: string | null
  onChange(value: string): void
}) => (
  <SelectField
    label="Role"
    hint="Viewers read everything and change nothing. Admins manage members and settings."
    options={levelOptions(myLevel)}
    {...field}
  />
)

type RemoveMemberProps = Omit<MemberRowProps, 'myLevel'>

function RemoveMember({ member: { user }, isMe, organizationId }: RemoveMemberProps) {
  const name = nameOf(user)
  return (
    <ConfirmChange
      title={isMe ? 'Leave the organization?' : `Remove ${name}?`}
      action={isMe ? 'Leave' : 'Remove'}
      change={async () => {
        await client.DELETE('/api/organizations/{organization_id}/members/{user_uuid}/', {
          params: { path: { organization_id: organizationId, user_uuid: user.uuid } },
        })
        if (isMe) return location.assign('/')
        await refresh(organizationQuery(organizationId))
        say(`${name} is no longer a member.`)
      }}
    >
      <p>
        {isMe ? 'You lose' : 'They lose'} access to all projects of the organization, and personal API keys no
        longer reach it. What was created stays.
      </p>
    </ConfirmChange>
  )
}

/** Makes a link by which a member chooses a new password: there is no mail server. */
function ResetDialog({ member, organizationId }: Pick<MemberRowProps, 'member' | 'organizationId'>) {
  const reset = useMutation({
    mutationFn: () =>
      post('/api/organizations/{organization_id}/members/{user_uuid}/password_reset/', {
        path: { organization_id: organizationId, user_uuid: member.user.uuid },
      }),
  })
  const name = nameOf(member.user)
  const title = `Reset the password of ${name}`
  if (reset.data)
    return (
      <Dialog title={title} footer={<DoneButton />}>
        <p>
          Send this link to {name}. It works once, until <Time at={reset.data.expires_at} />. It is not shown
          again.
        </p>
        <CodeBlock label="Link" code={reset.data.url} />
      </Dialog>
    )
  return (
    <Confirm
      title={title}
      action="Make the link"
      isDanger={false}
      isBusy={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate()}
    >
      <p>
        You get a link to send to {name}. With the link, a new password can be set, and all browsers are
        signed out.
      </p>
    </Confirm>
  )
}

interface InviteRowProps {
  invite: Invite
  organizationId: string
  mayDelete: boolean
}

function InviteRow({ invite, organizationId, mayDelete }: InviteRowProps) {
  return (
    <li>
      <Avatar person={{ first_name: invite.first_name || invite.target_email }} />
      <div className="grow">
        <strong className="truncate" title={invite.target_email}>
          {invite.target_email}
        </strong>
        <div className="soft small">
          {levelName(invite.level)} · invited <Time at={invite.created_at} />
        </div>
      </div>
      {invite.is_expired ? (
        <Badge tone="warn">Expired</Badge>
      ) : (
        <span className="row">
          <span className="soft small last">Copy link</span>
          <CopyButton text={inviteLink(invite)} label={`Copy the link for ${invite.target_email}`} />
        </span>
      )}
      {mayDelete && (
        <IconButton
          label={`Withdraw the invite of ${invite.target_email}`}
          isSmall
          onClick={() => openDialog(<WithdrawInvite invite={invite} organizationId={organizationId} />)}
        >
          <Trash2 size={15} aria-hidden />
        </IconButton>
      )}
    </li>
  )
}

const WithdrawInvite = ({ invite, organizationId }: Omit<InviteRowProps, 'mayDelete'>) => (
  <ConfirmChange
    title={`Withdraw the invite of ${invite.target_email}?`}
    action="Withdraw"
    change={async () => {
      await client.DELETE('/api/organizations/{organization_id}/invites/{invite_id}/', {
        params: { path: { organization_id: organizationId, invite_id: invite.id } },
      })
      await refresh(organizationQuery(organizationId))
      say(`The invite of ${invite.target_email} is withdrawn.`)
    }}
  >
    <p>The link that you sent stops working. Another invite has another link.</p>
  </ConfirmChange>
)

function InviteDialog({ organizationId, myLevel }: Pick<MemberRowProps, 'organizationId' | 'myLevel'>) {
  const form = useForm(
    { target_email: '', level: String(MEMBER) },
    ({ level, ...body }) =>
      post('/api/organizations/{organization_id}/invites/', inOrganization(organizationId), {
        ...body,
        level: Number(level) as Level,
      }),
    () => refresh(organizationQuery(organizationId)),
  )
  if (form.saved)
    return (
      <Dialog title={`${form.saved.target_email} is invited`} footer={<DoneButton />}>
        <p>Send this link. It works only for a person who signs up with {form.saved.target_email}.</p>
        <CodeBlock label="Link" code={inviteLink(form.saved)} />
      </Dialog>
    )
  return (
    <FormDialog
      title="Invite a member"
      disabled={form.values.target_email === ''}
      action="Invite"
      {...form.props}
    >
      <TextField label="Email address" type="email" autoFocus {...form.field('target_email')} />
      <RoleField myLevel={myLevel} {...form.field('level')} />
      <Notice>No mail is sent: you get a link to pass on.</Notice>
    </FormDialog>
  )
}
