// State transitions of onboarding (docs/reference/accounts.md#onboarding). Pure. Fields have the names of their columns.

export type SkipReason = 'later' | 'other'

export const ONGOING = {
  onboarding_skipped_at: null,
  onboarding_skipped_reason: null,
  onboarding_skipped_organization_id: null,
  onboarding_delegated_to_invite: null,
  onboarding_delegated_to_organization_id: null,
  onboarding_delegation_accepted_at: null,
}

export type Onboarding = Record<keyof typeof ONGOING, string | null>

export const isDelegationPending = (state: Onboarding): boolean =>
  state.onboarding_delegated_to_invite !== null && state.onboarding_delegation_accepted_at === null

/** Returns the state that counts: a pending delegation without a valid invite counts as no delegation. */
export const effectiveOnboarding = (state: Onboarding, inviteIsLive: boolean): Onboarding =>
  isDelegationPending(state) && !inviteIsLive ? ONGOING : state

/**
 * Returns the state after a skip. Repeating a skip keeps the timestamp, and so does a skip after a delegation, where upstream sets a new
 * one.
 * @param state as `effectiveOnboarding` returns it
 * @param organizationId the current organization
 */
export const skip = (
  { onboarding_skipped_at: skippedAt }: Onboarding,
  reason: SkipReason,
  organizationId: string | null,
  at: string,
): Onboarding => ({
  ...ONGOING,
  onboarding_skipped_at: skippedAt ?? at,
  onboarding_skipped_reason: reason,
  onboarding_skipped_organization_id: organizationId,
})

export const delegate = (inviteId: string, organizationId: string, at: string): Onboarding => ({
  onboarding_skipped_at: at,
  onboarding_skipped_reason: 'delegated',
  onboarding_skipped_organization_id: organizationId,
  onboarding_delegated_to_invite: inviteId,
  onboarding_delegated_to_organization_id: organizationId,
  onboarding_delegation_accepted_at: null,
})
