// Forms of the request and the answer of `/flags` and `/decide` (reference/flags-evaluation.md §8.1–8.4, §8.6).
import { describe, expect, it } from 'vitest'
import { seen } from '../support/answers'
import { open, property, variants, where } from '../support/filters'
import { configureProject } from '../support/rows'
import { createTenant, type Tenant } from '../support/tenant'
import { ask, publishSilently, valuesOf } from './flags-support'

const BY_EMAIL = {
  ...where(property({ operator: 'icontains', value: '@example.com' })),
  payloads: { true: { color: 'blue' } },
}
const ADA = { person_properties: { email: 'ada@example.com' } }
const ENVELOPE = (tenant: Tenant) => ({
  requestId: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  evaluatedAt: tenant.clock.now().getTime(),
})

/** A project with a flag that is on for ada, one with variants, one that is off for her, and one that nobody sees. */
async function createShop() {
  const tenant = await createTenant()
  const flags = {
    beta: await tenant.flag({ key: 'beta', filters: BY_EMAIL }),
    colour: await tenant.flag({
      key: 'colour',
      filters: variants({ red: 0, green: 100 }, { payloads: { green: '"#0f0"', red: '"#f00"' } }),
    }),
    staff: await tenant.flag({ key: 'staff', filters: where(property({ value: 'boss@example.com' })) }),
  }
  await tenant.flag({ key: 'off', active: false, filters: open() })
  return { tenant, flags }
}

const DETAILED = (flags: Awaited<ReturnType<typeof createShop>>['flags']) => ({
  beta: {
    key: 'beta',
    enabled: true,
    variant: null,
    reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
    metadata: {
      id: flags.beta.id,
      version: 1,
      description: null,
      payload: '{"color":"blue"}',
      has_experiment: false,
    },
  },
  colour: {
    key: 'colour',
    enabled: true,
    variant: 'green',
    reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
    metadata: {
      id: flags.colour.id,
      version: 1,
      description: null,
      payload: '"#0f0"',
      has_experiment: false,
    },
  },
  staff: {
    key: 'staff',
    enabled: false,
    variant: null,
    reason: {
      code: 'no_condition_match',
      condition_index: 0,
      description: 'No matching condition set',
    },
    metadata: { id: flags.staff.id, version: 1, description: null, payload: null, has_experiment: false },
  },
})

const VALUES = { beta: true, colour: 'green', staff: false }
const PAYLOADS = { beta: '{"color":"blue"}', colour: '"#0f0"' }
const CONFIG = { supportedCompression: ['gzip', 'gzip-js'], sessionRecording: false, hasFeatureFlags: true }

describe('the shape of an answer', () => {
  it.each([
    '/flags/?v=2',
    '/flags?v=2',
    '/flags/?v=3',
    '/flags/?v=10&config=false',
    '/decide/?v=4',
    '/decide?v=5',
  ])('has a record of every flag: %s', async (path) => {
    const { tenant, flags } = await createShop()
    const answer = await ask(tenant, ADA, path)
    expect(seen(answer)).toEqual({
      status: 200,
      body: { errorsWhileComputingFlags: false, flags: DETAILED(flags), ...ENVELOPE(tenant) },
    })
  })

  it.each([
    '/flags/?v=1',
    '/flags/?v=0',
    '/flags/?v=',
    '/flags/?v=two',
    '/flags/?v=2.5',
    '/flags/?v=-2',
    '/flags/?config=0',
    '/decide/?v=3',
  ])('has maps of values and payloads: %s', async (path) => {
    const { tenant } = await createShop()
    expect(seen(await ask(tenant, ADA, path))).toEqual({
      status: 200,
      body: {
        errorsWhileComputingFlags: false,
        featureFlags: VALUES,
        featureFlagPayloads: PAYLOADS,
        ...ENVELOPE(tenant),
      },
    })
  })

  it('has only what is on, in the eldest versions', async () => {
    const { tenant } = await createShop()
    const common = { errorsWhileComputingFlags: false, ...ENVELOPE(tenant) }
    expect((await ask(tenant, ADA, '/decide/?v=2')).body).toEqual({
      ...common,
      featureFlags: { beta: true, colour: 'green' },
    })
    for (const path of ['/decide/', '/decide', '/decide/?v=1', '/decide/?v=nonsense']) {
      expect((await ask(tenant, ADA, path)).body).toEqual({ ...common, featureFlags: ['beta', 'colour'] })
    }
  })

  it('has the configuration when that is asked for, or nothing is said at all', async () => {
    const { tenant, flags } = await createShop()
    for (const path of [
      '/flags/',
      '/flags',
      '/flags/?v=2&config=true',
      '/flags/?v=2&config',
      '/flags/?v=2&config=1',
    ]) {
      const { body } = await ask(tenant, ADA, path)
      expect(body).toMatchObject({ flags: DETAILED(flags), ...CONFIG })
    }
    expect((await ask(tenant, ADA, '/flags/?config=true')).body).toMatchObject({
      featureFlags: VALUES,
      ...CONFIG,
    })
    for (const no of ['false', '0', 'no', 'OFF']) {
      expect((await ask(tenant, ADA, `/flags/?v=2&config=${no}`)).body).not.toHaveProperty(
        'supportedCompression',
      )
    }
  })

  it('is empty when flags are disabled, in every version', async () => {
    const { tenant } = await createShop()
    const common = { errorsWhileComputingFlags: false, ...ENVELOPE(tenant) }
    for (const [path, empty] of [
      ['/flags/?v=2', { flags: {} }],
      ['/flags/?v=1', { featureFlags: {}, featureFlagPayloads: {} }],
      ['/decide/?v=2', { featureFlags: {} }],
      ['/decide/', { featureFlags: [] }],
    ] as const) {
      expect((await ask(tenant, { disable_flags: true }, path)).body).toEqual({ ...common, ...empty })
      expect((await ask(tenant, { disable_flags: false }, path)).body).not.toEqual({ ...common, ...empty })
    }
  })

  it('is empty and says why when the quota is used up, and full again afterwards', async () => {
    const { tenant } = await createShop()
    await configureProject(tenant, { quotaLimited: ['feature_flags'] })
    await publishSilently(tenant)
    const quotaLimited = ['feature_flags']
    expect((await ask(tenant, ADA)).body).toEqual({
      errorsWhileComputingFlags: false,
      flags: {},
      quotaLimited,
      ...ENVELOPE(tenant),
    })
    expect((await ask(tenant, ADA, '/decide/?v=3')).body).toMatchObject({ featureFlags: {}, quotaLimited })
    await configureProject(tenant, { quotaLimited: ['events'] })
    await publishSilently(tenant)
    expect(valuesOf(await ask(tenant, ADA))).toEqual(VALUES)
  })

  it('is empty for a project without flags', async () => {
    const tenant = await createTenant()
    expect(await ask(tenant)).toMatchObject({
      status: 200,
      body: { flags: {}, errorsWhileComputingFlags: false },
    })
  })

  it('carries the id of the request, when that is a UUID', async () => {
    const tenant = await createTenant()
    const id = '01961234-5678-7ABC-8def-0123456789ab'
    expect((await ask(tenant, {}, '/flags/?v=2', { 'X-Request-Id': id })).body.requestId).toBe(id)
    const other = await ask(tenant, {}, '/flags/?v=2', { 'X-Request-Id': 'mine' })
    expect(other.body.requestId).toBe(other.line.request_id)
    expect(other.headers.get('X-Request-Id')).toBe(other.line.request_id)
  })
})

describe('the form of a request', () => {
  it('may name its fields as any SDK does', async () => {
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
      const answer = await tenant.send('POST', '/flags/?v=2', { body })
      expect({ status: answer.status, values: valuesOf(answer) }).toEqual({
        status: 200,
        values: { beta: true },
      })
    }
  })

  it('may name groups as any SDK does', async () => {
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
      const answer = await tenant.send('POST', `/flags/?v=2${query}`, { raw, headers: { ...headers } })
      expect(valuesOf(answer)).toEqual({ beta: true })
    }
  })

  it('may hold NaN and Infinity, which count as null', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'rich', filters: where(property({ key: 'money', operator: 'is_set' })) })
    const raw = `{"token": "${tenant.projectToken}", "distinct_id": "NaN", "person_properties": {"money": -Infinity}}`
    expect(valuesOf(await tenant.send('POST', '/flags/?v=2', { raw }))).toEqual({ rich: true })
  })

  it('may name anybody: a number, nobody, and somebody of more than 200 characters', async () => {
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

describe('a request that is refused', () => {
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
      { type: 'validation_error', code: 'required', attr: 'distinct_id' },
    ],
  ])('has %s', async (_, body, status, error) => {
    const answer = await ask(await createTenant(), body)
    expect(seen(answer)).toEqual({ status, body: { ...error, detail: expect.any(String) } })
  })

  it.each(['{', '', 'data=%%%', 'plain words', '{"token": ', 'null', '7'])('has the body %j', async (raw) => {
    const answer = await (await createTenant()).send('POST', '/flags/?v=2', { raw })
    expect(seen(answer)).toEqual({ status: 400, body: { ...badBody, detail: expect.any(String) } })
  })

  it.each(['[]', '"ada"'])('has the body %j, which is no object', async (raw) => {
    const answer = await (await createTenant()).send('POST', '/flags/?v=2', { raw })
    expect(seen(answer)).toEqual({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'Invalid data. Expected a dictionary.',
        attr: null,
      },
    })
  })
})

describe('other methods', () => {
  it('get an empty answer with GET, and none with HEAD', async () => {
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

  it('are announced to pages of any origin, which may read the answer', async () => {
    const tenant = await createTenant()
    const headers = { Origin: 'https://shop.example' }
    const asked = await tenant.send('OPTIONS', '/flags/?v=2', {
      headers: { ...headers, 'Access-Control-Request-Headers': 'content-type' },
    })
    expect(seen(asked)).toEqual({ status: 204, body: null })
    expect(asked.headers.get('Access-Control-Allow-Methods')).toBe('GET, POST, OPTIONS')
    const answer = await ask(tenant, {}, '/flags/?v=2', headers)
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('https://shop.example')
    expect(answer.headers.get('Access-Control-Expose-Headers')).toBe('ETag, Retry-After, X-Request-Id')
    const refused = await ask(tenant, { token: 'phc_nobody' }, '/flags/?v=2', headers)
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('https://shop.example')
  })

  it('are refused', async () => {
    const tenant = await createTenant()
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await tenant.send(method, '/flags/')).toMatchObject({
        status: 405,
        body: { code: 'method_not_allowed' },
      })
    }
  })
})

describe('GET /array/:token/config', () => {
  it('tells browsers what to leave alone, for five minutes', async () => {
    const tenant = await createTenant()
    const answer = await tenant.send('GET', `/array/${tenant.projectToken}/config`)
    expect(answer).toMatchObject({ status: 200, body: { ...CONFIG, surveys: false, siteApps: [] } })
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(await tenant.send('GET', '/array/phc_nobody/config')).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    })
  })
})
