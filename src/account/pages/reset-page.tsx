import type { FC } from 'hono/jsx'
import { Field, NarrowPage, Notice } from '../../pages/layout'

export const ResetPage: FC<{ path: string; email: string; error: string | null }> = ({
  path,
  email,
  error,
}) => (
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
      <button class="wide" type="submit">
        Save password
      </button>
    </form>
  </NarrowPage>
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
