// Where somebody is signed in.
import type { FC } from 'hono/jsx'
import type { LoginSession } from '../sessions/list'
import { Csrf } from './layout'
import { momentText } from './moment'

export const SessionSection: FC<{ csrf: string; sessions: LoginSession[] }> = ({ csrf, sessions }) => (
  <section class="card" aria-labelledby="sessions">
    <div class="row">
      <header>
        <h2 id="sessions">Where you are signed in</h2>
        <p class="soft small">Anything you do not recognise? Sign it out, and change your password.</p>
      </header>
      {sessions.length > 1 ? (
        <form class="inline" method="post" action="/settings/sessions/revoke-others">
          <Csrf token={csrf} />
          <button class="danger" type="submit">
            Sign out all other browsers
          </button>
        </form>
      ) : null}
    </div>
    <ul class="list">
      {sessions.map((session) => (
        <li>
          <div class="what">
            <span class="name">
              {session.device ?? 'Unknown browser'}{' '}
              {session.is_current ? <span class="badge">This browser</span> : null}
            </span>
            <span class="small soft">
              {session.location ? `${session.location} · ` : ''}Active{' '}
              <time datetime={session.last_activity}>{momentText(session.last_activity)}</time>
              {' · '}Signed in <time datetime={session.created_at}>{momentText(session.created_at)}</time>
            </span>
          </div>
          {session.is_current ? null : (
            <form class="inline" method="post" action="/settings/sessions/revoke">
              <Csrf token={csrf} />
              <input type="hidden" name="id" value={session.id} />
              <button
                class="danger"
                type="submit"
                aria-label={`Sign out ${session.device ?? 'unknown browser'}`}
              >
                Sign out
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  </section>
)
