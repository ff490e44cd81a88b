import type { FC } from 'hono/jsx'
import { ssoPath } from '../single-sign-on/paths'
import { Field, NarrowPage, Notice, Post } from '../../pages/layout'

interface StepProps {
  csrf: string
  next: string
  error?: string | null
}

export const LoginPage: FC<StepProps & { email?: string }> = ({ csrf, next, error, email }) => (
  <NarrowPage title="Sign in" intro="Feature flags, accounts and saved queries.">
    {error ? <Notice tone="bad">{error}</Notice> : null}
    <Post csrf={csrf} to="/login">
      <input type="hidden" name="next" value={next} />
      <Field
        label="Email"
        name="email"
        type="email"
        value={email}
        required
        autocomplete="username"
        autofocus={!email}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        required
        autocomplete="current-password"
        autofocus={Boolean(email)}
      />
      <button class="wide" type="submit">
        Sign in
      </button>
    </Post>
    <p class="small">
      <a href={ssoPath(next)}>Use single sign-on</a>
    </p>
    <p class="small soft">Forgot your password? An admin can make a link that sets a new one.</p>
  </NarrowPage>
)

/** The page that asks for the second factor. */
export const CodePage: FC<StepProps> = ({ csrf, next, error }) => (
  <NarrowPage
    title="Enter your code"
    intro="Open your authenticator app and enter the six digits it shows, or use a backup code."
  >
    {error ? <Notice tone="bad">{error}</Notice> : null}
    <Post csrf={csrf} to="/login/code">
      <input type="hidden" name="next" value={next} />
      <div class="field">
        <label for="token">Code</label>
        <input
          class="code"
          id="token"
          name="token"
          type="text"
          required
          autofocus
          maxlength={64}
          autocomplete="one-time-code"
          spellcheck={false}
        />
      </div>
      <button class="wide" type="submit">
        Continue
      </button>
    </Post>
    <p class="small">
      <a href="/login">Start again</a>
    </p>
  </NarrowPage>
)

/** The page that is shown until the browser follows the header `Refresh`. */
export const ContinuePage: FC<{ next: string }> = ({ next }) => (
  <NarrowPage title="Signed in">
    <p>
      <a href={next}>Continue</a>
    </p>
  </NarrowPage>
)
