// Whatever is sent, writing an endpoint either does it or says what is wrong; nothing crashes, and what was rejected has changed nothing.
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMaterializingTenant } from '../support/endpoints/materialization'
import type { Tenant } from '../support/tenant'
import { propertyRuns } from '../support/property-runs'

const RUNS = { numRuns: propertyRuns(20, 60) }

const anything = fc.jsonValue({ maxDepth: 3 })
/** Mostly one of what is right: a body of many fields would never be taken otherwise. */
const orRight = (...right: unknown[]) =>
  fc.oneof({ weight: 1, arbitrary: anything }, { weight: 30, arbitrary: fc.constantFrom(...right) })

const TEXTS = [
  'SELECT count() FROM events',
  'SELECT {variables.a}, {filters}, {b} FROM events',
  'SELECT properties.a.b, person.properties.c FROM events GROUP BY 1',
  "SELECT '",
  '\u0000',
  '',
]
const SERIES = [
  { kind: 'EventsNode', event: 'a' },
  { event: null, math: 'dau' },
  { kind: 'ActionsNode', id: 1 },
]

const some = (keys: Record<string, fc.Arbitrary<unknown>>, ...required: string[]) =>
  fc.record(keys, { requiredKeys: required })

const shared = {
  dateRange: orRight(null, { date_from: '-7d' }, { date_from: 'never' }),
  properties: orRight([], { type: 'AND', values: [] }, [
    { key: 'a', type: 'person', operator: 'gt', value: '1' },
  ]),
  breakdownFilter: orRight(null, { breakdown: 'a' }, { breakdowns: [{ property: 'a' }] }),
  samplingFactor: orRight(null, 0.1),
}
const pair = SERIES.slice(0, 2)
const series = orRight(pair, pair, pair.slice(1), pair.slice(1), SERIES, [], [{ kind: 'GroupNode' }])

/** Queries that are nearly right, of each kind. */
const query = fc.oneof(
  some(
    {
      kind: fc.constant('HogQLQuery'),
      query: orRight(...TEXTS),
      variables: orRight(null, {}, { a: { variableId: 'a', code_name: 'a' } }),
      filters: orRight(
        null,
        {},
        { dateRange: { date_from: '-7d' } },
        { properties: [{ key: 'a', value: 'b' }] },
      ),
      values: orRight({ b: 1 }),
    },
    'kind',
    'query',
  ),
  some(
    {
      ...shared,
      kind: fc.constant('TrendsQuery'),
      series,
      interval: orRight('day', 'week', null),
      trendsFilter: orRight(null, { formula: 'A+B' }, { display: 'BoldNumber' }),
      compareFilter: orRight(null, { compare: true }),
    },
    'kind',
    'series',
  ),
  some(
    { ...shared, kind: fc.constant('RetentionQuery'), retentionFilter: orRight({}, { period: 'Week' }) },
    'kind',
    'retentionFilter',
  ),
  some(
    {
      ...shared,
      kind: fc.constant('FunnelsQuery'),
      series,
      funnelsFilter: orRight(null, { funnelOrderType: 'strict' }),
    },
    'kind',
    'series',
  ),
  some({ kind: fc.constant('LifecycleQuery'), series, properties: shared.properties }, 'kind', 'series'),
)

const body = fc.record(
  {
    name: fc.oneof(
      { weight: 1, arbitrary: orRight('fuzzed', null, 'not a name') },
      { weight: 9, arbitrary: fc.uuid().map((id) => `fuzzed-${id}`) },
    ),
    query: fc.oneof({ weight: 1, arbitrary: anything }, { weight: 12, arbitrary: query }),
    description: orRight('x', null),
    data_freshness_seconds: orRight(900, null),
    is_active: orRight(true, 'false', null),
    is_materialized: orRight(false, null),
    derived_from_insight: orRight('abc', null),
    version: orRight(null, null, null, 1, '1'),
    bucket_overrides: orRight({ a: 'day' }, null),
    deleted: orRight(false, null),
    tags: orRight(['a'], [], null),
    optional_breakdown_properties: orRight([], [], [], null, ['a']),
  },
  { requiredKeys: ['name', 'query'] },
)

describe('any body', () => {
  let tenant: Tenant
  beforeAll(async () => {
    // Nothing is built behind its back.
    tenant = await createMaterializingTenant()
    await tenant.endpoint({ name: 'fuzzed' })
  })

  /** Either it is done, or it is rejected with a reason, and not with that of a crash. */
  function expectBearable({ status, body: response }: { status: number; body: Record<string, unknown> }) {
    expect([200, 201, 400]).toContain(status)
    if (status !== 400) return
    expect(response).toEqual({
      type: expect.stringMatching(/^(validation_error|invalid_request)$/),
      code: expect.any(String),
      detail: expect.any(String),
      attr: response.attr === null ? null : expect.any(String),
    })
    expect(response.detail).not.toMatch(/Unknown error/)
  }

  it('is handled by create', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => expectBearable(await tenant.post(tenant.endpoints(), sent))),
      RUNS,
    )
  })

  it('is handled by update', async () => {
    const path = tenant.endpoints('fuzzed')
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const before = await tenant.get(path)
        const response = await tenant.patch(path, sent)
        expectBearable(response)
        if (response.body.success) {
          expect((await tenant.get(path)).status).toBe(404)
          await tenant.endpoint({ name: 'fuzzed' })
        } else if (response.status === 400) expect((await tenant.get(path)).body).toEqual(before.body)
        else if (sent.version === null || sent.version === undefined) {
          const { materialization_error: _error, ...record } = response.body
          expect((await tenant.get(path)).body).toEqual(record)
        }
      }),
      RUNS,
    )
  })

  it('is handled by variable creation', async () => {
    const variable = fc.record(
      {
        name: orRight('Fuzzed', 'é 1'),
        type: orRight('String', 'List'),
        default_value: anything,
        values: orRight([1, 'a'], null),
      },
      { requiredKeys: [] },
    )
    const path = `/api/projects/${tenant.projectId}/insight_variables/`
    await fc.assert(
      fc.asyncProperty(variable, async (sent) => expectBearable(await tenant.post(path, sent))),
      RUNS,
    )
  })

  it('leaves the list readable', async () => {
    const { status, body: response } = await tenant.get(tenant.endpoints())
    expect(status).toBe(200)
    expect(response.count).toBe(response.results.length)
  })
})
