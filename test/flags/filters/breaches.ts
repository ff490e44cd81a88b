// Filters that break a rule, each sent with a new flag.
import { beforeAll, expect, it } from 'vitest'
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

/** A test for each of the breaches, all in one project: none of them leaves a flag. */
export function itRefuses(breaches: Breach[]): void {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant()
  })

  it.each(breaches)('rule %i refuses %j', async (_, filters, detail, code) => {
    expect(await create(tenant, filters)).toEqual(refused('filters', detail, code))
  })
}
