// Clients read a record, change one field and send all of it back: for every record that can be read and updated.
import { describe, expect, it } from 'vitest'
import { areas } from '../../src/areas'
import type { Operation } from '../../src/http/operation'
import { browserOf, paramsFor } from '../security/call'
import { sampleOf } from '../security/samples'
import type { Browser } from '../support/session'
import { createTenant, type Tenant } from '../support/tenant'
import { pathWith } from './world'

const operations = areas.flatMap((area) => area.operations)
const reads = new Map(operations.filter(({ method }) => method === 'get').map((each) => [each.path, each]))
const updates = operations.filter(
  ({ method, path }) => (method === 'patch' || method === 'put') && reads.has(path),
)

/** Fields that an update changes by itself, or with another field. */
const CHANGING = new Set([
  'updated_at',
  'version',
  'last_modified_by',
  'last_used_at',
  'last_updated_at',
  'is_numerical',
])
/** A flag without filters has none of their defaults before its first update. */
const withDefaults = (value: unknown, field: string): unknown =>
  field === 'filters' ? { aggregation_group_type_index: null, ...(value as object) } : value
const lasting = (record: object) =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([field]) => !CHANGING.has(field))
      .map(([field, value]) => [field, withDefaults(value, field)]),
  )

type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: Record<string, unknown> }>

const byKey =
  (tenant: Tenant): Send =>
  (method, path, body) =>
    tenant.send(method, path, {
      headers: { Authorization: `Bearer ${tenant.key}` },
      ...(body === undefined ? {} : { body }),
    })
const bySession =
  (browser: Browser): Send =>
  (method, path, body) =>
    browser.send(method, path, body === undefined ? {} : { body })

async function expectRoundTrip(send: Send, method: string, path: string, change: object): Promise<void> {
  const read = await send('GET', path)
  expect(read.status).toBe(200)
  for (const fields of [{}, change]) {
    const written = await send(method, path, { ...read.body, ...fields })
    expect([written.status, lasting(written.body)]).toEqual([200, lasting({ ...read.body, ...fields })])
  }
}

async function pathFor(operation: Operation, tenant: Tenant): Promise<string> {
  const params = await paramsFor(operation, tenant)
  return pathWith(operation.path, { environment_id: tenant.projectId, ...params })
}

it('covers flags, saved queries, variables, users, keys and organizations', () => {
  expect(updates.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'feature_flags_partial_update',
      'endpoints_partial_update',
      'endpoints_update',
      'environments_endpoints_partial_update',
      'insight_variables_partial_update',
      'users_partial_update',
      'personal_api_keys_partial_update',
      'personal_api_keys_update',
      'organizations_partial_update',
    ]),
  )
})

describe.each(updates)('$method $path', (operation) => {
  const change = sampleOf(operation.id).body!

  it('takes the record back from a session', async () => {
    const tenant = await createTenant()
    const path = await pathFor(operation, tenant)
    await expectRoundTrip(bySession(await browserOf(tenant)), operation.method.toUpperCase(), path, change)
  })

  it.runIf(operation.scope !== null && reads.get(operation.path)!.scope !== null)(
    'takes the record back from a key',
    async () => {
      const tenant = await createTenant()
      const path = await pathFor(operation, tenant)
      await expectRoundTrip(byKey(tenant), operation.method.toUpperCase(), path, change)
    },
  )
})

const ON_EVERYBODY = { groups: [{ properties: [], rollout_percentage: 100 }] }

describe('a flag', () => {
  it.each<[string, Record<string, unknown>]>([
    ['with everything', { filters: ON_EVERYBODY, tags: ['a'], evaluation_contexts: ['web'], name: 'Name' }],
    ['that is archived', { active: false, archived: true }],
    ['with a dashboard', { _should_create_usage_dashboard: true, has_enriched_analytics: true }],
    [
      'with an encrypted payload',
      {
        is_remote_configuration: true,
        has_encrypted_payloads: true,
        filters: { ...ON_EVERYBODY, payloads: { true: '{"a": 1}' } },
      },
    ],
  ])('%s survives the round trip', async (_, fields) => {
    const tenant = await createTenant()
    const { id } = await tenant.flag(fields)
    const path = tenant.flags(id)
    await expectRoundTrip(byKey(tenant), 'PATCH', path, { name: 'Changed' })
    await expectRoundTrip(bySession(await browserOf(tenant)), 'PATCH', path, { name: 'Again' })
  })
})

describe('a user', () => {
  it('with a role survives the round trip, and may clear it', async () => {
    const tenant = await createTenant()
    const browser = bySession(await browserOf(tenant))
    const me = '/api/users/@me/'
    await browser('PATCH', me, { role_at_organization: 'data', hedgehog_config: { color: 'red' } })
    await expectRoundTrip(browser, 'PATCH', me, { role_at_organization: null })
    await expectRoundTrip(byKey(tenant), 'PATCH', me, { theme_mode: 'dark' })
  })
})
