// Lists where the user is signed in.
import { useMutation, useQuery } from '@tanstack/react-query'
import { ConfirmChange } from '../edit/confirm-change'
import { type LoginSession, ME, sessionsQuery } from '../api/account'
import { refresh } from '../api/queries'
import { client } from '../api/client'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { Loading, ProblemNotice } from '../design/feedback'
import { openDialog } from '../design/popups/opened'
import { say, sayProblem } from '../design/popups/toast'
import { Badge, Time } from '../design/small'

export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const list = sessions.data ?? []
  return (
    <Card
      id="sessions"
      title="Where you are signed in"
      hint="Anything you do not recognise? Sign it out, and change your password."
      action={
        list.length > 1 && (
          <Button onClick={() => openDialog(<SignOutOthers />)}>Sign out all other browsers…</Button>
        )
      }
    >
      {sessions.isPending && <Loading />}
      {sessions.isError && <ProblemNotice error={sessions.error} onRetry={() => void sessions.refetch()} />}
      <ul className="account-list">
        {list.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  )
}

function SessionRow({ session }: { session: LoginSession }) {
  const end = useMutation({
    mutationFn: () =>
      client.DELETE('/api/users/{uuid}/login_sessions/{session_id}/', {
        params: { path: { ...ME.path, session_id: session.id } },
      }),
    async onSuccess() {
      await refresh(sessionsQuery)
      say('That browser is signed out.')
    },
    onError: sayProblem,
  })
  const device = session.device ?? 'Unknown browser'
  return (
    <li>
      <div className="grow">
        <div className="row wrap">
          <strong>{device}</strong>
          {session.is_current && <Badge tone="accent">This browser</Badge>}
        </div>
        <div className="soft small">
          {session.location && `${session.location} · `}Active <Time at={session.last_activity} /> · signed in{' '}
          <Time at={session.created_at} />
        </div>
      </div>
      {!session.is_current && (
        <Button isSmall isBusy={end.isPending} aria-label={`Sign out ${device}`} onClick={() => end.mutate()}>
          Sign out
        </Button>
      )}
    </li>
  )
}

const SignOutOthers = () => (
  <ConfirmChange
    title="Sign out all other browsers?"
    action="Sign out"
    change={async () => {
      await client.POST('/api/users/{uuid}/login_sessions/revoke_others/', { params: ME })
      await refresh(sessionsQuery)
      say('All other browsers are signed out.')
    }}
  >
    Everyone who uses them has to sign in again.
  </ConfirmChange>
)
