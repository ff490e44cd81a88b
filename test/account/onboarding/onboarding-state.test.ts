// What skipping and delegating make of the state of onboarding (reference/account-api.md §3); events.test.ts tries them in any order.
import { describe, expect, it } from 'vitest'
import {
  delegate,
  effectiveOnboarding,
  ONGOING,
  skip,
} from '../../../src/account/onboarding/onboarding-state'

const AT = (second: number) => `2026-03-10T12:00:${String(second).padStart(2, '0')}.000000Z`

describe('skip', () => {
  it('keeps the first timestamp, and updates reason and organization', () => {
    const first = skip(ONGOING, 'later', 'a', AT(1))
    expect(first).toEqual({
      ...ONGOING,
      onboardingSkippedAt: AT(1),
      onboardingSkippedReason: 'later',
      onboardingSkippedOrganizationId: 'a',
    })
    expect(skip(first, 'other', 'b', AT(2))).toEqual({
      ...first,
      onboardingSkippedReason: 'other',
      onboardingSkippedOrganizationId: 'b',
    })
  })

  it('is a first skip after a delegation', () => {
    const delegated = delegate(ONGOING, 'invite', 'a', AT(1))
    for (const state of [delegated, { ...delegated, onboardingDelegationAcceptedAt: AT(2) }]) {
      expect(skip(state, 'later', 'a', AT(3))).toEqual({
        ...ONGOING,
        onboardingSkippedAt: AT(3),
        onboardingSkippedReason: 'later',
        onboardingSkippedOrganizationId: 'a',
      })
    }
  })
})

describe('a delegation', () => {
  it('counts for nothing without its invite, unless accepted', () => {
    const delegated = delegate(ONGOING, 'invite', 'a', AT(1))
    expect(effectiveOnboarding(delegated, true)).toBe(delegated)
    expect(effectiveOnboarding(delegated, false)).toEqual(ONGOING)
    const accepted = { ...delegated, onboardingDelegationAcceptedAt: AT(2) }
    expect(effectiveOnboarding(accepted, false)).toBe(accepted)
  })
})
