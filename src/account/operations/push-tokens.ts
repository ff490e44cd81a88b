import * as z from 'zod'
import { userOf } from '../../auth/actor'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import {
  PUSH_PLATFORMS,
  PushRegistration,
  pushToken,
  registerPushToken,
  unregisterPushToken,
} from '../users/push-token'

/** The user's own operations, which are closed to staff as well. As upstream, the body is validated first. */
const targetUser = {
  rejection: 'Push tokens can only be managed via the `@me` path.',
  afterBody: true,
} as const

const tokenText = 'Token of the device at the push service, at most 512 characters, trimmed. Write-only.'

const TOKEN_EXAMPLE = 'fcm-token-of-the-device'

export const registerTokenOperation = operation({
  id: 'users_push_tokens_create',
  method: 'post',
  path: '/api/users/:uuid/push_tokens/',
  summary: 'Register a device for push notifications',
  description:
    'Registering a token again updates its platform and `last_seen_at`. A user has at most 20 devices: a new one evicts the least recently ' +
    'seen one.',
  scope: 'user:write',
  targetUser,
  body: z.object({ token: pushToken(), platform: z.enum(PUSH_PLATFORMS) }),
  responses: { 200: PushRegistration },
  handle: ({ deps, actor, body }) => registerPushToken(deps, userOf(actor)!.id, body),
})

export const registerTokenDocs = (): OperationDocs => ({
  body: {
    description: 'The device to register.',
    fields: { token: tokenText, platform: 'Platform of the device.' },
    example: { token: TOKEN_EXAMPLE, platform: 'ios' },
  },
  tool: { isAdditive: true },
})

export const unregisterTokenOperation = operation({
  id: 'users_push_tokens_unregister_create',
  method: 'post',
  path: '/api/users/:uuid/push_tokens/unregister/',
  summary: 'Unregister a device',
  description: 'Succeeds for unknown tokens too.',
  scope: 'user:write',
  targetUser,
  body: z.object({ token: pushToken() }),
  responses: { 204: 'empty' },
  handle: ({ deps, actor, body }) => unregisterPushToken(deps, userOf(actor)!.id, body.token),
})

export const unregisterTokenDocs = (): OperationDocs => ({
  body: {
    description: 'The device to unregister.',
    fields: { token: tokenText },
    example: { token: TOKEN_EXAMPLE },
  },
})
