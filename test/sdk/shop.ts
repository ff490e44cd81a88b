// A project whose flags say each another thing, and what callers are told of them.
import { expect } from 'vitest'
import { open, property, variants, where } from '../support/filters'
import { createTenant, type Tenant } from '../support/tenant'

/** On for addresses at example.com, with a payload. */
export const BY_EMAIL = {
  ...where(property({ operator: 'icontains', value: '@example.com' })),
  payloads: { true: { color: 'blue' } },
}
/** What a request says of ada. */
export const ADA = { person_properties: { email: 'ada@example.com' } }
/** What every response has that is of no flag. */
export const ENVELOPE = (tenant: Tenant) => ({
  requestId: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  evaluatedAt: tenant.clock.now().getTime(),
})

/** A project with a flag that is on for ada, one with variants, one that is off for her, and one that nobody sees. */
export async function createShop() {
  const tenant = await createTenant()
  const flags = {
    beta: await tenant.flag({ key: 'beta', filters: BY_EMAIL }),
    colour: await tenant.flag({
      key: 'colour',
      filters: variants({ red: 0, green: 100 }, { payloads: { green: '"#0f0"', red: '"#f00"' } }),
    }),
    staff: await tenant.flag({ key: 'staff', filters: where(property({ value: 'boss@example.com' })) }),
  }
  await tenant.flag({ key: 'off', active: false, filters: open() })
  return { tenant, flags }
}

/** The shop's flags as ada gets them, in the newer form. */
export const DETAILED = (flags: Awaited<ReturnType<typeof createShop>>['flags']) => ({
  beta: {
    key: 'beta',
    enabled: true,
    variant: null,
    reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
    metadata: {
      id: flags.beta.id,
      version: 1,
      description: null,
      payload: '{"color":"blue"}',
      has_experiment: false,
    },
  },
  colour: {
    key: 'colour',
    enabled: true,
    variant: 'green',
    reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
    metadata: {
      id: flags.colour.id,
      version: 1,
      description: null,
      payload: '"#0f0"',
      has_experiment: false,
    },
  },
  staff: {
    key: 'staff',
    enabled: false,
    variant: null,
    reason: {
      code: 'no_condition_match',
      condition_index: 0,
      description: 'No matching condition set',
    },
    metadata: { id: flags.staff.id, version: 1, description: null, payload: null, has_experiment: false },
  },
})

/** The same as mere values. */
export const VALUES = { beta: true, colour: 'green', staff: false }
/** Their payloads. */
export const PAYLOADS = { beta: '{"color":"blue"}', colour: '"#0f0"' }
/** What a response with `config=true` has besides. */
export const CONFIG = {
  supportedCompression: ['gzip', 'gzip-js'],
  sessionRecording: false,
  hasFeatureFlags: true,
}
