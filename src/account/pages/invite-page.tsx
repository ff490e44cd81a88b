import type { FC } from 'hono/jsx'
import { Field, Notice, NarrowPage, Post } from '../../pages/layout'

interface Props {
  path: string
  csrf: string
  organization: string
  email: string
  error: string | null
}

/** The page for an address without an account. */
export const SignUpPage: FC<Props & { firstName: string }> = ({
  path,
  csrf,
  organization,
  email,
  error,
  firstName,
}) => (
  <NarrowPage title={`Join ${organization}`}>
    <p class="soft">Make an account for {email}.</p>
    {error ? <Notice tone="bad">{error}</Notice> : null}
    <Post csrf={csrf} to={path}>
      <input type="text" name="username" value={email} autocomplete="username" hidden />
      <Field
        label="First name"
        name="first_name"
        value={firstName}
        required
        maxlength={150}
        autocomplete="given-name"
        autofocus={firstName === ''}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        required
        autocomplete="new-password"
        autofocus={firstName !== ''}
        hint="At least 8 characters, and hard to guess."
      />
      <button class="wide" type="submit">
        Create account
      </button>
    </Post>
  </NarrowPage>
)

/** The page for the invited user, who is signed in. */
export const JoinPage: FC<Props> = ({ path, csrf, organization, email, error }) => (
  <NarrowPage title={`Join ${organization}`}>
    <p class="soft">You are signed in as {email}.</p>
    {error ? <Notice tone="bad">{error}</Notice> : null}
    <Post csrf={csrf} to={path}>
      <button class="wide" type="submit" autofocus>
        Join
      </button>
    </Post>
  </NarrowPage>
)

/** The page for another user, who is signed in. */
export const OtherAccountPage: FC<Omit<Props, 'error'> & { signedInAs: string }> = ({
  path,
  csrf,
  organization,
  email,
  signedInAs,
}) => (
  <NarrowPage title="This invite is for another user">
    <p>
      It invites {email} to {organization}, and you are signed in as {signedInAs}.
    </p>
    <Post csrf={csrf} to={`/logout?${new URLSearchParams({ next: path }).toString()}`}>
      <button class="wide" type="submit" autofocus>
        Sign out and continue
      </button>
    </Post>
    <p class="small">
      <a href="/">Stay signed in</a>
    </p>
  </NarrowPage>
)

export const InvalidInvitePage: FC<{ title: string }> = ({ title }) => (
  <NarrowPage title={title}>
    <p>An invite works once, for three days. Ask an admin of the organization for a new one.</p>
    <p>
      Did you use it already? <a href="/login">Sign in</a>
    </p>
  </NarrowPage>
)
