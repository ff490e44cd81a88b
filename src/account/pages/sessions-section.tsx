import type { FC } from 'hono/jsx'
import type { LoginSession } from '../sign-in/login-session'
import { ConfirmedPost, Card, type PageNotice, Post, Time } from '../../pages/layout'

interface Props {
  csrf: string
  notice: PageNotice | null
  sessions: LoginSession[]
  now: Date
}

export const SessionSection: FC<Props> = ({ csrf, notice, sessions, now }) => (
  <Card
    id="sessions"
    title="Where you are signed in"
    about="Anything you do not recognise? Sign it out, and change your password."
    notice={notice}
    aside={
      sessions.length > 1 ? (
        <ConfirmedPost
          csrf={csrf}
          to="/settings/sessions/revoke-others#sessions"
          action="Sign out all other browsers"
          question="Everyone who uses them has to sign in again."
        />
      ) : null
    }
  >
    <ul class="list">
      {sessions.map((session) => (
        <li>
          <div class="what">
            <span class="name">
              {session.device ?? 'Unknown browser'}
              {session.is_current ? <span class="badge">This browser</span> : null}
            </span>
            <span class="small soft">
              {session.location ? `${session.location} · ` : ''}Active{' '}
              <Time at={session.last_activity} now={now} />
            </span>
            <span class="small soft">
              Signed in <Time at={session.created_at} now={now} />
            </span>
          </div>
          {session.is_current ? null : (
            <Post csrf={csrf} to="/settings/sessions/revoke#sessions" inline>
              <input type="hidden" name="id" value={session.id} />
              <button
                class="danger"
                type="submit"
                aria-label={`Sign out ${session.device ?? 'unknown browser'}`}
              >
                Sign out
              </button>
            </Post>
          )}
        </li>
      ))}
    </ul>
  </Card>
)
