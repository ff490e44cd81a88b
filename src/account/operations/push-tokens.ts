import * as z from 'zod'
import { userOf } from '../../auth/actor'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import {
  PUSH_PLATFORMS,
  PushRegistration,
  pushToken,
  registerPushToken,
  unregisterPushToken,
} from '../push-tokens'

/** Not even staff: a push token says where somebody can be reached. As upstream, a bad body is said to be bad before that. */
const subject = {
  refusal: 'Push tokens can only be managed via the `@me` path.',
  afterBody: true,
} as const

export const registerTokenOperation = operation({
  id: 'users_push_tokens_create',
  method: 'post',
  path: '/api/users/:uuid/push_tokens/',
  summary: 'Register a device for push notifications',
  description:
    'Registering a token again refreshes its platform and when it was seen. A user has at most 20 devices: past that, the one that was ' +
    'seen longest ago is forgotten.',
  scope: 'user:write',
  subject,
  body: z.object({ token: pushToken(), platform: z.enum(PUSH_PLATFORMS) }),
  responses: { 200: PushRegistration, 400: ErrorBody },
  handle: ({ deps, actor, body }) => registerPushToken(deps, userOf(actor)!.id, body),
})

export const unregisterTokenOperation = operation({
  id: 'users_push_tokens_unregister_create',
  method: 'post',
  path: '/api/users/:uuid/push_tokens/unregister/',
  summary: 'Forget a device',
  description: 'Answers the same whether or not the token was registered.',
  scope: 'user:write',
  subject,
  body: z.object({ token: pushToken() }),
  responses: { 204: 'empty', 400: ErrorBody },
  handle: ({ deps, actor, body }) => unregisterPushToken(deps, userOf(actor)!.id, body.token),
})
