// Bodies that nobody would write. Whatever is sent to create and update, the response is an error or a flag, never a crash; what is rejected
// has changed nothing, and what is accepted reads back as it was answered.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../support/harness'
import { createTenant, type Tenant } from '../support/tenant'
import { FlagRecord } from '../../src/flags/schema'
import { ErrorBody } from '../../src/http/error-body'
import { propertyRuns } from '../support/property-runs'

const FIELDS = [
  'key',
  'name',
  'filters',
  'deleted',
  'active',
  'archived',
  'created_at',
  'version',
  'original_flag',
  'ensure_experience_continuity',
  'rollback_conditions',
  'performed_rollback',
  'tags',
  'evaluation_contexts',
  'analytics_dashboards',
  'has_enriched_analytics',
  'creation_context',
  'is_remote_configuration',
  'has_encrypted_payloads',
  'evaluation_runtime',
  'bucketing_identifier',
  'last_called_at',
  '_create_in_folder',
  '_should_create_usage_dashboard',
]
const STRANGE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '\u0000',
  'groups',
  'value',
  'key',
]

/** JSON text: what JavaScript cannot hold, such as `__proto__` or 1e999, stays as it was written. */
type Json = string
const string = (text: string): Json => JSON.stringify(text)
const object = (entries: [string, Json][]): Json =>
  `{${entries.map(([key, value]) => `${string(key)}:${value}`).join(',')}}`

const text: fc.Arbitrary<Json> = fc.oneof(
  fc.string({ unit: 'binary' }).map(string),
  fc.constantFrom(
    '"\\ud800"',
    '"a\\udfff"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\u202e"',
    '""',
    '" "',
    '"true"',
    '"2026-13-45T99:99:99Z"',
    '"0001-01-01T00:00:00+23:59"',
    '"999999-01-01"',
    '"\'; DROP TABLE feature_flags; --"',
    '"(?<=a)b"',
    '"(((("',
    string('x'.repeat(401)),
    string('y'.repeat(100_000)),
  ),
)
const number: fc.Arbitrary<Json> = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom(
    '1e999',
    '-1e999',
    '-0',
    '9007199254740993',
    '1e308',
    '1.5',
    '5e-324',
    '2147483648',
    '1'.repeat(400),
  ),
)
const scalar = fc.oneof(text, number, fc.constantFrom('null', 'true', 'false'))
/** Bearable, on the verge, and beyond. */
const deep = fc
  .constantFrom(3, 10, 25, 30, 100)
  .map((pairs) => '[{"a":'.repeat(pairs) + '1' + '}]'.repeat(pairs))

const { value } = fc.letrec<{ value: Json; array: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: scalar, weight: 12 },
    { arbitrary: tie('array'), weight: 3 },
    { arbitrary: tie('object'), weight: 3 },
    { arbitrary: deep, weight: 1 },
  ),
  array: fc.array(tie('value'), { maxLength: 4 }).map((members) => `[${members.join(',')}]`),
  object: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...STRANGE_KEYS), fc.string()), tie('value')), { maxLength: 4 })
    .map(object),
}))

/** An object that has a sound value where `sound` gives one, and now and then anything instead. */
const mostly = (sound: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(sound).map(([key, each]) => [
            key,
            fc.oneof(
              { arbitrary: each, weight: 40 },
              { arbitrary: value, weight: 1 },
              { arbitrary: fc.constant(null), weight: 4 },
            ),
          ]),
        ),
      ),
      fc.array(fc.tuple(fc.constantFrom(...STRANGE_KEYS), value), { maxLength: 1 }),
    )
    .map(([entries, extra]) =>
      object([
        ...Object.entries(entries).filter((entry): entry is [string, Json] => entry[1] !== null),
        ...extra,
      ]),
    )
const listOf = (member: fc.Arbitrary<Json>) =>
  fc.array(member, { maxLength: 3 }).map((members) => `[${members.join(',')}]`)

const percentage = fc.constantFrom('0', '50', '100', '33.3', 'null')
const property = mostly({
  key: fc.constantFrom('"email"', '"1"', '7'),
  type: fc.constantFrom('"person"', '"person"', '"person"', '"cohort"', '"group"', '"flag"'),
  operator: fc.constantFrom(
    '"exact"',
    '"regex"',
    '"icontains_multi"',
    '"semver_tilde"',
    '"is_date_before"',
    '"in"',
    '"flag_evaluates_to"',
    'null',
  ),
  value: fc.oneof(value, fc.constantFrom('"1.2.3"', '["a"]', '"-7d"', 'true', '1')),
})
const filters = mostly({
  groups: listOf(
    mostly({
      properties: listOf(property),
      rollout_percentage: percentage,
      variant: fc.constantFrom('null', '"a"'),
    }),
  ),
  multivariate: fc.oneof(
    fc.constantFrom('null', '{"variants":[{"key":"a","rollout_percentage":100}]}'),
    mostly({
      variants: listOf(mostly({ key: fc.constantFrom('"a"', '"b"'), rollout_percentage: percentage })),
    }),
  ),
  payloads: fc.constantFrom('{"true":"1"}', '{"a":{"b":1}}', '{}', 'null'),
  holdout: fc.constantFrom('null', '{"id":1,"exclusion_percentage":10}'),
  early_exit: fc.constantFrom('null', 'true'),
  aggregation_group_type_index: fc.constantFrom('null', 'null', 'null', '0'),
})

const field = fc.oneof(
  fc.tuple(fc.constant('filters'), filters),
  fc.tuple(fc.constantFrom(...FIELDS, ...STRANGE_KEYS), value),
)
const body = fc.oneof(
  { arbitrary: fc.array(field, { maxLength: 5 }).map(object), weight: 8 },
  { arbitrary: value, weight: 1 },
)

const RUNS = { numRuns: propertyRuns(40, 300), interruptAfterTimeLimit: 15_000 }

/** An error as the document describes it, or a flag. */
function expectSound({ status, body: answered }: TestResponse): void {
  expect(status).toBeLessThan(500)
  const shape = status < 300 ? FlagRecord : ErrorBody
  expect(shape.safeParse(answered).error).toBe(undefined)
}

const send = (tenant: Tenant, method: string, path: string, raw: Json) =>
  tenant.send(method, path, {
    raw,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tenant.key}` },
  })

describe('a generated body', () => {
  it('does not crash create, and leaves nothing behind when it is rejected', async () => {
    const tenant = await createTenant()
    const everything = async () => [
      (await tenant.get(`${tenant.flags()}?limit=1000`)).body,
      (await tenant.get(tenant.flags('activity'))).body.total_count,
    ]
    let before = await everything()
    let made = 0
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (raw, keyed) => {
        // A key of its own gets a body past the first field, and so does a body that already has one.
        const key = keyed && raw.startsWith('{') ? `"key":"fuzz-${(made += 1)}"` : ''
        const sent = key ? raw.replace('{', raw === '{}' ? `{${key}` : `{${key},`) : raw
        const response = await send(tenant, 'POST', tenant.flags(), sent)
        expectSound(response)
        if (response.status === 201) {
          expect((await tenant.get(tenant.flags(response.body.id))).body).toEqual(response.body)
          before = await everything()
        } else expect(await everything()).toEqual(before)
      }),
      RUNS,
    )
  }, 30_000)

  it('does not crash update, and leaves the flag as it was when it is rejected', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'fuzzed' })
    const path = tenant.flags(id)
    let before = (await tenant.get(path)).body
    await fc.assert(
      fc.asyncProperty(body, async (raw) => {
        const response = await send(tenant, 'PATCH', path, raw)
        expectSound(response)
        const after = (await tenant.get(path)).body
        expect(after).toEqual(response.status === 200 ? response.body : before)
        if (response.status === 200) expect(after.version).toBe(before.version + 1)
        before = after
      }),
      RUNS,
    )
    const { total_count: entries } = (await tenant.get(`${path}activity/`)).body
    expect(entries).toBeGreaterThanOrEqual(before.version)
  }, 30_000)
})
