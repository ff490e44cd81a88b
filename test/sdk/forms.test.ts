import LZString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { event, eventsOf } from '../support/capture'
import { seen } from '../support/responses'
import { createTenant, type Tenant } from '../support/tenant'

const OK = { status: 200, body: { status: 'Ok' } }

const through = async (bytes: Uint8Array | string, stream: CompressionStream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())

const gzip = (text: string | Uint8Array) => through(text, new CompressionStream('gzip'))
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')

const batchOf = (tenant: Tenant) => JSON.stringify({ api_key: tenant.projectToken, batch: [event('ada')] })

async function taken(tenant: Tenant, path: string, raw: BodyInit, headers: Record<string, string> = {}) {
  expect(seen(await tenant.send('POST', path, { raw, headers }))).toEqual(OK)
  return (await eventsOf(tenant)).map(({ event: name, distinctId }) => ({ name, distinctId }))
}

const ONE = [{ name: 'opened', distinctId: 'ada' }]

describe('the paths of capture', () => {
  for (const path of ['/batch', '/capture', '/e', '/i/v0/e']) {
    it(`are ${path} and ${path}/`, async () => {
      const tenant = await createTenant()
      await taken(tenant, path, batchOf(tenant))
      expect(await taken(tenant, `${path}/`, batchOf(tenant))).toEqual([...ONE, ...ONE])
    })
  }
})

describe('the forms of a capture request', () => {
  it('may be one event', async () => {
    const tenant = await createTenant()
    const raw = JSON.stringify({ api_key: tenant.projectToken, ...event('ada') })
    expect(await taken(tenant, '/capture/', raw)).toEqual(ONE)
  })

  it('may be a list of events, each with its token, as browsers send it', async () => {
    const tenant = await createTenant()
    const sent = { event: 'opened', properties: { token: tenant.projectToken, distinct_id: 'ada' } }
    expect(await taken(tenant, '/e/', JSON.stringify([sent]))).toEqual(ONE)
  })

  it('may carry the token as `token`, or in the address', async () => {
    const tenant = await createTenant()
    await taken(tenant, '/batch/', JSON.stringify({ token: tenant.projectToken, batch: [event('ada')] }))
    const path = `/batch/?token=${tenant.projectToken}`
    expect(await taken(tenant, path, JSON.stringify({ batch: [event('ada')] }))).toEqual([...ONE, ...ONE])
  })

  it('may be gzip, by its header', async () => {
    const tenant = await createTenant()
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' }
    expect(await taken(tenant, '/batch/', await gzip(batchOf(tenant)), headers)).toEqual(ONE)
  })

  it('may be gzip, by the address', async () => {
    const tenant = await createTenant()
    const path = '/e/?compression=gzip-js&ver=1.2'
    const headers = { 'Content-Type': 'text/plain' }
    expect(await taken(tenant, path, await gzip(batchOf(tenant)), headers)).toEqual(ONE)
  })

  it('may be gzip without a declaration', async () => {
    const tenant = await createTenant()
    expect(await taken(tenant, '/e/', await gzip(batchOf(tenant)))).toEqual(ONE)
  })

  it('may be declared as gzip after a proxy inflated it', async () => {
    const tenant = await createTenant()
    expect(await taken(tenant, '/e/?compression=gzip-js', batchOf(tenant))).toEqual(ONE)
  })

  it('may be base64 in a form, as beacons send it', async () => {
    const tenant = await createTenant()
    // Half of these lengths need `+` or `=`, which browsers escape and others do not.
    for (const [at, text] of ['é', 'éa', 'ƿaé>>?', '>>>???~~~'].entries()) {
      const json = JSON.stringify({ api_key: tenant.projectToken, ...event('ada', { text }) })
      const data = at % 2 ? base64(json) : encodeURIComponent(base64(json))
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      await taken(tenant, '/e/?compression=base64', `data=${data}`, headers)
    }
    expect((await eventsOf(tenant)).map(({ properties }) => properties.text)).toEqual([
      'é',
      'éa',
      'ƿaé>>?',
      '>>>???~~~',
    ])
  })

  it('may be a form in plain text', async () => {
    const tenant = await createTenant()
    const data = encodeURIComponent(base64(batchOf(tenant)))
    const headers = { 'Content-Type': 'text/plain' }
    expect(await taken(tenant, '/e/', `data=${data}&compression=base64`, headers)).toEqual(ONE)
  })

  it('may be JSON in a form', async () => {
    const tenant = await createTenant()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await taken(tenant, '/e/', `data=${encodeURIComponent(batchOf(tenant))}`, headers)).toEqual(ONE)
  })

  it('may be JSON declared as a form, as curl sends it', async () => {
    const tenant = await createTenant()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await taken(tenant, '/batch/', batchOf(tenant), headers)).toEqual(ONE)
  })

  it('may be base64 of gzip', async () => {
    const tenant = await createTenant()
    expect(await taken(tenant, '/e/', base64(await gzip(batchOf(tenant))))).toEqual(ONE)
  })

  it.each(['lz64', 'lz-string'])('may be %s in a form, a body or a header', async (compression) => {
    const tenant = await createTenant()
    const data = LZString.compressToBase64(batchOf(tenant))
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    await taken(tenant, '/e/', `data=${encodeURIComponent(data)}&compression=${compression}`, form)
    await taken(tenant, `/e/?compression=${compression}`, `data=${data}`, form)
    await taken(tenant, `/e/?compression=${compression}`, data)
    const header = { 'Content-Encoding': compression }
    expect(await taken(tenant, '/e/', data, header)).toEqual([...ONE, ...ONE, ...ONE, ...ONE])
  })

  it('may be declared as lz64 and be JSON', async () => {
    const tenant = await createTenant()
    expect(await taken(tenant, '/e/?compression=lz64', batchOf(tenant))).toEqual(ONE)
  })

  it.each(['/e', '/capture/', '/i/v0/e/'])('may be the address of a pixel: GET %s', async (path) => {
    const tenant = await createTenant()
    const sent = [
      `?data=${encodeURIComponent(batchOf(tenant))}`,
      `?data=${encodeURIComponent(base64(batchOf(tenant)))}&ip=1&_=1770000000000`,
      `?data=${base64(await gzip(batchOf(tenant)))}&compression=gzip-js`,
      `?data=${LZString.compressToBase64(batchOf(tenant))}&compression=lz64`,
    ]
    for (const query of sent) expect(seen(await tenant.send('GET', `${path}${query}`))).toEqual(OK)
    expect(await eventsOf(tenant)).toHaveLength(sent.length)
  })

  it('may have NaN and Infinity', async () => {
    const tenant = await createTenant()
    const raw = `{"api_key": "${tenant.projectToken}", "event": "opened", "distinct_id": "ada",
      "properties": {"a": NaN, "b": -Infinity, "c": "NaN \\" Infinity", "d": [Infinity]}}`
    await taken(tenant, '/e/', raw)
    expect((await eventsOf(tenant))[0]!.properties).toEqual({
      a: null,
      b: null,
      c: 'NaN " Infinity',
      d: [null],
    })
  })
})

describe('a capture request that cannot be read', () => {
  const refusal = async (raw: BodyInit | undefined, path = '/e/', headers: Record<string, string> = {}) => {
    const tenant = await createTenant()
    const { status, body } = await tenant.send('POST', path, {
      ...(raw === undefined ? {} : { raw }),
      headers,
    })
    return { status, code: body.code, detail: body.detail }
  }
  const malformed = (reason: unknown) => ({ status: 400, code: 'parse_error', detail: reason })

  it('is empty', async () => {
    expect(await refusal(undefined)).toEqual(malformed('JSON parse error - the body is empty'))
  })

  it('is not JSON', async () => {
    expect(await refusal('{"event": ')).toEqual(malformed(expect.stringContaining('JSON parse error')))
    expect(await refusal('{"event": NaN')).toEqual(malformed(expect.stringContaining('JSON parse error')))
  })

  it('is not UTF-8', async () => {
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d])
    expect(await refusal(bytes)).toEqual(malformed('JSON parse error - the body is not valid UTF-8'))
  })

  it('is broken gzip', async () => {
    const whole = await gzip('{"event": "opened"}')
    const broken = whole.slice(0, 20)
    expect(await refusal(broken)).toEqual(malformed('JSON parse error - the body is not valid gzip'))
  })

  it('is nested without end', async () => {
    const deep = `{"event":${'['.repeat(200)}${']'.repeat(200)}}`
    expect(await refusal(deep)).toEqual(malformed('JSON parse error - nested deeper than 128 levels'))
  })

  it('is neither an event nor a list', async () => {
    expect(await refusal('"opened"')).toMatchObject({ status: 400, code: 'invalid_input' })
  })

  it('is broken lz64', async () => {
    expect(await refusal('N4Ig', '/e/?compression=lz64')).toMatchObject({
      status: 400,
      detail: 'JSON parse error - the body is not valid lz-string',
    })
  })

  it('has an unknown compression', async () => {
    expect(await refusal('x', '/e/?compression=deflate')).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    })
    expect(await refusal('x', '/e/', { 'Content-Encoding': 'br' })).toMatchObject({ status: 415 })
  })

  it('is over 20 MiB', async () => {
    const { projectToken } = await createTenant()
    const path = `/e/?token=${projectToken}`
    expect(await refusal('x'.repeat(20 * 1024 * 1024 + 1), path)).toEqual({
      status: 413,
      code: 'request_too_large',
      detail: 'Request body exceeds the maximum of 20971520 bytes.',
    })
  })

  it('is over 20 MiB once inflated, however small it came', async () => {
    const bomb = await gzip(new Uint8Array(64 * 1024 * 1024))
    expect(bomb.byteLength).toBeLessThan(100_000)
    expect(await refusal(bomb)).toMatchObject({ status: 413, code: 'request_too_large' })
  })
})

describe('the token of a capture request', () => {
  it('is required', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.send('POST', '/batch/', { body: { batch: [event('ada')] } }))).toEqual({
      status: 401,
      body: {
        type: 'authentication_error',
        code: 'missing_api_key',
        detail: 'Project API token not provided. Send it as `api_key` or `token`.',
        attr: 'api_key',
      },
    })
  })

  it('is one for all events, unless the batch has its own', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const of = ({ projectToken: token }: Tenant) => ({ ...event('ada'), properties: { token } })
    for (const [path, body, index] of [
      ['/e/', [of(tenant), of(tenant), of(other)], 2],
      ['/batch/', { batch: [event('ada'), of(tenant), of(other)] }, 2],
      [`/e/?token=${tenant.projectToken}`, [of(other)], 0],
    ] as const) {
      expect(seen(await tenant.send('POST', path, { body }))).toEqual({
        status: 401,
        body: {
          type: 'authentication_error',
          code: 'inconsistent_api_key',
          detail: `Batch submitted with inconsistent api_key values: the token of event ${index} is another one than that of the address or of the events before it.`,
          attr: 'api_key',
        },
      })
    }
    const batch = JSON.stringify({ api_key: tenant.projectToken, batch: [of(other)] })
    expect(await taken(tenant, '/batch/', batch)).toEqual(ONE)
    expect(await eventsOf(other)).toEqual([])
  })

  it('is not a personal API key, which no error repeats', async () => {
    const tenant = await createTenant()
    const detail = `"phx_...${tenant.key.slice(-4)}" is a personal API key, not a project API token. Send the public token of the project (phc_…).`
    const body = { type: 'authentication_error', code: 'invalid_personal_api_key', detail, attr: 'api_key' }
    const { key } = tenant
    const json = { 'Content-Type': 'application/json' }
    const large = `"pad": "${'x'.repeat(100_000)}"`
    for (const [method, path, init] of [
      ['POST', '/batch/', { body: { api_key: key, batch: [event('ada')] } }],
      ['POST', '/e/', { body: { ...event('ada'), properties: { token: key } } }],
      ['POST', `/e/?token=${key}`, { body: event('ada') }],
      ['POST', '/flags/?v=2', { body: { token: ` ${key} `, distinct_id: 'ada' } }],
      ['POST', '/flags/?v=2', { raw: `{"token": "${key}", "distinct_id": "ada", ${large}}`, headers: json }],
      ['POST', '/decide/?v=3', { body: { api_key: `Bearer ${key}`, distinct_id: 'ada' } }],
      ['GET', `/array/${key}/config`, {}],
      ['GET', `/array/${key}/config.js`, {}],
      [
        'GET',
        `/api/feature_flag/local_evaluation/?token=${key}`,
        { headers: { Authorization: `Bearer ${key}` } },
      ],
      [
        'POST',
        '/i/v1/analytics/events/',
        { body: { batch: [] }, headers: { Authorization: `Bearer ${key}` } },
      ],
      ['POST', '/ofrep/v1/evaluate/flags', { body: { context: {} }, headers: { 'X-API-Key': key } }],
      ['GET', `/flags/stream/?token=${key}`, {}],
    ] as const) {
      expect([path, seen(await tenant.send(method, path, init))]).toEqual([path, { status: 401, body }])
    }
    const short = await tenant.send('POST', '/flags/', { body: { token: 'phx_short', distinct_id: 'ada' } })
    expect(short.body.detail).toMatch(/^"phx_..." is a personal API key/)
    const long = await tenant.send('POST', '/flags/', {
      body: { token: `phx_${'x'.repeat(999)}`, distinct_id: 'a' },
    })
    expect(long.text).not.toContain('xxxxx')
  })

  it('must be known', async () => {
    const tenant = await createTenant()
    const body = { api_key: 'phc_nobody', batch: [event('ada')] }
    expect(seen(await tenant.send('POST', '/batch/', { body }))).toEqual({
      status: 401,
      body: {
        type: 'authentication_error',
        code: 'invalid_api_key',
        detail: 'Project API token "phc_nobody" is not known.',
        attr: 'api_key',
      },
    })
    expect(
      await tenant.send('POST', '/batch/', { body: { ...body, api_key: 'x'.repeat(5000) } }),
    ).toMatchObject({
      status: 401,
    })
  })

  it('is not a personal API key', async () => {
    const tenant = await createTenant()
    const body = { api_key: tenant.key, batch: [event('ada')] }
    expect(await tenant.send('POST', '/batch/', { body })).toMatchObject({ status: 401 })
  })

  it('is queried once a minute', async () => {
    const tenant = await createTenant()
    const body = { api_key: tenant.projectToken, batch: [event('ada')] }
    const cost = async () => (await tenant.send('POST', '/batch/', { body })).line.d1_round_trips
    expect([await cost(), await cost()]).toEqual([3, 1])
    tenant.clock.advance({ seconds: 61 })
    expect(await cost()).toBe(2)
  })

  it('logs the project and the route, without the token', async () => {
    const tenant = await createTenant()
    const body = { api_key: tenant.projectToken, batch: [event('ada')] }
    const { line } = await tenant.send('POST', '/e/?secret=1', { body })
    expect(line).toMatchObject({
      route: '/batch/',
      status: 200,
      project_id: tenant.projectId,
      actor: 'anonymous',
    })
  })
})
