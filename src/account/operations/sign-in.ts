import * as z from 'zod'
import { CHALLENGE_COOKIE, cookieOf, setChallenge, setSession } from '../../auth/cookies'
import { requireSameOrigin } from '../../auth/csrf'
import { ApiError, permissionDenied } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { text } from '../../http/fields'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ada } from '../../http/docs/examples'
import { operation } from '../../http/operation'
import { renderError } from '../../http/render-error'
import { Success } from '../../http/plain-bodies'
import { originOf } from '../sign-in/open-sign-in'
import { signIn, wrongCredentials } from '../sign-in/password-sign-in'
import { passSecondFactor, signInExpired, tooManyCodes, wrongCode } from '../sign-in/second-factor'
import { lockedOut } from '../sign-in/attempt-limits'
import { passwordErrors } from '../password/hash-limit'
import { ssoEnforced } from '../single-sign-on/enforcement'

/** The 401 response to the right password of a user with a second factor. */
const secondFactorRequired = () =>
  new ApiError({ status: 401, type: 'server_error', code: '2fa_required', detail: '2FA is required.' })

function respondWithSession(url: URL, token: string): Response {
  const response = Response.json({ success: true })
  setSession(response.headers, url, token)
  return response
}

export const loginOperation = operation({
  id: 'login_create',
  method: 'post',
  path: '/api/login/',
  summary: 'Sign in with a password',
  description:
    'Sets the cookies `sessionid` and `posthog_csrftoken` for 14 days. A user with a second factor gets 401 `2fa_required` and continues ' +
    'with `/api/login/token/`, and one who has to use single sign-on 400 `sso_enforced`. Signing in again renews recent authentication. After 30 failures, an IP address (for IPv6 its /64) is ' +
    'locked out for ten minutes.',
  scope: null,
  access: 'public',
  body: z.object({
    email: text(),
    password: z.string().min(1),
  }),
  responses: { 200: Success, 401: ErrorBody, 403: ErrorBody },
  async handle({ deps, body, request, url }) {
    requireSameOrigin(request)
    const result = await signIn(deps, body, originOf(request))
    if (result.kind === 'signed in') return respondWithSession(url, result.token)
    const response = renderError(secondFactorRequired())
    setChallenge(response.headers, url, result.token)
    return response
  },
})

export const loginDocs = (): OperationDocs => ({
  body: {
    description: 'Email address and password.',
    fields: { email: 'Email address, case-insensitive.', password: 'Password. Write-only.' },
    example: { email: ada.email, password: 'correct-horse-battery-staple' },
  },
  errors: {
    ...passwordErrors(),
    400: {
      'A wrong password': wrongCredentials(),
      'The organization requires single sign-on': ssoEnforced(),
    },
    401: { 'A second factor is required': secondFactorRequired() },
    403: {
      'Too many failures': lockedOut(),
      'A page of another origin': permissionDenied(
        'CSRF Failed: Origin checking failed - the request does not come from this site.',
      ),
    },
  },
  sample: { needs: ['a new user'], body: { email: 'ada-$N@example.com', password: 'lantern-over-$N' } },
})

export const loginTokenOperation = operation({
  id: 'login_token_create',
  method: 'post',
  path: '/api/login/token/',
  summary: 'Finish signing in with a second factor',
  description: 'Takes a code of the authenticator app or a backup code, within ten minutes of the password.',
  scope: null,
  access: 'public',
  body: z.object({ token: text({ max: 64 }) }),
  responses: { 200: Success, 403: ErrorBody },
  async handle({ deps, body, request, url }) {
    requireSameOrigin(request)
    const challenge = cookieOf(request, CHALLENGE_COOKIE)
    return respondWithSession(url, await passSecondFactor(deps, challenge, body.token, originOf(request)))
  },
})

export const loginTokenDocs = (): OperationDocs => ({
  body: {
    description: 'The second factor, from the browser that sent the password to `/api/login/`.',
    fields: {
      token:
        'Six digits from the authenticator app, or an unused backup code. Spaces, dashes and case are ignored. At most 6 wrong codes within 20 minutes. Write-only.',
    },
    example: { token: '123456' },
  },
  errors: {
    400: {
      'A wrong code': wrongCode(),
      'The sign-in has expired': signInExpired(),
      'Too many codes': tooManyCodes(),
    },
  },
  sample: { as: 'newUser', body: { token: '$BACKUP' } },
})
