import * as z from 'zod'
import { CHALLENGE_COOKIE, cookieOf, setChallenge, setSession } from '../../auth/cookies'
import { requireOwnOrigin } from '../../auth/csrf'
import { ApiError } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { text } from '../../http/fields'
import { operation } from '../../http/operation'
import { renderError } from '../../http/render-error'
import { Success } from '../../http/plain-bodies'
import { originOf } from '../sign-in/origin'
import { passSecondFactor } from '../sign-in/second-factor'
import { signIn } from '../sign-in/sign-in'

/** 401: the password was right, and is not enough. */
export const secondFactorRequired = () =>
  new ApiError({ status: 401, type: 'server_error', code: '2fa_required', detail: '2FA is required.' })

/** Says that it worked, and gives the browser its cookies. */
function answerWithSession(url: URL, token: string): Response {
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
    'Answers with the cookies `sessionid` and `posthog_csrftoken`, for 14 days. With a second factor set up: 401 `2fa_required`, and ' +
    '`/api/login/token/` goes on from there. Signing in again while signed in proves who you are anew. An IP address (of IPv6 its /64) that ' +
    'failed 30 times is refused for ten minutes, with the right password too.',
  scope: null,
  access: 'anybody',
  body: z.object({
    email: text(),
    password: z.string().min(1),
  }),
  responses: { 200: Success, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
  async handle({ deps, body, request, url }) {
    requireOwnOrigin(request)
    const result = await signIn(deps, body, originOf(request))
    if (result.kind === 'signed in') return answerWithSession(url, result.token)
    const response = renderError(secondFactorRequired())
    setChallenge(response.headers, url, result.token)
    return response
  },
})

export const loginTokenOperation = operation({
  id: 'login_token_create',
  method: 'post',
  path: '/api/login/token/',
  summary: 'Finish signing in with a second factor',
  description: 'A code from the authenticator app, or one of the backup codes, within ten minutes.',
  scope: null,
  access: 'anybody',
  body: z.object({ token: text({ max: 64 }) }),
  responses: { 200: Success, 400: ErrorBody, 403: ErrorBody },
  async handle({ deps, body, request, url }) {
    requireOwnOrigin(request)
    const challenge = cookieOf(request, CHALLENGE_COOKIE)
    return answerWithSession(url, await passSecondFactor(deps, challenge, body.token, originOf(request)))
  },
})
