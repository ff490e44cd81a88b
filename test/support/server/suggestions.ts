// Tenants who request suggestions of a model that a server simulates.
import { hogql } from '../endpoints/endpoints'
import { createHarness } from '../harness'
import { playModel } from './model'
import type { ModelResponse, ModelCall } from './serve-model'
import { createTenant, type Tenant } from '../tenant'

/** A query that the checks reject, a form of it that passes, and why it is rejected. */
export const REFUSED = 'SELECT event, count() AS n FROM events GROUP BY event HAVING event = {variables.name}'
export const GOOD = 'SELECT event, count() AS n FROM events WHERE event = {variables.name} GROUP BY event'
export const REASON =
  'Variables not supported: Variable used in HAVING clause is not supported for materialization'

/** Requests a suggestion. */
export const suggest = (tenant: Tenant, name = 'refused', body: unknown = {}) =>
  tenant.post(tenant.endpoints(`${name}/materialization_suggestion`), body)

interface AskingTenant {
  tenant: Tenant
  endpoint: { id: string }
  calls(): Promise<ModelCall[]>
}

/** Returns a tenant that may request one, with an endpoint that cannot be materialized and a model that returns these responses. */
export async function askingTenant(
  responses: readonly ModelResponse[],
  bindings: Partial<Env> = {},
): Promise<AskingTenant> {
  const model = await playModel(responses)
  const harness = createHarness({ bindings: { ...model.bindings, ...bindings } })
  const tenant = await createTenant({ harness, level: 8 })
  await approve(tenant, true)
  await tenant.variable({ name: 'name', default_value: 'a secret default' })
  const endpoint = await tenant.endpoint({ name: 'refused', query: hogql(REFUSED), description: 'Ours.' })
  return { tenant, endpoint, calls: model.calls }
}

/** Sets whether the organization allows models to see its data. */
export const approve = async (tenant: Tenant, isApproved: boolean | null) => {
  const { status } = await tenant.patch(`/api/organizations/${tenant.organizationId}/`, {
    is_ai_data_processing_approved: isApproved,
  })
  if (status !== 200) throw new Error(`the organization was not changed: ${status}`)
}
