// Onboarding that was skipped, put off or handed to somebody else: what each event makes of it (reference/account-api.md §3). Pure.

export type SkipReason = 'later' | 'other'

/** The columns of a user that this is about. */
export interface Onboarding {
  onboardingSkippedAt: string | null
  onboardingSkippedReason: string | null
  onboardingSkippedOrganizationId: string | null
  onboardingDelegatedToInvite: string | null
  onboardingDelegatedToOrganizationId: string | null
  onboardingDelegationAcceptedAt: string | null
}

/** Nothing was skipped: onboarding goes on. */
export const ONGOING: Onboarding = {
  onboardingSkippedAt: null,
  onboardingSkippedReason: null,
  onboardingSkippedOrganizationId: null,
  onboardingDelegatedToInvite: null,
  onboardingDelegatedToOrganizationId: null,
  onboardingDelegationAcceptedAt: null,
}

/** Whether somebody was asked to do the setting up, and has not come yet. */
export const isDelegationPending = (state: Onboarding): boolean =>
  state.onboardingDelegatedToInvite !== null && state.onboardingDelegationAcceptedAt === null

/**
 * The state as it counts now: a delegation whose invite is gone or too old, before anybody accepted it, is as if it had never been.
 * @param inviteIsLive whether the invite that is pointed to exists and can be accepted.
 */
export const effectiveOnboarding = (state: Onboarding, inviteIsLive: boolean): Onboarding =>
  isDelegationPending(state) && !inviteIsLive ? ONGOING : state

/**
 * The user skips. A repeat keeps the moment, whatever its reason; coming from a delegation counts as the first time.
 * @param state as `effectiveOnboarding` gives it.
 * @param organizationId where the user works.
 */
export const skip = (
  state: Onboarding,
  reason: SkipReason,
  organizationId: string | null,
  at: string,
): Onboarding => ({
  ...ONGOING,
  onboardingSkippedAt: hasSkipped(state) ? state.onboardingSkippedAt : at,
  onboardingSkippedReason: reason,
  onboardingSkippedOrganizationId: organizationId,
})

const hasSkipped = ({ onboardingSkippedAt, onboardingSkippedReason }: Onboarding): boolean =>
  onboardingSkippedAt !== null && (onboardingSkippedReason === 'later' || onboardingSkippedReason === 'other')

/** The user asks somebody else to do the setting up. */
export const delegate = (
  state: Onboarding,
  inviteId: string,
  organizationId: string,
  at: string,
): Onboarding => ({
  ...state,
  onboardingSkippedAt: at,
  onboardingSkippedReason: 'delegated',
  onboardingSkippedOrganizationId: organizationId,
  onboardingDelegatedToInvite: inviteId,
  onboardingDelegatedToOrganizationId: organizationId,
  onboardingDelegationAcceptedAt: null,
})
