import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { text } from '../../http/fields'
import { operation } from '../../http/operation'
import { orEmpty } from '../../http/plain-bodies'
import { subjectId } from '../find-subject'
import { skipOnboarding } from '../onboarding/skip'
import { UserRecord } from '../user-schema'

export const skipOnboardingOperation = operation({
  id: 'users_onboarding_skip_create',
  method: 'post',
  path: '/api/users/:uuid/onboarding/skip/',
  summary: 'Skip onboarding',
  description:
    'Idempotent: a repeat keeps the moment, and takes over the reason. An invite by which the setting up was delegated is taken back, ' +
    'unless it was accepted. `delegated` is no reason to send: it comes from inviting somebody to do the setting up.',
  scope: 'user:write',
  recentAuth: true,
  subject: { staff: true },
  throttles: [{ name: 'onboarding_skip', calls: 30, seconds: 3_600 }],
  body: orEmpty(
    z.object({
      reason: z.enum(['later', 'other']),
      step_at_skip: text({ max: 64, blank: true }).optional(),
    }),
  ),
  responses: { 200: UserRecord, 400: ErrorBody },
  handle: async (context) =>
    skipOnboarding(context.deps, context.actor, await subjectId(context), context.body.reason),
})
