// A project with flags of each kind, asked about in OpenFeature's protocol.
import { open, property, variants, where } from '../support/filters'
import { createTenant, type Tenant } from '../support/tenant'

/** The path for all flags, under which that of each stands. */
export const BULK = '/ofrep/v1/evaluate/flags'
/** A context in which the flags of the shop are on. */
export const ADA = { targetingKey: 'ada', email: 'ada@example.com' }

/** The headers of a caller who has the token of the project. */
export const bearer = ({ projectToken }: Tenant) => ({ Authorization: `Bearer ${projectToken}` })
/** Asks for one flag. */
export const resolve = (
  tenant: Tenant,
  key: string,
  context: unknown = ADA,
  headers: Record<string, string> = {},
) => tenant.send('POST', `${BULK}/${key}`, { body: { context }, headers: { ...bearer(tenant), ...headers } })
/** Asks for all flags. */
export const resolveAll = (tenant: Tenant, context: unknown = ADA, headers: Record<string, string> = {}) =>
  tenant.send('POST', BULK, { body: { context }, headers: { ...bearer(tenant), ...headers } })

/** A project with a flag of each kind, on for ada and off for others, and one that is off for everybody. */
export async function createShop() {
  const tenant = await createTenant()
  const forAda = where(property({ operator: 'icontains', value: 'ada@' }))
  const ids = {
    beta: await tenant.flag({ key: 'beta', filters: { ...forAda, payloads: { true: { color: 'blue' } } } }),
    colour: await tenant.flag({ key: 'colour', filters: { ...variants({ green: 100 }), ...forAda } }),
    limits: await tenant.flag({
      key: 'limits',
      is_remote_configuration: true,
      filters: { ...forAda, payloads: { true: { seats: 3 } } },
    }),
    never: await tenant.flag({
      key: 'never',
      filters: { groups: [{ properties: [], rollout_percentage: 0 }] },
    }),
  }
  const off = {
    off: await tenant.flag({ key: 'off', active: false, filters: open() }),
    'off-colour': await tenant.flag({
      key: 'off-colour',
      active: false,
      filters: variants({ green: 100 }),
    }),
  }
  return {
    tenant,
    metadata: (key: keyof typeof ids | keyof typeof off, reason: string, rest: object = {}) => ({
      reason,
      flagId: { ...ids, ...off }[key].id,
      version: 1,
      ...rest,
    }),
  }
}
