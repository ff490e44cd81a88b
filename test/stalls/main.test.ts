// Flags while the main database fails: evaluation continues from snapshots in the isolate or in KV, and says which flags it could not decide.
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PAID } from '../sdk/flags-support'
import { open } from '../support/filters'
import { createHarness, type Harness } from '../support/harness'
import { elapse, failingD1, FAILURES, type FailingD1 } from '../support/faults/stalled-d1'
import { createTenant, type Tenant } from '../support/tenant'

/** How long evaluation waits for persons: SDKs give up after 3 s. */
const PATIENCE_MS = 2_000
/** How long any call waits for the main database. */
const DEADLINE_MS = 8_000

let main: FailingD1
let harness: Harness
let tenant: Tenant
let warmUp: () => Promise<void>

beforeEach(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  main = failingD1(env.DB)
  harness = createHarness({ bindings: { DB: main.d1 } })
  tenant = await createTenant({ harness })
  await tenant.flag({ key: 'everybody', filters: open() })
  await tenant.flag({ key: 'paid', filters: PAID })
  warmUp = async () => {
    await flags()
    await feed()
  }
  await warmUp()
})
afterEach(() => vi.restoreAllMocks())

const flags = (body: Record<string, unknown> = {}) =>
  tenant.send('POST', '/flags/?v=2', {
    body: { token: tenant.projectToken, distinct_id: 'ada', ...body },
  })
const feed = () => tenant.get(`/api/feature_flag/local_evaluation/?token=${tenant.projectToken}`)
const resolve = (key = '') =>
  tenant.send('POST', `/ofrep/v1/evaluate/flags${key && `/${key}`}`, {
    body: { context: { targetingKey: 'ada' } },
    headers: { Authorization: `Bearer ${tenant.projectToken}` },
  })
const during = (work: () => ReturnType<typeof flags>) => elapse(work, [main], harness.lines)

// A database that is overloaded rejects calls like one that loses connections: operations and capture show it.
describe.each(FAILURES.slice(0, 2))('while the main database %s', (failure) => {
  it('/flags evaluates flags without person properties, and names the others', async () => {
    main.fail(failure)
    const { value: response, answeredMs: respondedMs } = await during(() => flags())
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({
      errorsWhileComputingFlags: true,
      flags: {
        everybody: { enabled: true },
        paid: { enabled: false, failed: true, reason: { code: 'database_unavailable' } },
      },
    })
    expect(respondedMs).toBeLessThanOrEqual(PATIENCE_MS)

    main.fail(failure)
    const settled = await flags({ person_properties: { plan: 'paid' } })
    expect(settled.body).toMatchObject({
      errorsWhileComputingFlags: false,
      flags: { everybody: { enabled: true }, paid: { enabled: true } },
    })
    expect(main.failedCalls).toBe(0)
  })

  it('OFREP resolves flags without person properties, and fails the others', async () => {
    main.fail(failure)
    const failed = {
      key: 'paid',
      errorCode: 'GENERAL',
      errorDetails: 'The flag could not be evaluated: database_unavailable',
    }
    const { value: all } = await during(() => resolve())
    expect(all.status).toBe(200)
    expect(all.body.flags).toEqual(
      expect.arrayContaining([failed, expect.objectContaining({ key: 'everybody', value: true })]),
    )
    const { value: one } = await during(() => resolve('paid'))
    expect({ status: one.status, body: one.body }).toEqual({ status: 400, body: failed })
  })
})

describe('without a call to the main database, which never answers', () => {
  it('local evaluation answers without it', async () => {
    const before = await feed()
    main.fail('never answers')
    const response = await feed()
    expect(response.status).toBe(200)
    expect(response.body).toEqual(before.body)
    expect(main.failedCalls).toBe(0)
  })

  it('an isolate with an outdated snapshot takes the one in KV', async () => {
    tenant.clock.advance({ seconds: 50 })
    // Another isolate, or the region beside it, confirmed the snapshot lately.
    const other = createHarness({ clock: tenant.clock })
    await other.send('POST', '/flags/?v=2', { body: { token: tenant.projectToken, distinct_id: 'ada' } })
    main.fail('never answers')
    const response = await flags({ person_properties: { plan: 'paid' } })
    expect(response.body).toMatchObject({
      errorsWhileComputingFlags: false,
      flags: { everybody: { enabled: true }, paid: { enabled: true } },
    })
    expect(main.failedCalls).toBe(0)
  })
})

describe.each(FAILURES)('while the main database %s', (failure) => {
  it('the API responds with 503 with Retry-After, without the cause', async () => {
    main.fail(failure)
    const { value: response, answeredMs: respondedMs } = await during(() => tenant.get(tenant.flags()))
    expect({ status: response.status, body: response.body }).toEqual({
      status: 503,
      body: {
        type: 'server_error',
        code: 'database_unavailable',
        detail: 'The database is temporarily unavailable. Please retry.',
        attr: null,
      },
    })
    expect(response.headers.get('Retry-After')).toBe('1')
    expect(respondedMs).toBeLessThanOrEqual(DEADLINE_MS)
    main.recover()
    expect((await tenant.get(tenant.flags())).status).toBe(200)
  })

  it('capture takes no event that would be lost: 503 with Retry-After', async () => {
    main.fail(failure)
    const body = { api_key: tenant.projectToken, batch: [{ event: 'opened', distinct_id: 'ada' }] }
    const { value: response } = await during(() => tenant.send('POST', '/batch/', { body }))
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1'])
    expect(harness.ingestion.waiting).toEqual([])
  })
})
