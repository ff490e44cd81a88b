// Forms of a request to `/flags` and `/decide`.
import { beforeAll, describe, expect, it } from 'vitest'
import { seen } from '../support/responses'
import { open, property, where } from '../support/filters'
import { createTenant, type Tenant } from '../support/tenant'
import { ask, valuesOf } from './flags-support'
import { ADA, BY_EMAIL, createShop, ENVELOPE } from './shop'

describe('the form of a request', () => {
  let shared: Tenant
  beforeAll(async () => {
    shared = await createTenant()
  })

  it('may use the field names of any SDK', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'beta', filters: BY_EMAIL })
    await tenant.flag({ key: 'other', filters: open() })
    const { projectToken } = tenant
    const properties = ADA.person_properties
    for (const body of [
      { token: projectToken, distinct_id: 'ada', person_properties: properties, flag_keys: ['beta'] },
      {
        api_key: projectToken,
        $distinct_id: 'ada',
        $properties: properties,
        flag_keys_to_evaluate: ['beta'],
      },
      { $token: projectToken, distinct_id: 'ada', person_properties: properties, flag_keys: ['beta'] },
      {
        token: null,
        api_key: projectToken,
        distinct_id: 7,
        person_properties: properties,
        flag_keys: ['beta'],
      },
    ]) {
      const response = await tenant.send('POST', '/flags/?v=2', { body })
      expect({ status: response.status, values: valuesOf(response) }).toEqual({
        status: 200,
        values: { beta: true },
      })
    }
  })

  it('may use the group fields of any SDK', async () => {
    const tenant = await createTenant()
    await tenant.send('POST', '/batch/', {
      body: {
        api_key: tenant.projectToken,
        batch: [
          {
            event: '$groupidentify',
            distinct_id: 'ada',
            properties: { $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'free' } },
          },
        ],
      },
    })
    const filters = {
      aggregation_group_type_index: 0,
      ...where(property({ key: 'plan', type: 'group', group_type_index: 0, value: 'paid' })),
    }
    await tenant.flag({ key: 'paid', filters })
    for (const body of [
      { groups: { company: 'acme' }, group_properties: { company: { plan: 'paid' } } },
      { $groups: { company: 'acme' }, $group_properties: { company: { plan: 'paid' } } },
    ]) {
      expect(valuesOf(await ask(tenant, body))).toEqual({ paid: true })
    }
    expect(valuesOf(await ask(tenant, { groups: { company: 'acme' } }))).toEqual({ paid: false })
    expect((await ask(tenant)).body.flags.paid.reason.code).toBe('no_group_type')
  })

  it.each([
    ['person_properties', 'ada', 'person_properties', 'Expected an object, got text.'],
    [
      'person_properties',
      [{ email: 'ada@example.com' }],
      'person_properties',
      'Expected an object, got a list.',
    ],
    ['$properties', 7, '$properties', 'Expected an object, got an integer.'],
    ['groups', 'acme', 'groups', 'Expected an object, got text.'],
    ['groups', ['acme'], 'groups', 'Expected an object, got a list.'],
    ['$groups', true, '$groups', 'Expected an object, got a boolean.'],
    [
      'groups',
      { company: { key: 'acme' } },
      'groups__company',
      "The key of the group 'company' must be text or a number.",
    ],
    [
      'groups',
      { company: ['acme'] },
      'groups__company',
      "The key of the group 'company' must be text or a number.",
    ],
    [
      'groups',
      { company: true },
      'groups__company',
      "The key of the group 'company' must be text or a number.",
    ],
    ['group_properties', 'paid', 'group_properties', 'Expected an object, got text.'],
    ['group_properties', { company: 'paid' }, 'group_properties__company', 'Expected an object, got text.'],
    [
      '$group_properties',
      { company: ['paid'] },
      '$group_properties__company',
      'Expected an object, got a list.',
    ],
    ['flag_keys', 'beta', 'flag_keys', 'Expected a list of texts, got text.'],
    ['flag_keys_to_evaluate', ['beta', 7], 'flag_keys_to_evaluate__1', 'Expected text, got an integer.'],
    ['evaluation_contexts', 'web', 'evaluation_contexts', 'Expected a list of texts, got text.'],
    ['evaluation_environments', [null], 'evaluation_environments__0', 'Expected text, got null.'],
  ])('is rejected with %s %j, which would count as none', async (field, value, attr, detail) => {
    expect(seen(await ask(shared, { [field]: value }))).toEqual({
      status: 400,
      body: { type: 'validation_error', code: 'invalid_input', detail, attr },
    })
  })

  it('may have null and the empty list of PHP for an empty object, and numbers and null as keys of groups', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'all', filters: open() })
    for (const empty of [null, [], {}]) {
      const body = { person_properties: empty, groups: empty, group_properties: empty, flag_keys: null }
      expect(valuesOf(await ask(tenant, body))).toEqual({ all: true })
    }
    const body = { groups: { company: 7, team: null }, group_properties: { company: [], team: null } }
    expect(valuesOf(await ask(tenant, body))).toEqual({ all: true })
  })

  it('may be gzip or base64', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'beta', filters: BY_EMAIL })
    const text = JSON.stringify({ token: tenant.projectToken, distinct_id: 'ada', ...ADA })
    const gzip = new Uint8Array(
      await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
    )
    const base64 = `data=${encodeURIComponent(Buffer.from(text).toString('base64'))}`
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    for (const [query, raw, headers] of [
      ['', gzip, { 'Content-Encoding': 'gzip' }],
      ['&compression=gzip-js', gzip, { 'Content-Type': 'text/plain' }],
      ['&compression=base64', base64, form],
      ['', text, { 'Content-Type': 'text/plain' }],
    ] as const) {
      const response = await tenant.send('POST', `/flags/?v=2${query}`, { raw, headers: { ...headers } })
      expect(valuesOf(response)).toEqual({ beta: true })
    }
  })

  it('may hold NaN and Infinity, which count as null', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'rich', filters: where(property({ key: 'money', operator: 'is_set' })) })
    const raw = `{"token": "${tenant.projectToken}", "distinct_id": "NaN", "person_properties": {"money": -Infinity}}`
    expect(valuesOf(await tenant.send('POST', '/flags/?v=2', { raw }))).toEqual({ rich: true })
  })

  it('may have a number, the empty string or more than 200 characters as distinct id', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'half', filters: { groups: [{ properties: [], rollout_percentage: 50 }] } })
    await tenant.flag({ key: 'none', filters: { groups: [{ properties: [], rollout_percentage: 0 }] } })
    const half = async (distinct_id: unknown) => valuesOf(await ask(tenant, { distinct_id })).half
    for (const [id, text] of [
      [8675309, '8675309'],
      [123.45, '123.45'],
      [`${'💚'.repeat(200)}tail`, '💚'.repeat(200)],
    ] as const) {
      expect(await half(id)).toBe(await half(text))
    }
    // Nobody in particular draws 0: in every rollout, even that of 0%.
    expect(valuesOf(await ask(tenant, { distinct_id: '' }))).toEqual({ half: true, none: true })
  })
})

describe('a rejected request', () => {
  const missing = { type: 'authentication_error', code: 'missing_api_key', attr: 'api_key' }
  const badBody = { type: 'invalid_request', code: 'parse_error', attr: null }

  it.each([
    ['a token that is not known', { token: 'phc_nobody' }, 401, { ...missing, code: 'invalid_api_key' }],
    ['no token', { token: undefined }, 401, missing],
    ['a token that is none', { token: 7 }, 401, missing],
    [
      'no distinct id',
      { distinct_id: undefined },
      400,
      { type: 'validation_error', code: 'required', attr: 'distinct_id' },
    ],
    [
      'a distinct id that is none',
      { distinct_id: { id: 'ada' } },
      400,
      { type: 'validation_error', code: 'invalid_input', attr: 'distinct_id' },
    ],
  ])('has %s', async (_, body, status, error) => {
    const response = await ask(await createTenant(), body)
    expect(seen(response)).toEqual({ status, body: { ...error, detail: expect.any(String) } })
  })

  it.each([
    ['distinct_id', true, 'Expected text or a number, got a boolean.'],
    ['$distinct_id', ['ada'], 'Expected text or a number, got a list.'],
    ['device_id', { id: 'phone' }, 'Expected text or a number, got an object.'],
    ['$device_id', false, 'Expected text or a number, got a boolean.'],
    ['anon_distinct_id', ['anon'], 'Expected text or a number, got a list.'],
    ['$anon_distinct_id', true, 'Expected text or a number, got a boolean.'],
    ['disable_flags', 'maybe', 'Must be a valid boolean, got "maybe".'],
    ['geoip_disable', 2, 'Must be a valid boolean, got 2.'],
    ['disable_geoip', [], 'Must be a valid boolean, got [].'],
  ])('has %s %j', async (attr, value, detail) => {
    const tenant = await createTenant()
    const body = {
      token: tenant.projectToken,
      ...(attr === '$distinct_id' ? {} : { distinct_id: 'ada' }),
      [attr]: value,
    }
    for (const path of ['/flags/?v=2', '/decide/?v=3'])
      expect(seen(await tenant.send('POST', path, { body }))).toEqual({
        status: 400,
        body: { type: 'validation_error', code: 'invalid_input', detail, attr },
      })
  })

  it.each(['{', '', 'data=%%%', 'plain words', '{"token": ', 'null', '7'])('has the body %j', async (raw) => {
    const response = await (await createTenant()).send('POST', '/flags/?v=2', { raw })
    expect(seen(response)).toEqual({ status: 400, body: { ...badBody, detail: expect.any(String) } })
  })

  it.each(['[]', '"ada"'])('has the body %j, which is not an object', async (raw) => {
    const response = await (await createTenant()).send('POST', '/flags/?v=2', { raw })
    expect(seen(response)).toEqual({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'Invalid data. Expected an object.',
        attr: null,
      },
    })
  })
})

describe('other methods', () => {
  it('get no flags with GET, and no body with HEAD', async () => {
    const { tenant } = await createShop()
    const common = { errorsWhileComputingFlags: false, ...ENVELOPE(tenant) }
    expect(seen(await tenant.send('GET', '/flags/?v=2'))).toEqual({
      status: 200,
      body: { ...common, flags: {} },
    })
    expect(seen(await tenant.send('GET', '/decide/?v=3'))).toEqual({
      status: 200,
      body: { ...common, featureFlags: {}, featureFlagPayloads: {} },
    })
    expect(seen(await tenant.send('HEAD', '/flags/'))).toEqual({ status: 200, body: null })
  })

  it('are allowed to pages of any origin, which may read the response', async () => {
    const tenant = await createTenant()
    const headers = { Origin: 'https://shop.example' }
    const asked = await tenant.send('OPTIONS', '/flags/?v=2', {
      headers: { ...headers, 'Access-Control-Request-Headers': 'content-type' },
    })
    expect(seen(asked)).toEqual({ status: 204, body: null })
    expect(asked.headers.get('Access-Control-Allow-Methods')).toBe('GET, POST, OPTIONS')
    const response = await ask(tenant, {}, '/flags/?v=2', headers)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://shop.example')
    expect(response.headers.get('Access-Control-Expose-Headers')).toBe(
      'ETag, Preference-Applied, Retry-After, X-Request-Id, X-Stale-Seconds',
    )
    const refused = await ask(tenant, { token: 'phc_nobody' }, '/flags/?v=2', headers)
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('https://shop.example')
  })

  it('are rejected', async () => {
    const tenant = await createTenant()
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await tenant.send(method, '/flags/')).toMatchObject({
        status: 405,
        body: { code: 'method_not_allowed' },
      })
    }
  })
})
