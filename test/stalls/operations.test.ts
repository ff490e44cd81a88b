// Every operation of the API while the main database is full, and while the analytics shard fails. Reads answer as usual from a full database,
// and what cannot be written is rejected with a reason. Operations that do not read events answer without the shard and never call it; those
// that do answer 503 within their deadline. fault-table.test.ts has every fault of every part for one operation of each group.
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Operation, successStatus } from '../../src/http/operation'
import { FILL_RESERVE } from '../../src/storage/reserve'
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
  // The data of its tiles.
  dashboards_retrieve: 'query_capacity',
  events_values_retrieve: 'query_capacity',
}

/** Estimates costs from the shard; without it, the response says null. */
const ESTIMATES = new Set(['endpoints_materialization_preview_create'])

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

const FULL = {
  status: 503,
  body: {
    type: 'server_error',
    code: 'database_full',
    detail: 'The database is full, so nothing was written. The operator of this service has to free space.',
    attr: null,
  },
}

/** Reads that write. */
const WRITING_READS: ReadonlySet<string> = new Set([
  'users_start_2fa_setup_retrieve',
  'users_two_factor_start_setup_retrieve',
])

/** Shows what a write of its preparation stored, so that it cannot be prepared in a full database. */
const SHOWS_PREPARATION = 'users_two_factor_qr_retrieve'

const isRead = ({ id, method }: Operation): boolean => method === 'get' && !WRITING_READS.has(id)
const statusOf = (operation: Operation): number => samples[operation.id]?.answers ?? firstStatus(operation)

const { main, shard } = failingDatabases()
const harness = createHarness({ bindings: { DB: main.d1, EVENTS: shard.d1 } })

beforeEach(async () => {
  // Rejections of the shard after the response are logged.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await env.DB.prepare(FILL_RESERVE).run()
})
afterEach(() => {
  main.recover()
  shard.recover()
  vi.restoreAllMocks()
})

async function target(operation: Operation): Promise<{ tenant: Tenant; params: Params }> {
  const tenant = await createTenant({ harness })
  return { tenant, params: await paramsFor(operation, tenant) }
}

const during = (work: () => Promise<TestResponse>) => elapse(work, [main, shard], harness.lines)

describe.each(operations)('$id', (operation) => {
  it('reads from a full database or says why it does not write, and does not wait for the shard', async () => {
    let { tenant, params } = await target(operation)
    if (operation.id !== SHOWS_PREPARATION) {
      main.fail('is full')
      const full = await call(tenant, operation, { params })
      main.recover()
      if (full.status === 503 && !isRead(operation)) {
        const { status, body, headers } = full
        expect({ status, body, retryAfter: headers.get('Retry-After') }).toEqual({
          ...FULL,
          retryAfter: '60',
        })
      } else {
        expect(full.status).toBe(statusOf(operation))
        if (!isRead(operation)) ({ tenant, params } = await target(operation))
      }
    }
    if (operation.id in READERS) return
    shard.fail('never answers')
    if (ESTIMATES.has(operation.id) || QUEUES_COPY.has(operation.id)) {
      const { value: response, answeredMs: respondedMs } = await during(() =>
        call(tenant, operation, { params }),
      )
      expect(response.status).toBe(statusOf(operation))
      if (ESTIMATES.has(operation.id)) expect(response.body).toMatchObject({ cost: null })
      expect(respondedMs).toBeLessThanOrEqual(AT_ONCE_MS)
      return
    }
    expect((await call(tenant, operation, { params })).status).toBe(statusOf(operation))
    expect(shard.failedCalls).toBe(0)
  })
})

describe.each(operations.filter(({ id }) => id in READERS))('$id', (operation) => {
  it('responds with 503 while the shard fails in any way, and works again after it', async () => {
    const { tenant, params } = await target(operation)
    for (const failure of FAILURES) {
      shard.fail(failure)
      const { value: response, answeredMs: respondedMs } = await during(() =>
        call(tenant, operation, { params }),
      )
      const code = READERS[operation.id]!
      expect({ status: response.status, body: response.body }, failure).toEqual({
        status: 503,
        body: { type: 'server_error', code, detail: DETAILS[code], attr: null },
      })
      expect(response.headers.get('Retry-After')).toBe('5')
      expect(respondedMs).toBeLessThanOrEqual(failure === 'never answers' ? MAX_WAIT_MS : AT_ONCE_MS)
      shard.recover()
      expect((await call(tenant, operation, { params })).status, failure).toBe(successStatus(operation))
    }
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
