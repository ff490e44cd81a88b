// Whether an endpoint is still as it was read: what writes that race go by.
import { beforeAll, describe, expect, it } from 'vitest'
import { endpointNamed, type EndpointRow, selectEndpoints } from '../../../src/endpoints/endpoint-rows'
import { isUnchanged } from '../../../src/endpoints/update/write-update'
import type { VERSION_FIELDS } from '../../../src/endpoints/endpoint-state'
import { guard, isGuardFailure } from '../../../src/storage/database'
import { hogql, trends } from '../../support/endpoints/endpoints'
import { createTenant, database, type Tenant } from '../../support/tenant'

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
})

/** Everything that can be said of an endpoint. */
const full = () => ({
  query: trends({ breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } }),
  description: 'It’s “so”; \\ \n𝄞',
  data_freshness_seconds: 900,
  optional_breakdown_properties: ['plan'],
  bucket_overrides: { 'a"b': 'day', 2: 'hour', 1: 'week' },
  tags: ['b', 'a', 'ä'],
})

async function anEndpoint(body: Record<string, unknown> = full()) {
  const { name } = await tenant.endpoint(body)
  return {
    path: tenant.endpoints(name),
    async read(): Promise<EndpointRow> {
      const [row] = await selectEndpoints(database(), endpointNamed(tenant.projectId, name))
      return row!
    },
  }
}

async function isStill(row: EndpointRow): Promise<boolean> {
  try {
    await guard(database(), isUnchanged(row))
    return true
  } catch (error) {
    if (isGuardFailure(error)) return false
    throw error
  }
}

/** A change of each field. Those of a version are all here, or this does not compile. */
const CHANGES: Record<(typeof VERSION_FIELDS)[number] | 'tags' | 'query', Record<string, unknown>> = {
  description: { description: '' },
  data_freshness_seconds: { data_freshness_seconds: 1800 },
  is_active: { is_active: false },
  optional_breakdown_properties: { optional_breakdown_properties: null },
  bucket_overrides: { bucket_overrides: null },
  tags: { tags: ['a', 'b'] },
  query: { query: hogql('SELECT 1 AS one') },
}

describe('an endpoint', () => {
  it('is unchanged while nothing is written', async () => {
    const { path, read } = await anEndpoint()
    const row = await read()
    await tenant.patch(path, {})
    await tenant.post(`${path}run/`)
    expect(await isStill(row)).toBe(true)
    expect(await isStill(await (await anEndpoint({})).read())).toBe(true)
  })

  it('is changed after any of its fields changes', async () => {
    const { path, read } = await anEndpoint()
    let row = await read()
    for (const [field, change] of Object.entries(CHANGES)) {
      expect([field, (await tenant.patch(path, change)).status]).toEqual([field, 200])
      expect([field, await isStill(row)]).toEqual([field, false])
      row = await read()
      expect([field, await isStill(row)]).toEqual([field, true])
    }
  })

  it('is another once the version itself is inactive, or the endpoint is gone', async () => {
    const { path, read } = await anEndpoint()
    const row = await read()
    await tenant.patch(`${path}?version=1`, { is_active: false })
    expect(await isStill(row)).toBe(false)
    const inactive = await read()
    await tenant.delete(path)
    expect(await isStill(inactive)).toBe(false)
  })
})
