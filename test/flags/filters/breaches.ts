// Filters of a new flag, and those that break a rule.
import { expect, it } from 'vitest'
import type { ApiError } from '../../../src/errors'
import { validateFilters } from '../../../src/flags/filters/validate'
import { refused, seen } from '../../support/responses'
import { property, where } from '../../support/filters'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

/** One way of breaking a rule: number of the rule (docs/reference/flags.md#rules-for-filters), filters, detail, code. */
export type Breach = [rule: number, filters: Json, detail: string, code?: string]

/** The response to a new flag with these filters. */
export const create = async (tenant: Tenant, filters: unknown) =>
  seen(await tenant.post(tenant.flags(), { key: 'checkout', _should_create_usage_dashboard: false, filters }))

/** Filters of one condition set with these fields. */
export const group = (fields: Json) => ({ groups: [{ properties: [], ...fields }] })

/** Filters of one property with this operator and value. */
export const text = (operator: string, value: unknown) => where(property({ operator, value }))

/** What the rules say of the filters of a new flag, in a project without other flags and cohorts. @throws as the API responds */
export function validated(filters: unknown) {
  const sent = JSON.parse(JSON.stringify(filters)) as Json
  return validateFilters(sent, {
    self: { id: null, key: 'checkout' },
    stored: null,
    isRemoteConfiguration: false,
    linkedToEarlyAccess: false,
    targets: new Map(),
    cohorts: new Map(),
  })
}

/** A test for each of the breaches; the last one shows that the API applies them. */
export function itRefuses(breaches: Breach[]): void {
  it.each(breaches)('rule %i refuses %j', (_, filters, detail, code = 'invalid_input') => {
    const error: Partial<ApiError> = { status: 400, type: 'validation_error', code, detail, attr: 'filters' }
    expect(() => validated(filters)).toThrow(expect.objectContaining(error))
  })

  it('are checked by the API', async () => {
    const [, filters, detail, code] = breaches.at(-1)!
    expect(await create(await createTenant(), filters)).toEqual(refused('filters', detail, code))
  })
}
