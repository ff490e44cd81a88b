import * as z from 'zod'
import { sessionOf } from '../../auth/actor'
import { clientOf } from '../../auth/client'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { listSessions, LoginSession, revokeOthers, revokeSession } from '../sign-in/login-session'

/** A session in another browser. */
const phoneExample = () => ({
  id: '019d3567-fa60-720c-bcdc-c69292f45e67',
  created_at: '2026-03-28T17:05:00Z',
  last_activity: '2026-03-31T21:10:00Z',
  device: 'Safari 18.3 on iOS 18.3',
  is_current: false,
})

export const listSessionsOperation = operation({
  id: 'users_login_sessions_list',
  method: 'get',
  path: '/api/users/:uuid/login_sessions/',
  summary: 'List your login sessions',
  description: 'The current one first, then the most recently used.',
  scope: null,
  query: z.object({
    email: z.string().optional(),
    is_staff: z.string().optional().meta({ type: 'boolean' }),
  }),
  responses: { 200: z.array(LoginSession) },
  handle: ({ deps, actor, request }) => listSessions(deps, sessionOf(actor), clientOf(request)),
})

export const listSessionsDocs = (): OperationDocs => ({
  parameters: { email: 'Has no effect.', is_staff: 'Has no effect.' },
  response: { example: [{}, phoneExample()] },
})

export const revokeSessionOperation = operation({
  id: 'users_login_sessions_destroy',
  method: 'delete',
  path: '/api/users/:uuid/login_sessions/:session_id/',
  summary: 'End a login session',
  description: 'You can also end the current session. 404 for sessions of other users.',
  scope: null,
  recentAuth: true,
  params: z.looseObject({ session_id: z.string() }),
  responses: { 204: 'empty' },
  handle: ({ deps, actor, params }) => revokeSession(deps.db, sessionOf(actor), params.session_id),
})

export const revokeSessionDocs = (): OperationDocs => ({
  parameters: { session_id: { description: 'Id of the session.', example: phoneExample().id } },
  sample: { as: 'newUser' },
})

export const revokeOthersOperation = operation({
  id: 'users_login_sessions_revoke_others_create',
  method: 'post',
  path: '/api/users/:uuid/login_sessions/revoke_others/',
  summary: 'End all other login sessions',
  scope: null,
  recentAuth: true,
  responses: { 200: z.object({ revoked_count: z.int() }) },
  handle: async ({ deps, actor }) => ({ revoked_count: await revokeOthers(deps.db, sessionOf(actor)) }),
})

export const revokeOthersDocs = (): OperationDocs => ({
  response: {
    description: 'The number of ended sessions.',
    fields: { revoked_count: 'Number of ended sessions, without the current one.' },
    example: { revoked_count: 1 },
  },
  sample: { needs: ['PHONE'], as: 'newUser' },
})
