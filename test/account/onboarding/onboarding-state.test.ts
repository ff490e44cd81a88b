// What skipping and delegating make of the state of onboarding (docs/reference/accounts.md#onboarding); events.test.ts tries them in any order.
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
      onboarding_skipped_at: AT(1),
      onboarding_skipped_reason: 'later',
      onboarding_skipped_organization_id: 'a',
    })
    expect(skip(first, 'other', 'b', AT(2))).toEqual({
      ...first,
      onboarding_skipped_reason: 'other',
      onboarding_skipped_organization_id: 'b',
    })
  })

  it('keeps the timestamp of a delegation', () => {
    const delegated = delegate('invite', 'a', AT(1))
    for (const state of [delegated, { ...delegated, onboarding_delegation_accepted_at: AT(2) }]) {
      expect(skip(state, 'later', 'a', AT(3))).toEqual({
        ...ONGOING,
        onboarding_skipped_at: AT(1),
        onboarding_skipped_reason: 'later',
        onboarding_skipped_organization_id: 'a',
      })
    }
  })
})

describe('a delegation', () => {
  it('counts for nothing without its invite, unless accepted', () => {
    const delegated = delegate('invite', 'a', AT(1))
    expect(effectiveOnboarding(delegated, true)).toBe(delegated)
    expect(effectiveOnboarding(delegated, false)).toEqual(ONGOING)
    const accepted = { ...delegated, onboarding_delegation_accepted_at: AT(2) }
    expect(effectiveOnboarding(accepted, false)).toBe(accepted)
  })
})
