// Endpoints whose materialization is enabled and disabled, and its expected state.
import { hogql } from './endpoints'
import type { MaterializingTenant } from './materialization'

/** Two queries that can be materialized, with different columns. */
export const FIRST = 'SELECT count() AS n FROM events'
export const SECOND = 'SELECT count() AS m FROM events'

/** The state of a materialization that is ready, that is being built for the first time, and that does not exist. */
export const ENABLED = { enabled: true, ready: true, status: 'Completed' }
export const BEGUN = { enabled: true, ready: false, status: 'Running' }
export const NONE = { enabled: false, ready: false, can_materialize: true, reason: null }

/** Creates an endpoint, which is materialized unless `body` says otherwise, with functions that change it and read its versions. */
export async function configuredEndpoint(tenant: MaterializingTenant, body: Record<string, unknown> = {}) {
  const made = await tenant.endpoint({ query: hogql(FIRST), is_materialized: true, ...body })
  await tenant.consume()
  const path = tenant.endpoints(made.name)
  return {
    ...made,
    path,
    update: async (fields: Record<string, unknown>, query = '') => {
      const { status, body: response } = await tenant.patch(path + query, fields)
      return { status, ...response }
    },
    version: async (version: number) => (await tenant.get(`${path}?version=${version}`)).body,
    status: async (version: number) =>
      (await tenant.get(`${path}materialization_status/?version=${version}`)).body,
  }
}
