// Whatever is sent, an SDK endpoint answers in the shape that it promises, and says whose fault it is.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sendBatch, groupIdentify } from '../support/capture'
import { inCohort, open, property, variants, where } from '../support/filters'
import { cohort } from '../support/database/rows'
import { createTenant } from '../support/tenant'
import { ask, valuesOf } from './flags-support'
import { propertyRuns } from '../support/property-runs'

/** A project whose flags look at everything that a request can say. */
async function createCurious() {
  const tenant = await createTenant()
  await sendBatch(tenant, [groupIdentify('company', 'acme', { plan: 'paid' })])
  const id = await cohort(tenant, [property({ key: 'plan', value: 'paid' })])
  await tenant.flag({ key: 'email', filters: where(property({ operator: 'icontains', value: 'ada@' })) })
  await tenant.flag({
    key: 'inherited',
    filters: where(property({ key: 'constructor', operator: 'is_set' })),
  })
  await tenant.flag({ key: 'cohort', filters: where(inCohort(id)) })
  await tenant.flag({ key: 'kept', ensure_experience_continuity: true, filters: variants({ a: 50, b: 50 }) })
  await tenant.flag({ key: 'device', bucketing_identifier: 'device_id', filters: variants({ a: 50, b: 50 }) })
  await tenant.flag({
    key: 'group',
    filters: {
      ...where(property({ key: 'plan', type: 'group', group_type_index: 0, value: 'paid' })),
      aggregation_group_type_index: 0,
    },
  })
  await tenant.flag({ key: 'constructor', filters: open() })
  await tenant.flag({ key: '__proto__', filters: open({ payloads: { true: '"mine"' } }) })
  return tenant
}

const KEYS = ['email', 'inherited', 'cohort', 'kept', 'device', 'group', 'constructor', '__proto__']

/** What a request may be rejected for. */
const FIELDS =
  /^((anon_)?distinct_id$|device_id$|person_properties$|groups(__|$)|group_properties(__|$)|evaluation_contexts(__|$))/

describe('a request of any content', () => {
  it('gets a result for every flag, or a 4xx', async () => {
    const tenant = await createCurious()
    const json = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('acme', '\u0000', '\ud800', 'é', 'x'.repeat(500), 1e21, -0, null, ''),
    )
    const bag = fc.oneof(
      json,
      fc.dictionary(
        fc.constantFrom('email', 'plan', 'company', 'constructor', '__proto__', '$device_id'),
        json,
      ),
    )
    const body = fc.record(
      {
        distinct_id: fc.oneof({ weight: 3, arbitrary: fc.string() }, json),
        person_properties: bag,
        groups: bag,
        group_properties: fc.oneof(bag, fc.record({ company: bag })),
        anon_distinct_id: json,
        device_id: json,
        evaluation_contexts: fc.oneof(json, fc.array(json)),
        evaluation_runtime: json,
        disable_flags: fc.constantFrom(false, null, 0, 'no'),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom('/flags/?v=2', '/flags/?v=1'), async (sent, path) => {
        const response = await ask(tenant, sent as Record<string, unknown>, path)
        if (response.status === 400) {
          expect(response.body.attr).toMatch(FIELDS)
          return
        }
        expect(response.status).toBe(200)
        expect(response.body.errorsWhileComputingFlags).toBe(false)
        expect(Object.keys(response.body.flags ?? response.body.featureFlags).sort()).toEqual(KEYS.toSorted())
      }),
      { numRuns: propertyRuns(30, 150) },
    )
  })

  it('gets an OpenFeature resolution, or an error of the protocol', async () => {
    const tenant = await createCurious()
    const context = fc.dictionary(
      fc.constantFrom('targetingKey', 'groups', 'email', '$device_id', 'toString', '__proto__'),
      fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 2 })),
    )
    await fc.assert(
      fc.asyncProperty(context, fc.constantFrom('', '/email', '/group', '/device'), async (sent, key) => {
        const { status, body } = await tenant.send('POST', `/ofrep/v1/evaluate/flags${key}`, {
          body: { context: sent },
          headers: { 'X-API-Key': tenant.projectToken },
        })
        if (status === 400) expect(body.errorCode).toMatch(/^(TARGETING_KEY_MISSING|INVALID_CONTEXT)$/)
        else expect([status, body.errorCode]).toEqual([200, undefined])
      }),
      { numRuns: propertyRuns(20, 100) },
    )
  })

  it('never matches inherited properties of objects', async () => {
    const tenant = await createCurious()
    const raw = `{"token": "${tenant.projectToken}", "distinct_id": "ada",
      "person_properties": {"__proto__": {"email": "ada@example.com", "plan": "paid"}},
      "groups": {"__proto__": "acme"}, "group_properties": {"__proto__": {"plan": "paid"}}}`
    const response = await tenant.send('POST', '/flags/?v=2', { raw })
    expect(valuesOf(response)).toMatchObject({ email: false, inherited: false, cohort: false, group: false })
    expect(response.body.flags.constructor).toMatchObject({ enabled: true })
    expect(Object.getOwnPropertyDescriptor(response.body.flags, '__proto__')?.value).toMatchObject({
      enabled: true,
      metadata: { payload: '"mine"' },
    })
    const { body } = await ask(tenant, { flag_keys: ['toString', 'valueOf'] })
    expect(body.flags).toEqual({})
  })

  it('is rejected when it nests too deep', async () => {
    const tenant = await createTenant()
    const raw = `{"token": "${tenant.projectToken}", "distinct_id": "ada", "person_properties": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    expect(await tenant.send('POST', '/flags/?v=2', { raw })).toMatchObject({
      status: 400,
      body: { code: 'parse_error' },
    })
  })
})
