// What no operation may get wrong about the request around its caller: bodies, methods, slashes.
import { afterEach, describe, expect, it } from 'vitest'
import { canSucceed, type Operation } from '../../src/http/operation'
import { openApi } from '../support/generated'
import { seen } from '../support/responses'
import { call, expectDone, fill, firstStatus, operations, withBody } from './call'
import { sampleOf } from './samples'
import { refusingTargetOf, targetOf } from './targets'
import { watch } from './watch'

const watched = watch()
afterEach(() => watched.check())

/** The last slash of a path goes; a query behind it stays. */
const withoutSlash = (path: string) => path.replace(/\/(?=\?|$)/, '')

const withParameter = (path: string, parameter: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${parameter}`

interface Refused {
  status: number
  body: { type: string; code: string; detail: unknown; attr: null }
}

const invalid = (detail: string) => ({
  status: 400,
  body: { type: 'validation_error', code: 'invalid_input', detail, attr: null },
})
const malformed = (detail: unknown) => ({
  status: 400,
  body: { type: 'invalid_request', code: 'parse_error', detail, attr: null },
})
const notADictionary = (got: string) => invalid(`Invalid data. Expected an object, but got ${got}.`)
const unsupported = (type: string) => ({
  status: 415,
  body: {
    type: 'invalid_request',
    code: 'unsupported_media_type',
    detail: `Unsupported media type "${type}" in request. Send Content-Type: application/json.`,
    attr: null,
  },
})
const MIB = 1024 * 1024
const TOO_LARGE = {
  status: 413,
  body: {
    type: 'invalid_request',
    code: 'request_too_large',
    detail: 'Request body exceeds the maximum of 1048576 bytes.',
    attr: null,
  },
}

/** The bytes that a body may have. */
const limitOf = ({ bodySize }: Operation): number => bodySize?.maxBytes ?? MIB
const JSON_TYPE = { 'Content-Type': 'application/json' }
const parseError = expect.stringMatching(/^JSON parse error - /)
const streamOf = (bytes: number) =>
  new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < bytes; sent += 65_536) controller.enqueue(new Uint8Array(65_536).fill(32))
      controller.close()
    },
  })

const REFUSED: [
  what: string,
  raw: (limit: number) => BodyInit,
  headers: Record<string, string>,
  answer: Refused,
][] = [
  ['malformed JSON', () => '{"name": ', JSON_TYPE, malformed(parseError)],
  ['two documents', () => '{}{}', JSON_TYPE, malformed(parseError)],
  ['single quotes', () => "{'name': 1}", JSON_TYPE, malformed(parseError)],
  ['NaN', () => '{"name": NaN}', JSON_TYPE, malformed(parseError)],
  [
    'bytes that are no UTF-8',
    () => new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    JSON_TYPE,
    malformed('JSON parse error - the body is not valid UTF-8'),
  ],
  [
    '200 levels of arrays',
    () => `{"filters": ${'['.repeat(200)}${']'.repeat(200)}}`,
    JSON_TYPE,
    malformed('JSON parse error - nested deeper than 64 levels'),
  ],
  [
    '200,000 levels that never end',
    () => '{"a":'.repeat(200_000),
    JSON_TYPE,
    malformed('JSON parse error - nested deeper than 64 levels'),
  ],
  ['an array', () => '[]', JSON_TYPE, notADictionary('a list')],
  ['null', () => 'null', JSON_TYPE, notADictionary('null')],
  ['text', () => '"name"', JSON_TYPE, notADictionary('text')],
  ['a number', () => '1', JSON_TYPE, notADictionary('an integer')],
  [
    'a form',
    () => 'name=x',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    unsupported('application/x-www-form-urlencoded'),
  ],
  ['text/plain', () => '{}', { 'Content-Type': 'text/plain;charset=UTF-8' }, unsupported('text/plain')],
  [
    'a type that merely holds json',
    () => '{}',
    { 'Content-Type': 'text/application/json' },
    unsupported('text/application/json'),
  ],
  ['no type', () => new TextEncoder().encode('{}'), {}, unsupported('')],
  ['over the limit', (limit) => JSON.stringify({ name: 'x'.repeat(limit) }), JSON_TYPE, TOO_LARGE],
  ['over the limit in white space', (limit) => ' '.repeat(limit + 1), JSON_TYPE, TOO_LARGE],
  ['over the limit without a length', (limit) => streamOf(limit + MIB), JSON_TYPE, TOO_LARGE],
]

const ONE_OF_EACH_STATUS = [...Map.groupBy(REFUSED, ([, , , { status }]) => status).values()].map(
  ([first]) => first!,
)

/** As an operation says it that wants another body than the envelope. What cannot be read needs no telling that it cannot. */
function asRefusedBy(operation: Operation, { status, body: usual }: Refused) {
  const body =
    status === 413
      ? { ...usual, detail: `Request body exceeds the maximum of ${limitOf(operation)} bytes.` }
      : usual
  switch (operation.errorForm) {
    case 'error':
      return { status, body: status === 400 ? { error: body.detail } : body }
    case 'parse error':
      return body.type === 'validation_error'
        ? malformed(`JSON parse error - ${body.detail}`)
        : { status, body }
    case undefined:
      return { status, body }
  }
}

/** Where what is no object counts as a body that holds nothing, it is read, and rejected only for what it lacks. */
const takesAnything = ({ body }: Operation) => body!.safeParse([]).error?.issues[0]!.path.length !== 0

/** What every operation rejects, but those that read anything do not reject for not being a dictionary. */
const refusedBy = (operation: Operation) =>
  REFUSED.filter(([, , , { body }]) => !takesAnything(operation) || body.type !== 'validation_error')

describe.each(withBody)('$id: body', (operation) => {
  const refusing = refusingTargetOf(watched, operation)

  it('is rejected when it is malformed, of another type or too large, and changes nothing', async () => {
    const { tenant, params, expectUnchanged } = await refusing()
    for (const [what, raw, headers, expected] of refusedBy(operation)) {
      const response = await call(tenant, operation, { params, raw: raw(limitOf(operation)), headers })
      expect(seen(response), what).toEqual(asRefusedBy(operation, expected))
    }
    await expectUnchanged()
  })

  it('authenticates before reading the body', async () => {
    const { tenant, params } = await refusing()
    const reader = await watched.holder(tenant, { scopes: ['none:read'] })
    for (const [, raw, headers] of ONE_OF_EACH_STATUS) {
      expect((await call(tenant, operation, { params, raw: raw(MIB), headers, key: null })).status).toBe(401)
      expect(
        (await call(reader, operation, { params, raw: raw(MIB), headers, key: reader.key })).status,
      ).toBe(403)
    }
  })
})

describe.each([...Map.groupBy(operations, ({ path }) => path)])('%s', (_, here) => {
  const allowed = here.map(({ method }) => method.toUpperCase())
  const [operation] = here
  const target = refusingTargetOf(watched, operation!)

  it('takes no other method', async () => {
    const { tenant, params, expectUnchanged } = await target()
    const path = fill(operation!, params)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (each) => !allowed.includes(each),
    )) {
      for (const at of [path, withoutSlash(path)]) {
        const response = await tenant.send(method, at, { headers: { Authorization: `Bearer ${tenant.key}` } })
        expect(seen(response)).toEqual({
          status: 405,
          body: {
            type: 'invalid_request',
            code: 'method_not_allowed',
            detail: `Method "${method}" not allowed.`,
            attr: null,
          },
        })
        expect(response.headers.get('Allow')?.split(', ').sort()).toEqual(allowed.toSorted())
        expect(response.line.route).toBe(operation!.path)
      }
    }
    await expectUnchanged()
  })
})

describe.each(operations)('$id: path and type', (operation) => {
  const target = targetOf(watched, operation)

  it('works without the last slash of the path, with any type of JSON, in any case, and may ask for JSON', async () => {
    expect(operation.path).toMatch(/\/$/)
    const { tenant, params } = await target()
    const headers: Record<string, string> = operation.body
      ? { 'Content-Type': 'Application/VND.api+JSON; charset=utf-8' }
      : {}
    const short = withoutSlash(fill(operation, params))
    const path = canSucceed(operation) ? withParameter(short, 'format=json') : short
    const response = await call(tenant, operation, { params, path, headers })
    expectDone(operation, response)
    expect(response.status).toBe(sampleOf(operation.id).answers ?? firstStatus(operation))
    expect(response.line.route).toBe(operation.path)
  })
})

describe.each(operations.filter(canSucceed))('$id: parameters', (operation) => {
  const refusing = refusingTargetOf(watched, operation)

  it('that it does not have are rejected, and change nothing', async () => {
    const { tenant, params, expectUnchanged } = await refusing()
    const path = fill(operation, params)
    const response = await call(tenant, operation, { params, path: withParameter(path, 'zzz_unknown=1') })
    const detail = expect.stringMatching(
      /(^|: )Unknown parameter: zzz_unknown\. (Known parameters: |There are no parameters\.)/,
    )
    expect(seen(response)).toEqual({
      status: 400,
      body:
        operation.errorForm === 'error'
          ? { error: detail }
          : { type: 'validation_error', code: 'unknown_field', detail, attr: 'zzz_unknown' },
    })
    // The sample of a read may begin with a write.
    if (operation.method !== 'get') await expectUnchanged()
  })
})

describe.each(operations.filter((each) => each.method !== 'get' && !each.body && canSucceed(each)))(
  '$id: body',
  (operation) => {
    const refusing = refusingTargetOf(watched, operation)
    const target = targetOf(watched, operation)

    it('is rejected, as nothing of it would be used', async () => {
      const { tenant, params, expectUnchanged } = await refusing()
      for (const [raw, attr] of [
        ['{"delete_events": true}', 'delete_events'],
        ['[1]', '0'],
        ['"all"', 'body'],
      ] as const) {
        expect(seen(await call(tenant, operation, { params, raw, headers: JSON_TYPE }))).toEqual({
          status: 400,
          body: {
            type: 'validation_error',
            code: 'unknown_field',
            detail: 'This operation takes no body.',
            attr,
          },
        })
      }
      await expectUnchanged()
    })

    it('may be an empty object', async () => {
      const { tenant, params } = await target()
      expectDone(operation, await call(tenant, operation, { params, raw: '{}', headers: JSON_TYPE }))
    })
  },
)

interface Documented {
  operationId: string
  requestBody?: { required: boolean }
}

const withOptionalBody = new Set(
  Object.values(openApi<{ paths: Record<string, Record<string, Documented>> }>().paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ requestBody }) => requestBody && !requestBody.required)
    .map(({ operationId }) => operationId),
)

const leavingItOut = operations.filter(({ id }) => withOptionalBody.has(id) && sampleOf(id).answers !== 400)

describe.each(leavingItOut)('$id: body', (operation) => {
  const target = targetOf(watched, operation)

  it('may be left out, as the document says', async () => {
    const { tenant, params } = await target()
    expect((await call(tenant, operation, { params, body: {} })).status).not.toBe(400)
  })
})

describe('a method that a page does not take', () => {
  it.each([
    ['/reset/:token', '/reset/a-secret'],
    ['/signup/:invite_id', '/signup/a-secret/'],
    ['/login', '/login'],
    ['/login/code', '/login/code'],
    ['/logout', '/logout'],
    ['/login/sso', '/login/sso'],
    ['/login/sso/test', '/login/sso/test'],
    ['/login/sso/callback', '/login/sso/callback'],
    ['/login/sso/link', '/login/sso/link'],
    ['/health', '/health'],
    ['/ready', '/ready'],
    ['/metrics', '/metrics'],
    ['/docs', '/docs'],
  ])('of %s is logged with the pattern alone', async (route, path) => {
    for (const method of ['DELETE', 'PUT', 'OPTIONS']) {
      const { status, line } = await watched.harness.send(method, path)
      expect([status, line.route, line.path]).toEqual([405, route, undefined])
    }
  })
})

describe('an unknown path', () => {
  it.each([
    ['/reset/a-secret/x', '/reset/…'],
    ['/api/signup/a-secret/x/', '/api/signup/…'],
    ['/api/organizations/1/invites/a-secret/x/', '/api/organizations/1/invites/…'],
    ['/api/phx_aSecret0/', '/api/…/'],
    ['/api/v1/%70hx_aSecret0/flags.json', '/api/v1/…/flags.json'],
    ['/api/PHX_ASECRET0/', '/api/…/'],
    ['/webhooks/whsec_aSecret0=/', '/webhooks/…/'],
    ['/..%2f..%2fetc/passwd', '/…/passwd'],
  ])('%s is logged without its secret', async (path, logged) => {
    const { line } = await watched.harness.send('GET', path)
    expect(line).toMatchObject({ route: null, path: logged })
  })

  it.each([
    '/api/',
    '/api/projects/1/x/',
    '/api/projects/1/feature_flags/1/x/',
    '/api//projects/1/feature_flags/',
  ])('%s is a 404 for every caller', async (path) => {
    const tenant = await watched.tenant()
    for (const headers of [{}, { Authorization: `Bearer ${tenant.key}` }] as Record<string, string>[]) {
      const response = await tenant.send('GET', path, { headers })
      expect(seen(response)).toEqual({
        status: 404,
        body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
      })
      expect(response.line).toMatchObject({ route: null, path: new URL(path, 'http://x').pathname })
    }
  })
})
