// Runs of materialized endpoints, whose rows differ from those of the query itself.
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { endpointLogs } from '../../../drizzle/events'
import { event, sendBatch, sendEach } from '../capture'
import { hogql } from './endpoints'
import { createMaterializingTenant, type MaterializingTenant } from './materialization'
import { shard } from '../tenant'

/** How often each event happened. */
export const EVENT_COUNTS = 'SELECT event, count() AS n FROM events GROUP BY event ORDER BY event'

/** A tenant with three events, of two plans. */
export async function tenantWithPlans(): Promise<MaterializingTenant> {
  const tenant = await createMaterializingTenant()
  const { status } = await sendBatch(tenant, [
    event('ada', { plan: 'pro' }, 'opened'),
    event('ada', { plan: 'free' }, 'closed'),
    event('bob', { plan: 'free' }, 'opened'),
  ])
  expect(status).toBe(200)
  return tenant
}

/** Returns an endpoint with materialized rows, and an event that these do not have. */
export async function materialized(tenant: MaterializingTenant, body: Record<string, unknown> = {}) {
  const made = await tenant.endpoint({ query: hogql(EVENT_COUNTS), is_materialized: true, ...body })
  expect(await tenant.consume()).toEqual({ retried: 0, acked: 1 })
  expect(tenant.faults).toEqual([])
  await sendEach(tenant, [event('cy', { plan: 'pro' }, 'opened')])
  const run = (request: Record<string, unknown> = {}) =>
    tenant.post(tenant.endpoints(`${made.name}/run`), request)
  return { made, run, update: (fields: object) => tenant.patch(tenant.endpoints(made.name), fields) }
}

/** Returns the sources of an endpoint's runs, oldest first, by its log; for failed runs, their message. */
export const pathsOf = async (endpointId: string) =>
  (
    await shard()
      .select()
      .from(endpointLogs)
      .where(eq(endpointLogs.endpointId, endpointId))
      .orderBy(endpointLogs.id)
  ).map(({ message }) => /path=(\w+) cache=(\w+)/.exec(message)?.slice(1).join(' ') ?? message)
