// Nodes of user interfaces around a query: stored as sent, and run as the query inside.
import { beforeAll, describe, expect, it } from 'vitest'
import { event, sendBatch } from '../../support/capture'
import { hogql, refusalOfCreate, trends } from '../../support/endpoints/endpoints'
import { refused } from '../../support/responses'
import { createTenant, type Tenant } from '../../support/tenant'

const unreadable = (detail: unknown) => ({
  status: 400,
  body: { type: 'invalid_request', code: 'parse_error', detail, attr: null },
})

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await sendBatch(tenant, [
    { ...event('ada', { plan: 'pro' }, '$pageview'), timestamp: '2026-03-02T10:00:00Z' },
    { ...event('bob', { plan: 'free' }, '$pageview'), timestamp: '2026-03-02T11:00:00Z' },
  ])
})

const run = async (name: string, body: Record<string, unknown> = {}) =>
  (await tenant.post(tenant.endpoints(`${name}/run`), body)).body

const DAY = { date_from: '2026-03-02', date_to: '2026-03-02' }

describe('an InsightVizNode', () => {
  const source = trends({ dateRange: DAY, breakdownFilter: { breakdown: 'plan' } })

  it('is shown with the defaults of both, and is run as its source', async () => {
    const bare = await tenant.endpoint({ query: source })
    const wrapped = await tenant.endpoint({
      query: { kind: 'InsightVizNode', full: true, source },
      optional_breakdown_properties: ['plan'],
    })
    expect(wrapped.query).toEqual({
      embedded: null,
      full: true,
      hidePersonsModal: null,
      hideTooltipOnScroll: null,
      kind: 'InsightVizNode',
      showCorrelationTable: null,
      showFilters: null,
      showHeader: null,
      showLastComputation: null,
      showLastComputationRefresh: null,
      showResults: null,
      showTable: null,
      source: bare.query,
      suppressSessionAnalysisWarning: null,
      version: null,
      vizSpecificOptions: null,
    })
    expect((await run(wrapped.name)).results).toEqual((await run(bare.name)).results)
    const chosen = await run(wrapped.name, { variables: { plan: 'pro' } })
    expect(chosen.results.map(({ label }: { label: string }) => label)).toEqual(['pro'])
  })

  it('makes no new version when it is sent back as it is shown', async () => {
    const { name, query } = await tenant.endpoint({ query: { kind: 'InsightVizNode', source } })
    expect((await tenant.patch(tenant.endpoints(name), { query })).body.current_version).toBe(1)
    const changed = { ...query, source: { ...query.source, interval: 'week' } }
    expect((await tenant.patch(tenant.endpoints(name), { query: changed })).body.current_version).toBe(2)
  })

  it('can be materialized as its source', async () => {
    const { name } = await tenant.endpoint({ query: { kind: 'InsightVizNode', source: trends() } })
    const { body } = await tenant.post(tenant.endpoints(`${name}/materialization_preview`), {})
    expect([body.can_materialize, body.reason]).toEqual([true, null])
  })

  it('names the place of errors in its source', async () => {
    const refusal = (query: Record<string, unknown>) => refusalOfCreate({ name: 'a', query })
    expect(
      await refusal({ kind: 'InsightVizNode', source: { ...source, trendsFilter: { dispaly: 1 } } }),
    ).toEqual(
      unreadable(
        'JSON parse error - query.source.trendsFilter: Unknown field: dispaly. Did you mean display?',
      ),
    )
    expect(await refusal({ kind: 'InsightVizNode', source: {} })).toEqual(
      unreadable(expect.stringMatching(/^JSON parse error - query\.source\.kind: Input should be one of: /)),
    )
    expect(await refusal({ kind: 'InsightVizNode', source: { kind: 'InsightVizNode', source } })).toEqual(
      unreadable(expect.stringMatching(/^JSON parse error - query\.source\.kind: Input should be one of: /)),
    )
    expect(await refusal({ kind: 'InsightVizNode', source: null })).toEqual(
      unreadable('JSON parse error - query.source: This field may not be null.'),
    )
    expect(
      await refusal({ kind: 'InsightVizNode', source: { ...source, series: [{ kind: 'GroupNode' }] } }),
    ).toEqual(
      refused('query', "Series of kind 'GroupNode' are not supported: use EventsNode or ActionsNode."),
    )
  })
})

describe.each(['DataVisualizationNode', 'DataTableNode'])('a %s', (kind) => {
  it('runs its HogQL with variables, their types and their defaults', async () => {
    const { id, code_name: code } = await tenant.variable({ name: `plan of ${kind}`, type: 'String' })
    const source = hogql(`SELECT distinct_id FROM events WHERE properties.plan = {variables.${code}}`, {
      variables: { [id]: { code_name: code, variableId: id, value: 'pro' } },
    })
    const { name, query, columns } = await tenant.endpoint({ query: { kind, source } })
    expect([query.kind, query.source.kind, query.source.query]).toEqual([kind, 'HogQLQuery', source.query])
    expect(columns).toEqual([{ name: 'distinct_id', type: 'string' }])
    expect((await run(name)).results).toEqual([['ada']])
    expect((await run(name, { variables: { [code]: 'free' } })).results).toEqual([['bob']])
    const openapi = (await tenant.get(tenant.endpoints(`${name}/openapi.json`))).body
    expect(JSON.stringify(openapi)).toContain(`"${code}":{"type":"string","example":"pro"}`)
  })
})
