// Onboarding as a user's record shows it, after any sequence of events, against a model that says the rules in other words
// (docs/reference/accounts.md#onboarding).
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, type Tenant } from '../../support/tenant'
import { propertyRuns } from '../../support/property-runs'

type Event = 'skip later' | 'skip other' | 'delegate' | 'accept' | 'take back' | 'wait three days'

const events = fc.array(
  fc.constantFrom<Event[]>('skip later', 'skip other', 'delegate', 'accept', 'take back', 'wait three days'),
  { minLength: 1, maxLength: 8 },
)

/** What the rules say in words: one phase, since when, and why. */
interface Model {
  phase: 'ongoing' | 'skipped' | 'waiting' | 'taken over'
  since: string | null
  reason: string | null
}

const ONGOING: Model = { phase: 'ongoing', since: null, reason: null }

function modelled(model: Model, event: Event, at: string): Model {
  const isWaiting = model.phase === 'waiting'
  switch (event) {
    case 'skip later':
    case 'skip other':
      return { phase: 'skipped', since: model.since ?? at, reason: event.slice(5) }
    case 'delegate':
      return isWaiting ? model : { phase: 'waiting', since: at, reason: 'delegated' }
    case 'accept':
      return isWaiting ? { ...model, phase: 'taken over' } : model
    case 'take back':
    case 'wait three days':
      return isWaiting ? ONGOING : model
  }
}

/** What the record says, in the model's words. */
function shown(body: Record<string, unknown>): Model {
  const isDelegated = body.onboarding_delegated_to_invite !== null
  const phase =
    body.onboarding_delegation_accepted_at !== null
      ? 'taken over'
      : isDelegated
        ? 'waiting'
        : body.onboarding_skipped_at === null
          ? 'ongoing'
          : 'skipped'
  return {
    phase,
    since: body.onboarding_skipped_at as string | null,
    reason: body.onboarding_skipped_reason as string | null,
  }
}

/** Has the event happen, as callers make it happen. The last invite, and whom it asks, go from one event to the next. */
function happening(tenant: Tenant, guest: Tenant) {
  const invites = `/api/organizations/${tenant.organizationId}/invites/`
  let last = ''
  return async (event: Event): Promise<void> => {
    switch (event) {
      case 'skip later':
      case 'skip other':
        expect(
          (await tenant.post('/api/users/@me/onboarding/skip/', { reason: event.slice(5) })).status,
        ).toBe(200)
        return
      case 'delegate': {
        const response = await tenant.post(`${invites}delegate/`, { target_email: guest.user.email })
        expect(response.status).toBe(201)
        last = response.body.id
        return
      }
      case 'accept':
        await (await signIn(guest)).post(`/api/signup/${last}/`)
        return
      case 'take back':
        await tenant.delete(`${invites}${last || crypto.randomUUID()}/`)
        return
      case 'wait three days':
        tenant.clock.advance({ days: 3 })
    }
  }
}

it('follows the model in any order of events', async () => {
  const harness = createHarness()
  await fc.assert(
    fc.asyncProperty(events, async (sequence) => {
      const tenant = await createTenant({ harness })
      let model = ONGOING
      // Whoever has come is no guest any more: the next to be asked is somebody else.
      let happen = happening(tenant, await createTenant({ harness }))
      for (const event of sequence) {
        harness.clock.advance({ seconds: 1 })
        const at = harness.clock.now().toISOString().replace('.000Z', 'Z')
        await happen(event)
        if (event === 'accept') happen = happening(tenant, await createTenant({ harness }))
        model = modelled(model, event, at)
        const { body } = await tenant.get('/api/users/@me/')
        expect(shown(body)).toEqual(model)
        // The pointer, its organization and the reason come and go together.
        const isDelegated = model.phase === 'waiting' || model.phase === 'taken over'
        expect(body.onboarding_delegated_to_organization_id).toBe(isDelegated ? tenant.organizationId : null)
        expect(body.onboarding_skipped_reason === 'delegated').toBe(isDelegated)
        expect(body.onboarding_skipped_organization_id).toBe(
          model.phase === 'ongoing' ? null : tenant.organizationId,
        )
      }
    }),
    { numRuns: propertyRuns(20, 40) },
  )
}, 60_000)
