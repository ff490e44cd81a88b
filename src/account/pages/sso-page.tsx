import type { FC } from 'hono/jsx'
import { Field, NarrowPage, Notice, Post } from '../../pages/layout'
import { SSO_PATHS } from '../single-sign-on/paths'

interface StepProps {
  csrf: string
  next: string
  error: string | null
}

export const SsoPage: FC<StepProps & { email: string }> = ({ csrf, next, error, email }) => (
  <NarrowPage title="Single sign-on">
    <p class="soft">Sign in at the provider of your organization, which is found by your email address.</p>
    {error ? <Notice tone="bad">{error}</Notice> : null}
    <Post csrf={csrf} to={SSO_PATHS.start}>
      <input type="hidden" name="next" value={next} />
      <Field
        label="Email"
        name="email"
        type="email"
        value={email}
        required
        autocomplete="username"
        autofocus
      />
      <button class="wide" type="submit">
        Continue
      </button>
    </Post>
    <p class="small">
      <a href="/login">Sign in with a password</a>
    </p>
  </NarrowPage>
)

/**
 * The page that is shown until the browser follows the header `Refresh`, because the policy of forms allows no redirect to another site.
 */
export const DepartPage: FC<{ url: string }> = ({ url }) => (
  <NarrowPage title="Single sign-on">
    <p>
      <a href={url}>Continue to {new URL(url).host}</a>
    </p>
  </NarrowPage>
)

export const RefusedPage: FC<{ detail: string }> = ({ detail }) => (
  <NarrowPage title="You are not signed in">
    <Notice tone="bad">{detail}</Notice>
    <p>
      <a href={SSO_PATHS.start}>Begin again</a> or <a href="/login">sign in with a password</a>
    </p>
  </NarrowPage>
)

export const ProvePage: FC<{ csrf: string; email: string; error: string | null }> = ({
  csrf,
  email,
  error,
}) => (
  <NarrowPage title="Is this your account?">
    <p class="soft">
      {email} already has an account. Enter its password once to use single sign-on from now on.
    </p>
    {error ? <Notice tone="bad">{error}</Notice> : null}
    <Post csrf={csrf} to={SSO_PATHS.link}>
      <input type="text" name="username" value={email} autocomplete="username" hidden />
      <Field
        label="Password"
        name="password"
        type="password"
        required
        autocomplete="current-password"
        autofocus
      />
      <button class="wide" type="submit">
        Continue
      </button>
    </Post>
    <p class="small soft">Forgotten? An admin can make a link that sets a new one.</p>
  </NarrowPage>
)

export const TestPage: FC<{ says: string; claims: Record<string, unknown> }> = ({ says, claims }) => (
  <NarrowPage title="Test of single sign-on">
    <p>The provider confirmed who you are. Nothing was changed.</p>
    <Notice tone={says.includes('refused') ? 'bad' : 'good'}>{says}</Notice>
    <pre>{JSON.stringify(claims, null, 2)}</pre>
  </NarrowPage>
)
