// What the reference says of skipping onboarding.
import type { Words } from '../../docs/words'

export const onboardingWords: Words = {
  schemas: {
    UsersOnboardingSkipCreateBody: {
      is: 'Why onboarding is skipped.',
      fields: {
        reason: '`later` to come back to it, `other` for anything else.',
        step_at_skip: 'Where in onboarding this happened, at most 64 characters. Checked, and not kept.',
      },
      example: { reason: 'later', step_at_skip: 'install' },
    },
  },
}
