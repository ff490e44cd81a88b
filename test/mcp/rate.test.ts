// Every request to /mcp counts for its key, once at least, whatever comes of it.
import { describe, expect, it } from 'vitest'
import { createHarness } from '../support/harness'
import { createTenant, type Tenant } from '../support/tenant'
import { post } from './support'

const call = (name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
})
const NO_TOOL = 'make-tea'
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

/** A tenant whose keys may call as often as is said, and what counted them. */
async function countedTenant(calls = Infinity): Promise<{ tenant: Tenant; counted: string[] }> {
  const counted: string[] = []
  const limiter = (name: string) =>
    ({
      limit: () => Promise.resolve({ success: counted.push(name) <= calls }),
    }) as Env['KEY_RATE']
  const bindings = {
    THROTTLES: 'on' as const,
    KEY_RATE: limiter('key'),
    TEST_EVALUATION_RATE: limiter('test evaluation'),
  }
  const tenant = await createTenant({ harness: createHarness({ bindings }) })
  return { tenant, counted }
}

describe('how often a key calls /mcp', () => {
  it.each<[string, unknown]>([
    ['a list', list],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an answer to nothing', { jsonrpc: '2.0', id: 7, result: {} }],
    ['a tool that is not there', call(NO_TOOL)],
    [
      'arguments that are none',
      { ...call('projects-list'), params: { name: 'projects-list', arguments: 5 } },
    ],
    ['an argument that is missing', call('feature-flag-get-definition')],
    ['what nobody finds', call('feature-flag-get-definition', { project_id: 'none', id: 1 })],
    ['a list of messages', [call('projects-list'), call('projects-list')]],
    ['no JSON-RPC', 5],
    ['a tool', call('projects-list')],
  ])('counts %s once', async (_, body) => {
    const { tenant, counted } = await countedTenant()
    await post(tenant, body)
    expect(counted).toEqual(['key'])
  })

  it('counts invalid JSON once', async () => {
    const { tenant, counted } = await countedTenant()
    await tenant.send('POST', '/mcp', { raw: '{', headers: { Authorization: `Bearer ${tenant.key}` } })
    expect(counted).toEqual(['key'])
  })

  it('counts what the key does not open', async () => {
    const { tenant, counted } = await countedTenant()
    const reader = await tenant.withKey({ scopes: ['feature_flag:read'] })
    await post(reader, call('projects-list'))
    expect(counted).toEqual(['key'])
  })

  it('leaves operations their own count', async () => {
    const { tenant, counted } = await countedTenant()
    const { id } = await tenant.flag()
    counted.length = 0
    await post(tenant, call('feature-flags-test-evaluation-create', { id, distinct_id: 'ada' }))
    expect(counted).toEqual(['test evaluation'])
  })

  it('counts a 404 or 400 of an operation once', async () => {
    const { tenant, counted } = await countedTenant()
    await post(tenant, call('create-feature-flag', { key: 'a b' }))
    expect(counted).toEqual(['key'])
  })

  it('returns the result of a finished call, also when the next count is over the limit', async () => {
    const { tenant, counted } = await countedTenant(0)
    const { status, body } = await post(
      tenant,
      call('feature-flag-get-definition', { project_id: 'none', id: 1 }),
    )
    expect({ status, isError: body.result.isError, counted }).toEqual({
      status: 200,
      isError: true,
      counted: ['key'],
    })
  })

  it('rejects calls over the limit', async () => {
    const { tenant } = await countedTenant(0)
    const response = await post(tenant, list)
    expect({
      status: response.status,
      code: response.body.code,
      wait: response.headers.get('Retry-After'),
    }).toEqual({
      status: 429,
      code: 'throttled',
      wait: '60',
    })
  })

  it('returns the rate limit of an operation as an error of the tool', async () => {
    const { tenant, counted } = await countedTenant(0)
    const { status, body } = await post(tenant, call('projects-list'))
    expect({ status, isError: body.result.isError, counted }).toEqual({
      status: 200,
      isError: true,
      counted: ['key'],
    })
    expect(JSON.parse(body.result.content[0].text)).toMatchObject({ code: 'throttled' })
  })
})
