import { setChallenge, setSession } from '../../auth/cookies'
import { loginPath, twoFactorPath } from '../../pages/login-redirect'
import { html, redirectTo } from '../../pages/respond'
import { START_PATH } from '../chat/paths'
import type { SignIn } from '../sign-in/open-sign-in'

/** Continues after a first factor: with the code, the setup of a second factor that is required, or the page. */
export async function continueSignIn(signIn: SignIn, next: string, url: URL): Promise<Response> {
  if (signIn.kind === 'second factor') {
    const response = redirectTo(loginPath(next, 'code'))
    setChallenge(response.headers, url, signIn.token)
    return response
  }
  return signIn.needsTwoFactor
    ? withSession(redirectTo(twoFactorPath(next)), url, signIn.token)
    : proceed(next, url, signIn.token)
}

/**
 * Goes to the page after sign-in. The page of the chat link redirects to another site, and browsers apply `form-action` to all redirects
 * after a form. The response is therefore a page that goes there by itself.
 */
export async function proceed(next: string, url: URL, token: string): Promise<Response> {
  if (!next.startsWith(START_PATH)) return withSession(redirectTo(next), url, token)
  const { ContinuePage } = await import('./login-page')
  const response = html(ContinuePage({ next }))
  response.headers.set('Refresh', `0; url=${next}`)
  return withSession(response, url, token)
}

export function withSession(response: Response, url: URL, token: string): Response {
  setSession(response.headers, url, token)
  return response
}
