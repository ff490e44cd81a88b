// Skipping onboarding, and the part of a user's record that is about it.
import type { Tenant } from './tenant'

export const SKIP_PATH = '/api/users/@me/onboarding/skip/'
export const skip = (tenant: Tenant, reason: string) => tenant.post(SKIP_PATH, { reason })

/** The part of a user record that is about onboarding. */
export const onboardingIn = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name.startsWith('onboarding_')))

/** Returns that part for a tenant's user, as the API shows it. */
export const record = async (tenant: Tenant) => onboardingIn((await tenant.get('/api/users/@me/')).body)

/** The part for a user who neither skipped nor delegated. */
export const NOTHING = {
  onboarding_skipped_at: null,
  onboarding_skipped_reason: null,
  onboarding_skipped_organization_id: null,
  onboarding_delegated_to_invite: null,
  onboarding_delegated_to_organization_id: null,
  onboarding_delegation_accepted_at: null,
}

/** The part for a user who skipped, for this reason at this moment. */
export const skipped = (tenant: Tenant, reason: string, at: string) => ({
  ...NOTHING,
  onboarding_skipped_at: at,
  onboarding_skipped_reason: reason,
  onboarding_skipped_organization_id: tenant.organizationId,
})
