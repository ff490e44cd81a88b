// State transitions of onboarding (reference/account-api.md §3). Pure.

export type SkipReason = 'later' | 'other'

export interface Onboarding {
  onboardingSkippedAt: string | null
  onboardingSkippedReason: string | null
  onboardingSkippedOrganizationId: string | null
  onboardingDelegatedToInvite: string | null
  onboardingDelegatedToOrganizationId: string | null
  onboardingDelegationAcceptedAt: string | null
}

export const ONGOING: Onboarding = {
  onboardingSkippedAt: null,
  onboardingSkippedReason: null,
  onboardingSkippedOrganizationId: null,
  onboardingDelegatedToInvite: null,
  onboardingDelegatedToOrganizationId: null,
  onboardingDelegationAcceptedAt: null,
}

export const isDelegationPending = (state: Onboarding): boolean =>
  state.onboardingDelegatedToInvite !== null && state.onboardingDelegationAcceptedAt === null

/** A pending delegation without a valid invite counts as no delegation. */
export const effectiveOnboarding = (state: Onboarding, inviteIsLive: boolean): Onboarding =>
  isDelegationPending(state) && !inviteIsLive ? ONGOING : state

/**
 * A repeat keeps the timestamp; after a delegation, it is a first time.
 * @param state as `effectiveOnboarding` returns it.
 * @param organizationId the current organization.
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
