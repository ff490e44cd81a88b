// Every operation of the API while the analytics shard fails: those that do not read events answer as usual and never call it; those that do
// answer 503 within their deadline.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { successStatus } from '../../src/http/operation'
import { call, firstStatus, operations, type Params, paramsFor } from '../security/call'
import { samples } from '../security/samples'
import { type TestResponse, createHarness } from '../support/harness'
import { elapse, FAILURES, failingDatabases } from '../support/faults/stalled-d1'
import { createTenant, type Tenant } from '../support/tenant'

/** Why an operation reads the shard, and the code of its 503. */
const READERS: Readonly<Record<string, 'query_capacity' | 'query_engine_unavailable'>> = {
  endpoints_run_retrieve: 'query_capacity',
  endpoints_run_create: 'query_capacity',
  endpoints_logs_retrieve: 'query_engine_unavailable',
  query_create: 'query_capacity',
  environments_query_create: 'query_capacity',
  environments_endpoints_run_retrieve: 'query_capacity',
  environments_endpoints_run_create: 'query_capacity',
  environments_endpoints_logs_retrieve: 'query_engine_unavailable',
  // The data of its tiles.
  dashboards_retrieve: 'query_capacity',
  events_values_retrieve: 'query_capacity',
}

/** Estimates costs from the shard; without it, the response says null. */
const ESTIMATES = new Set([
  'endpoints_materialization_preview_create',
  'environments_endpoints_materialization_preview_create',
])

/** Queues a copy for the shard, which the harness has the consumer write once the response is there. */
const QUEUES_COPY = new Set(['cohorts_remove_person_from_static_cohort_partial_update', 'persons_destroy'])

const DETAILS = {
  query_capacity: 'Queries are temporarily at capacity. Please retry.',
  query_engine_unavailable: 'The query engine is temporarily unavailable. Please retry.',
}

/** A run looks for a stored result for 5 s, and reads statistics for 5 s; a query of the service itself has 10 s. */
const MAX_WAIT_MS = 10_000

/** Steps of the clock that a rejected call may see. */
const AT_ONCE_MS = 2_000

const { main, shard } = failingDatabases()
const harness = createHarness({ bindings: { DB: main.d1, EVENTS: shard.d1 } })

beforeEach(() => {
  // Rejections of the shard after the response are logged.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterEach(() => {
  shard.recover()
  vi.restoreAllMocks()
})

async function target(operation: (typeof operations)[number]): Promise<{ tenant: Tenant; params: Params }> {
  const tenant = await createTenant({ harness })
  return { tenant, params: await paramsFor(operation, tenant) }
}

const during = (work: () => Promise<TestResponse>) => elapse(work, [main, shard], harness.lines)

describe('while the shard never answers', () => {
  it.each(operations.filter(({ id }) => !(id in READERS) && !QUEUES_COPY.has(id) && !ESTIMATES.has(id)))(
    '$id works without calling it',
    async (operation) => {
      const { tenant, params } = await target(operation)
      shard.fail('never answers')
      const response = await call(tenant, operation, { params })
      expect(response.status).toBe(samples[operation.id]?.answers ?? firstStatus(operation))
      expect(shard.failedCalls).toBe(0)
    },
  )

  it.each(operations.filter(({ id }) => ESTIMATES.has(id)))(
    '$id responds without an estimate',
    async (operation) => {
      const { tenant, params } = await target(operation)
      shard.fail('never answers')
      const { value: response, answeredMs } = await during(() => call(tenant, operation, { params }))
      expect(response).toMatchObject({ status: 200, body: { cost: null } })
      expect(answeredMs).toBeLessThanOrEqual(AT_ONCE_MS)
    },
  )

  it.each(operations.filter(({ id }) => QUEUES_COPY.has(id)))(
    '$id responds before its copy is written',
    async (operation) => {
      const { tenant, params } = await target(operation)
      shard.fail('never answers')
      const { value: response, answeredMs } = await during(() => call(tenant, operation, { params }))
      expect(response.status).toBe(firstStatus(operation))
      expect(answeredMs).toBeLessThanOrEqual(AT_ONCE_MS)
    },
  )
})

describe.each(operations.filter(({ id }) => id in READERS))('$id', (operation) => {
  it.each(FAILURES)('responds with 503 while the shard %s, and works again after it', async (failure) => {
    const { tenant, params } = await target(operation)
    shard.fail(failure)
    const { value: response, answeredMs: respondedMs } = await during(() =>
      call(tenant, operation, { params }),
    )
    const code = READERS[operation.id]!
    expect({ status: response.status, body: response.body }).toEqual({
      status: 503,
      body: { type: 'server_error', code, detail: DETAILS[code], attr: null },
    })
    expect(response.headers.get('Retry-After')).toBe('5')
    expect(respondedMs).toBeLessThanOrEqual(failure === 'never answers' ? MAX_WAIT_MS : AT_ONCE_MS)
    shard.recover()
    expect((await call(tenant, operation, { params })).status).toBe(successStatus(operation))
  })
})

describe('test_evaluation of a past moment', () => {
  it.each(FAILURES)('responds with 503 while the shard %s', async (failure) => {
    const tenant = await createTenant({ harness })
    const { id } = await tenant.flag()
    tenant.clock.advance({ minutes: 5 })
    const timestamp = tenant.clock.now().toISOString()
    shard.fail(failure)
    const path = `${tenant.flags(id)}test_evaluation/`
    const { value: response, answeredMs: respondedMs } = await during(() =>
      tenant.post(path, { distinct_id: 'ada', timestamp }),
    )
    expect({ status: response.status, body: response.body }).toEqual({
      status: 503,
      body: { error: expect.any(String) },
    })
    expect(response.headers.get('Retry-After')).toMatch(/^[15]$/)
    expect(respondedMs).toBeLessThanOrEqual(failure === 'never answers' ? MAX_WAIT_MS : AT_ONCE_MS)
    // Of now, it needs no events.
    shard.fail('never answers')
    expect((await tenant.post(path, { distinct_id: 'ada' })).status).toBe(200)
    expect(shard.failedCalls).toBe(0)
  })
})
