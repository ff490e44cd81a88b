// The state machine of onboarding, against a model that says the rules in other words (reference/account-api.md §3).
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accept,
  delegate,
  effective,
  isDelegationPending,
  ONGOING,
  type Onboarding,
  skip,
} from '../../../src/account/onboarding/state'

const AT = (second: number) => `2026-03-10T12:00:${String(second).padStart(2, '0')}.000000Z`

describe('skip', () => {
  it('keeps the moment of the first skip, and takes over reason and organization', () => {
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

  it('counts as the first one after a delegation', () => {
    const delegated = delegate(ONGOING, 'invite', 'a', AT(1))
    for (const state of [delegated, accept(delegated, AT(2))]) {
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
  it('whose invite is gone is as if it had never been, until it was accepted', () => {
    const delegated = delegate(ONGOING, 'invite', 'a', AT(1))
    expect(effective(delegated, true)).toBe(delegated)
    expect(effective(delegated, false)).toEqual(ONGOING)
    const accepted = accept(delegated, AT(2))
    expect(effective(accepted, false)).toBe(accepted)
  })
})

type Event =
  | { do: 'skip'; reason: 'later' | 'other' }
  | { do: 'delegate' }
  | { do: 'accept' }
  | { do: 'lose invite' }

const events = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('skip' as const),
      reason: fc.constantFrom('later' as const, 'other' as const),
    }),
    fc.constant<Event>({ do: 'delegate' }),
    fc.constant<Event>({ do: 'accept' }),
    fc.constant<Event>({ do: 'lose invite' }),
  ),
  { maxLength: 20 },
)

/** What the rules say in words: one phase, since when, and why. */
interface Model {
  phase: 'ongoing' | 'skipped' | 'waiting' | 'taken over'
  since: string | null
  reason: string | null
}

function modelled(model: Model, event: Event, at: string): Model {
  switch (event.do) {
    case 'skip':
      return { phase: 'skipped', since: model.phase === 'skipped' ? model.since : at, reason: event.reason }
    case 'delegate':
      return model.phase === 'waiting' ? model : { phase: 'waiting', since: at, reason: 'delegated' }
    case 'accept':
      return model.phase === 'waiting' ? { ...model, phase: 'taken over' } : model
    case 'lose invite':
      return model.phase === 'waiting' ? { phase: 'ongoing', since: null, reason: null } : model
  }
}

function happened(state: Onboarding, event: Event, at: string): Onboarding {
  switch (event.do) {
    case 'skip':
      return skip(state, event.reason, 'a', at)
    case 'delegate':
      return isDelegationPending(state) ? state : delegate(state, `invite of ${at}`, 'a', at)
    case 'accept':
      return isDelegationPending(state) ? accept(state, at) : state
    case 'lose invite':
      return effective(state, false)
  }
}

const phaseOf = (state: Onboarding): Model['phase'] => {
  if (isDelegationPending(state)) return 'waiting'
  if (state.onboardingDelegationAcceptedAt !== null) return 'taken over'
  return state.onboardingSkippedAt === null ? 'ongoing' : 'skipped'
}

it('does what the model says, in any order of events', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      let state = ONGOING
      let model: Model = { phase: 'ongoing', since: null, reason: null }
      for (const [index, event] of sequence.entries()) {
        state = happened(state, event, AT(index))
        model = modelled(model, event, AT(index))
        expect({
          phase: phaseOf(state),
          since: state.onboardingSkippedAt,
          reason: state.onboardingSkippedReason,
        }).toEqual(model)
        // The pointer, its organization and the reason come and go together.
        const isDelegated = model.phase === 'waiting' || model.phase === 'taken over'
        expect(state.onboardingDelegatedToInvite !== null).toBe(isDelegated)
        expect(state.onboardingDelegatedToOrganizationId !== null).toBe(isDelegated)
        expect(state.onboardingSkippedReason === 'delegated').toBe(isDelegated)
        expect(state.onboardingSkippedOrganizationId === null).toBe(model.phase === 'ongoing')
      }
    }),
  )
})
