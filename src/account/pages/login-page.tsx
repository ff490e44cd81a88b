import type { FC } from 'hono/jsx'
import { ssoPath } from '../single-sign-on/paths'
import { Brand, Csrf, Document, Field, Notice } from '../../pages/layout'

interface StepProps {
  csrf: string
  next: string
  error?: string | null
}

export const LoginPage: FC<StepProps & { email?: string }> = ({ csrf, next, error, email }) => (
  <Document title="Sign in">
    <main class="narrow" id="content">
      <Brand />
      <section class="card">
        <header>
          <h1>Sign in</h1>
          <p class="soft">Feature flags, accounts and saved queries.</p>
        </header>
        {error ? <Notice tone="bad">{error}</Notice> : null}
        <form method="post" action="/login">
          <Csrf token={csrf} />
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
        </form>
        <p class="small">
          <a href={ssoPath(next)}>Use single sign-on</a>
        </p>
        <p class="small soft">Forgot your password? An admin can make a link that sets a new one.</p>
      </section>
    </main>
  </Document>
)

/** The page that asks for the second factor. */
export const CodePage: FC<StepProps> = ({ csrf, next, error }) => (
  <Document title="Enter your code">
    <main class="narrow" id="content">
      <Brand />
      <section class="card">
        <header>
          <h1>Enter your code</h1>
          <p class="soft">
            Open your authenticator app and enter the six digits it shows, or use a backup code.
          </p>
        </header>
        {error ? <Notice tone="bad">{error}</Notice> : null}
        <form method="post" action="/login/code">
          <Csrf token={csrf} />
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
        </form>
        <p class="small">
          <a href="/login">Start again</a>
        </p>
      </section>
    </main>
  </Document>
)

/** The page that is shown until the browser follows the header `Refresh`. */
export const ContinuePage: FC<{ next: string }> = ({ next }) => (
  <Document title="Signed in">
    <main class="narrow" id="content">
      <Brand />
      <section class="card">
        <h1>Signed in</h1>
        <p>
          <a href={next}>Continue</a>
        </p>
      </section>
    </main>
  </Document>
)
