import * as z from 'zod'
import { sessionOf } from '../../auth/actor'
import { clientOf } from '../../auth/client'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { EmptyBody } from '../../http/plain-bodies'
import { listSessions, LoginSession } from '../sessions/list'
import { revokeOthers, revokeSession } from '../sessions/revoke'

export const listSessionsOperation = operation({
  id: 'users_login_sessions_list',
  method: 'get',
  path: '/api/users/:uuid/login_sessions/',
  summary: 'List the browsers that you are signed in with',
  description: 'The current one first, then the most recently used. `email` and `is_staff` have no effect.',
  scope: null,
  query: z.object({ email: z.string().optional(), is_staff: z.string().optional() }),
  responses: { 200: z.array(LoginSession) },
  handle: ({ deps, actor, request }) => listSessions(deps, sessionOf(actor), clientOf(request)),
})

export const revokeSessionOperation = operation({
  id: 'users_login_sessions_destroy',
  method: 'delete',
  path: '/api/users/:uuid/login_sessions/:session_id/',
  summary: 'Sign a browser out',
  description: 'The current session may be ended too. 404 for anything that is not a session of yours.',
  scope: null,
  recentAuth: true,
  params: z.looseObject({ session_id: z.string() }),
  responses: { 204: 'empty', 404: ErrorBody },
  handle: ({ deps, actor, params }) => revokeSession(deps.db, sessionOf(actor), params.session_id),
})

export const revokeOthersOperation = operation({
  id: 'users_login_sessions_revoke_others_create',
  method: 'post',
  path: '/api/users/:uuid/login_sessions/revoke_others/',
  summary: 'Sign all other browsers out',
  scope: null,
  recentAuth: true,
  body: EmptyBody,
  responses: { 200: z.object({ revoked_count: z.int() }) },
  handle: async ({ deps, actor }) => ({ revoked_count: await revokeOthers(deps.db, sessionOf(actor)) }),
})
