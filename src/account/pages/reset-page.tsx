import type { FC } from 'hono/jsx'
import type { OtherCredential } from '../password/other-credentials'
import { Field, NarrowPage, Notice } from '../../pages/layout'

interface ResetPageProps {
  path: string
  email: string
  others: OtherCredential[]
  error: string | null
}

export const ResetPage: FC<ResetPageProps> = ({ path, email, others, error }) => (
  <NarrowPage title="Choose a new password">
    <p class="soft">For {email}. All browsers that are signed in are signed out.</p>
    {error ? <Notice tone="bad">{error}</Notice> : null}
    <form method="post" action={path}>
      <input type="text" name="username" value={email} autocomplete="username" hidden />
      <Field
        label="New password"
        name="password"
        type="password"
        required
        autocomplete="new-password"
        autofocus
        hint="At least 8 characters, and hard to guess."
      />
      {others.length > 0 ? <OtherCredentials others={others} /> : null}
      <button class="wide" type="submit">
        Save password
      </button>
    </form>
  </NarrowPage>
)

/** A required choice: neither keeps access that somebody else has made, nor ends the user's own without a word. */
const OtherCredentials: FC<Pick<ResetPageProps, 'others'>> = ({ others }) => (
  <fieldset>
    <legend>A new password does not end what else acts for this account:</legend>
    <ul>
      {others.map(({ kind, label, createdAt }) => (
        <li>
          {kind}: {label} <span class="soft">({createdAt.slice(0, 10)})</span>
        </li>
      ))}
    </ul>
    <label>
      <input type="radio" name="other_credentials" value="keep" required /> Keep them: they are mine
    </label>
    <label>
      <input type="radio" name="other_credentials" value="remove" required /> Remove them: I do not know them
      all
    </label>
  </fieldset>
)

export const ResetDonePage: FC = () => (
  <NarrowPage title="Your password is changed">
    <p>
      <a href="/login">Sign in</a>
    </p>
  </NarrowPage>
)

export const InvalidResetPage: FC = () => (
  <NarrowPage title="This link is not valid">
    <p>It works once, for an hour. Ask an admin of your organization for a new one.</p>
    <p>
      <a href="/login">Sign in</a>
    </p>
  </NarrowPage>
)
