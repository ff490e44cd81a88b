import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { text } from '../../http/fields'
import { operation } from '../../http/operation'
import { orEmpty } from '../../http/plain-bodies'
import { targetUserId } from '../users/target-user'
import { skipOnboarding } from '../onboarding/skip'
import { UserRecord } from '../users/user-schema'

export const skipOnboardingOperation = operation({
  id: 'users_onboarding_skip_create',
  method: 'post',
  path: '/api/users/:uuid/onboarding/skip/',
  summary: 'Skip onboarding',
  description:
    'Idempotent: a repeat keeps the timestamp and updates the reason. Deletes an invite that delegates onboarding, unless it was accepted. ' +
    'An invite of `…/invites/delegate/` delegates it.',
  scope: 'user:write',
  recentAuth: true,
  targetUser: { staff: true },
  throttles: [{ name: 'onboarding_skip', calls: 30, seconds: 3_600 }],
  body: orEmpty(
    z.object({
      reason: z.enum(['later', 'other']),
      step_at_skip: text({ max: 64, blank: true }).optional(),
    }),
  ),
  responses: { 200: UserRecord, 400: ErrorBody },
  handle: async (context) =>
    skipOnboarding(context.deps, context.actor, await targetUserId(context), context.body.reason),
})

export const skipOnboardingDocs = (): OperationDocs => ({
  body: {
    description: 'Why the user skips onboarding.',
    fields: {
      reason: '`later` or `other`.',
      step_at_skip: 'The onboarding step, at most 64 characters. Checked, not stored.',
    },
    example: { reason: 'later', step_at_skip: 'install' },
  },
})
