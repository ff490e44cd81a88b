// What the fuzz found, each as the smallest request that showed it: the whole response, and that the document declares it.
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../support/harness'
import { createTenant, type Tenant } from '../../support/tenant'
import { createMember, login } from '../../support/user'
import { giveSecondFactor } from '../../support/two-factor'
import { departuresOf, operationsAt } from '../requests/document'

interface Found {
  /** What the request is, and what was wrong with the response. */
  what: string
  send: [method: string, path: string, init?: { raw?: string; headers?: Record<string, string> }]
  status: number
  body: unknown
  headers?: Record<string, string>
}

const refusal = (type: string, code: string, detail: string, attr: string | null = null) => ({
  type,
  code,
  detail,
  attr,
})
const NOT_FOUND = refusal('invalid_request', 'not_found', 'Not found.')
const NO_PROJECT = refusal('invalid_request', 'not_found', 'Project not found.')
const parseError = (reason: string) =>
  refusal('invalid_request', 'parse_error', `JSON parse error - ${reason}`)
const noDictionary = (type: string) =>
  refusal('validation_error', 'invalid_input', `Invalid data. Expected an object, but got ${type}.`)
const UNSUPPORTED = refusal(
  'invalid_request',
  'unsupported_media_type',
  'Unsupported compression "br" in request.',
)
const noToken = (code: string, detail: string) => refusal('authentication_error', code, detail, 'api_key')
const MISSING_TOKEN = noToken(
  'missing_api_key',
  'Project API token not provided. Send it as `api_key` or `token`.',
)
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }
const JSON_TYPE = { 'Content-Type': 'application/json' }
const UNSUPPORTED_ENCODING = refusal(
  'invalid_request',
  'unsupported_media_type',
  'Unsupported content encoding "br" in request. Send the body without compression.',
)
const BROTLI = { ...JSON_TYPE, 'Content-Encoding': 'br' }

/** `{…}` in a path is what the tenant has. */
const FOUND: Found[] = [
  {
    what: 'a project that is none: its 404 was not declared',
    send: ['GET', '/api/projects/0/feature_flags/'],
    status: 404,
    body: NO_PROJECT,
  },
  {
    what: 'a project that is none, where what is missing has no body',
    send: ['GET', '/api/projects/0/feature_flags/1/versions/1/'],
    status: 404,
    body: NO_PROJECT,
  },
  {
    what: 'a version that is none has no body, and still is declared',
    send: ['GET', '/api/projects/{project}/feature_flags/{flag}/versions/99/'],
    status: 404,
    body: null,
  },
  {
    what: 'the activity of no flag has no body, and still is declared',
    send: ['GET', '/api/projects/{project}/feature_flags/999999999/activity/'],
    status: 404,
    body: null,
  },
  {
    what: 'the version of what is no id has no body either',
    send: ['GET', '/api/projects/{project}/feature_flags/0/versions/one/'],
    status: 404,
    body: null,
  },
  {
    what: 'a list, where refusals have a shape of their own: its 400 was declared as that shape alone',
    send: [
      'POST',
      '/api/projects/{project}/feature_flags/{flag}/dashboard/',
      { raw: '[]', headers: JSON_TYPE },
    ],
    status: 400,
    body: noDictionary('a list'),
  },
  {
    what: 'null, where refusals are one sentence',
    send: ['POST', '/api/projects/{project}/feature_flags/bulk_delete/', { raw: 'null', headers: JSON_TYPE }],
    status: 400,
    body: { error: noDictionary('null').detail },
  },
  {
    what: 'no JSON, where refusals are one sentence: its 400 was declared as that alone',
    send: ['POST', '/api/projects/{project}/feature_flags/bulk_keys/', { raw: '{', headers: JSON_TYPE }],
    status: 400,
    body: {
      error: parseError("Expected property name or '}' in JSON at position 1 (line 1 column 2)").detail,
    },
  },
  {
    what: 'an invite that is none: its 404 was not declared',
    send: ['POST', '/api/signup/0/', { raw: '{}', headers: JSON_TYPE }],
    status: 404,
    body: NOT_FOUND,
  },
  ...['/flags/', '/batch/', '/ofrep/v1/evaluate/flags/', '/ofrep/v1/evaluate/flags/a/'].map(
    (path): Found => ({
      what: `an unknown compression at ${path}: its 415 was not declared`,
      send: ['POST', path, { raw: '{}', headers: { ...BROTLI, Authorization: 'Bearer {token}' } }],
      status: 415,
      body: UNSUPPORTED,
    }),
  ),
  {
    what: 'an unknown compression where refusals are one sentence: its 415 was that sentence too',
    send: ['POST', '/api/projects/{project}/feature_flags/bulk_restore/', { raw: '{}', headers: BROTLI }],
    status: 415,
    body: UNSUPPORTED_ENCODING,
  },
  {
    what: 'an unknown compression of a deletion: its 415 was not declared',
    send: ['DELETE', '/api/projects/{project}/insight_variables/1/', { raw: '{}', headers: BROTLI }],
    status: 415,
    body: UNSUPPORTED_ENCODING,
  },
  {
    what: 'a 405 that did not say what is allowed',
    send: ['POST', '/api/projects/{project}/endpoints/bulk_update_tags/'],
    status: 405,
    body: { detail: 'Bulk tag updates are not supported for endpoints.' },
    headers: { Allow: '' },
  },
  ...['constructor', '__proto__', 'toString_count_per_actor'].map((math): Found => ({
    what: `the math ${math}, which every object has: the refusal was about the HogQL that was made of it`,
    send: [
      'POST',
      '/api/projects/{project}/endpoints/',
      {
        raw: JSON.stringify({
          name: 'sample',
          query: { kind: 'TrendsQuery', series: [{ event: 'opened', math, math_property: 'x' }] },
        }),
        headers: JSON_TYPE,
      },
    ],
    status: 400,
    body: refusal(
      'validation_error',
      'invalid_input',
      expect.stringContaining(
        `Unknown math '${math.replace('_count_per_actor', '')}' in a series.`,
      ) as string,
      'query',
    ),
  })),
  {
    what: 'a formula with a character that is in none: a crash',
    send: [
      'POST',
      '/api/projects/{project}/endpoints/',
      {
        raw: JSON.stringify({
          name: 'sample',
          query: {
            kind: 'TrendsQuery',
            series: [{ kind: 'EventsNode', event: 'opened' }],
            trendsFilter: { formula: '{' },
          },
        }),
        headers: JSON_TYPE,
      },
    ],
    status: 400,
    body: refusal(
      'validation_error',
      'invalid_input',
      "'{' is not a formula: use letters for series, numbers, + - * / % ** and parentheses.",
      'query',
    ),
  },
  {
    what: 'no token at /flags: a 401 that did not say what would do',
    send: ['POST', '/flags/', { raw: '{"distinct_id":"ada"}', headers: JSON_TYPE }],
    status: 401,
    body: MISSING_TOKEN,
    headers: CHALLENGE,
  },
  {
    what: 'an empty token at local evaluation: a 401 that did not say what would do',
    send: ['GET', '/api/feature_flag/local_evaluation/?token='],
    status: 401,
    body: MISSING_TOKEN,
    headers: CHALLENGE,
  },
  {
    what: 'a token that is none in a path: a 401 that did not say what would do',
    send: ['GET', '/array/0/config'],
    status: 401,
    body: noToken('invalid_api_key', 'Project API token "0" is not known.'),
    headers: CHALLENGE,
  },
]

async function responseTo(tenant: Tenant, { send: [method, path, init = {}] }: Found): Promise<TestResponse> {
  const things: Record<string, string> = {
    project: String(tenant.projectId),
    flag: path.includes('{flag}') ? String((await tenant.flag()).id) : '',
    token: tenant.projectToken,
  }
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name]!)
  const headers = Object.entries({ Authorization: `Bearer ${tenant.key}`, ...init.headers })
  return tenant.send(method, filled(path), {
    ...init,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, filled(value)])),
  })
}

/** That the document declares a response: its status, its body and its headers. */
function expectDeclared(method: string, path: string, response: TestResponse): void {
  const operation = operationsAt(path.split('?')[0]!).get(method)!
  expect(departuresOf(operation, response)).toEqual([])
}

describe('what the fuzz found', () => {
  it.each(FOUND.map((found) => [found.what, found] as const))('%s', async (_, found) => {
    const response = await responseTo(await createTenant(), found)
    const headers = Object.keys(found.headers ?? {}).map((name) => [name, response.headers.get(name)])
    expect({ status: response.status, body: response.body, headers: Object.fromEntries(headers) }).toEqual({
      status: found.status,
      body: found.body,
      headers: found.headers ?? {},
    })
    expectDeclared(found.send[0], found.send[1], response)
  })

  it('a sign-in that waits for its second factor: a 401 without the required credentials', async () => {
    const tenant = await createMember()
    await giveSecondFactor(tenant)
    const response = await login(tenant)
    expect({ status: response.status, body: response.body }).toEqual({
      status: 401,
      body: refusal('server_error', '2fa_required', '2FA is required.'),
    })
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
    expectDeclared('POST', '/api/login/', response)
  })
})
