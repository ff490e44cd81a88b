import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { dashboards, dashboardTiles } from '../../../drizzle'
import { type EventRow, noRows } from '../../../src/outbox/ingestion-rows'
import { createShardSink } from '../../../src/analytics/ingestion/shard-sink'
import { createIds } from '../../../src/clock'
import { toStoredTimestamp } from '../../../src/timestamps'
import { identify, sendBatch, sendEach } from '../../support/capture'
import { writeElsewhere } from '../../support/faults/flag-writer'
import { replaceDatabase, withBatch } from '../../project/support'
import { createTenant, database, shard, type Tenant } from '../../support/tenant'

const ids = createIds()

/** A `$feature_flag_called` event as capture stores it, some days ago. */
async function called(
  tenant: Tenant,
  flagKey: string,
  flagResponse: string,
  distinctId: string,
  daysAgo: number,
) {
  const now = tenant.clock.now()
  const at = toStoredTimestamp(new Date(now.getTime() - daysAgo * 86_400_000))
  const event: EventRow = {
    uuid: ids.uuid(now),
    event: '$feature_flag_called',
    distinctId,
    properties: { $feature_flag: flagKey, $feature_flag_response: flagResponse },
    timestamp: at,
    createdAt: at,
    setsProperties: false,
    flagKey,
    flagResponse,
  }
  await createShardSink(env.EVENTS).write(tenant.projectId, { ...noRows(), events: [event] })
}

const dashboardOf = async (tenant: Tenant, id: number) =>
  (await tenant.get(`/api/projects/${tenant.projectId}/dashboards/${id}/`)).body

const withDashboard = { _should_create_usage_dashboard: true }

describe('POST dashboard', () => {
  it('makes a dashboard with data, once', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta' })
    expect(flag.usage_dashboard).toBeNull()
    expect(await tenant.post(tenant.flags(`${flag.id}/dashboard`))).toMatchObject({
      status: 200,
      body: { success: true },
    })
    const { usage_dashboard: id, version } = (await tenant.get(tenant.flags(flag.id))).body
    expect(version).toBe(1)
    await tenant.post(tenant.flags(`${flag.id}/dashboard`))
    expect((await tenant.get(tenant.flags(flag.id))).body.usage_dashboard).toBe(id)

    await called(tenant, 'beta', 'true', 'a', 0)
    await called(tenant, 'beta', 'true', 'a', 0)
    await called(tenant, 'beta', 'true', 'b', 1)
    await called(tenant, 'beta', 'false', 'c', 1)
    await called(tenant, 'beta', 'true', 'd', 40)
    await called(tenant, 'other', 'true', 'e', 0)
    const dashboard = await dashboardOf(tenant, id)
    const days = dashboard.tiles[0].insight.result[0].days
    expect(days.length).toBe(31)
    expect(days.slice(-2)).toEqual(['2026-03-09', '2026-03-10'])
    const line = (label: string, ...lastDays: number[]) => ({
      label,
      breakdown_value: label,
      count: lastDays.reduce((sum, value) => sum + value),
      data: [...Array.from({ length: 29 }, () => 0), ...lastDays],
      days,
    })
    const tile = (name: string, math: string, result: unknown[]) => ({
      id: expect.any(Number),
      layouts: {},
      endpoint: null,
      insight: {
        id: expect.any(Number),
        name,
        query: {
          kind: 'TrendsQuery',
          series: [{ kind: 'EventsNode', event: '$feature_flag_called', name: '$feature_flag_called', math }],
          properties: [{ key: '$feature_flag', type: 'event', operator: 'exact', value: 'beta' }],
          breakdownFilter: { breakdown: '$feature_flag_response', breakdown_type: 'event' },
          dateRange: { date_from: '-30d' },
          interval: 'day',
        },
        result,
        error: null,
      },
    })
    expect(dashboard).toEqual({
      id,
      name: 'Generated Dashboard: beta Usage',
      description: '',
      creation_mode: 'template',
      deleted: false,
      filters: { date_from: null, date_to: null },
      created_by: flag.created_by,
      created_at: '2026-03-10T12:00:00Z',
      tiles: [
        tile('Feature Flag Called Total Volume', 'total', [line('true', 1, 2), line('false', 1, 0)]),
        tile('Feature Flag calls made by unique users per variant', 'dau', [
          line('true', 1, 1),
          line('false', 1, 0),
        ]),
      ],
    })
  })

  it('counts a person with several distinct ids once', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta', ...withDashboard })
    await sendEach(tenant, [identify('ada', 'anon-1')])
    for (const id of ['anon-1', 'ada', 'without a person']) await called(tenant, 'beta', 'true', id, 0)
    const { tiles } = await dashboardOf(tenant, flag.usage_dashboard)
    expect(
      tiles.slice(0, 2).map(({ insight }: { insight: { result: { count: number }[] } }) => insight.result),
    ).toMatchObject([[{ label: 'true', count: 3 }], [{ label: 'true', count: 2 }]])
  })

  it('comes with a new flag, and its charts follow the flag to another key', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'before', ...withDashboard })
    await tenant.patch(tenant.flags(flag.id), { key: 'after' })
    const dashboard = await dashboardOf(tenant, flag.usage_dashboard)
    expect(dashboard.name).toBe('Generated Dashboard: before Usage')
    const keys = dashboard.tiles.map(
      (tile: { insight: { query: { properties: { value: string }[] } } }) =>
        tile.insight.query.properties[0]!.value,
    )
    expect(keys).toEqual(['after', 'after'])
  })

  it('keeps the name that a user gave it, and its saved queries, when the flag gets another key', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'before', ...withDashboard })
    await tenant.post(`/api/projects/${tenant.projectId}/endpoints/`, {
      name: 'pinned',
      query: { kind: 'HogQLQuery', query: 'SELECT 1' },
    })
    const path = `/api/projects/${tenant.projectId}/dashboards/${flag.usage_dashboard}/`
    const body = { name: 'Checkout health', tiles: [{ endpoint: 'pinned' }] }
    expect((await tenant.patch(path, body)).status).toBe(200)
    await tenant.patch(tenant.flags(flag.id), { key: 'after' })
    expect((await dashboardOf(tenant, flag.usage_dashboard)).name).toBe('Checkout health')
    const tiles = await database()
      .select({ query: dashboardTiles.query })
      .from(dashboardTiles)
      .where(and(eq(dashboardTiles.dashboardId, flag.usage_dashboard), isNotNull(dashboardTiles.endpointId)))
    expect(tiles).toEqual([{ query: {} }])
  })

  it('is in the activity log, whether it comes with the flag or later', async () => {
    const tenant = await createTenant()
    const [first, second] = [await tenant.flag(withDashboard), await tenant.flag()]
    await tenant.post(tenant.flags(`${second.id}/dashboard`))
    const { usage_dashboard: later } = (await tenant.get(tenant.flags(second.id))).body
    const { body } = await tenant.get(`/api/projects/${tenant.projectId}/activity_log/?scope=Dashboard`)
    const entry = (flag: { key: string }, id: number) => ({
      activity: 'created',
      item_id: String(id),
      user: { email: tenant.user.email },
      detail: { name: `Generated Dashboard: ${flag.key} Usage`, changes: [] },
    })
    expect(body.results).toMatchObject([entry(second, later), entry(first, first.usage_dashboard)])
  })

  it('is recreated when the old one was deleted', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag(withDashboard)
    await database().update(dashboards).set({ deleted: true }).where(eq(dashboards.id, flag.usage_dashboard))
    await tenant.post(tenant.flags(`${flag.id}/dashboard`))
    expect((await tenant.get(tenant.flags(flag.id))).body.usage_dashboard).not.toBe(flag.usage_dashboard)
  })

  it('creates one for two concurrent callers', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const create = () => tenant.post(tenant.flags(`${flag.id}/dashboard`))
    expect((await Promise.all([create(), create()])).map(({ status }) => status)).toEqual([200, 200])
    const made = await database()
      .select({ id: dashboards.id })
      .from(dashboards)
      .where(eq(dashboards.projectId, tenant.projectId))
    expect(made).toEqual([{ id: (await tenant.get(tenant.flags(flag.id))).body.usage_dashboard }])
  })

  it('names it after the new key of a flag that another instance of the object changes', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'before' })
    let isOvertaken = false
    await replaceDatabase(tenant, (real) =>
      withBatch(real, async (texts, run) => {
        if (!isOvertaken && texts.some((text) => text.startsWith('insert into "dashboards"'))) {
          isOvertaken = true
          await writeElsewhere(tenant, { update: flag.id, with: { key: 'after' } })
        }
        return run()
      }),
    )
    await tenant.post(tenant.flags(`${flag.id}/dashboard`))
    const { usage_dashboard: id } = (await tenant.get(tenant.flags(flag.id))).body
    expect((await dashboardOf(tenant, id)).name).toBe('Generated Dashboard: after Usage')
  })

  it('rejects a deleted flag', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await tenant.patch(tenant.flags(flag.id), { deleted: true })
    expect(await tenant.post(tenant.flags(`${flag.id}/dashboard`))).toMatchObject({
      status: 400,
      body: {
        success: false,
        error: 'This feature flag has been deleted. Restore it before generating a usage dashboard.',
      },
    })
  })
})

describe('POST enrich_usage_dashboard', () => {
  const enrich = (tenant: Tenant, id: number) => tenant.post(tenant.flags(`${id}/enrich_usage_dashboard`))
  const refused = (error: string) => ({ status: 400, body: { success: false, error } })

  it('adds views and interactions once, when the flag reports them', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag(withDashboard)
    expect(await enrich(tenant, flag.id)).toMatchObject(
      refused('No enriched analytics available for this feature flag'),
    )
    await tenant.patch(tenant.flags(flag.id), { has_enriched_analytics: true })
    expect(await enrich(tenant, flag.id)).toMatchObject({ status: 200, body: { success: true } })
    const { tiles } = await dashboardOf(tenant, flag.usage_dashboard)
    expect(tiles.map((tile: { insight: { name: string } }) => tile.insight.name)).toEqual([
      'Feature Flag Called Total Volume',
      'Feature Flag calls made by unique users per variant',
      'Feature Interaction Total Volume',
      'Feature Viewed Total Volume',
    ])
    expect(await enrich(tenant, flag.id)).toMatchObject(refused('Usage dashboard already has enriched data'))
  })

  it('adds them once for two concurrent callers', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ has_enriched_analytics: true, ...withDashboard })
    const [first, second] = await Promise.all([enrich(tenant, flag.id), enrich(tenant, flag.id)])
    expect([first.status, second.status].toSorted()).toEqual([200, 400])
    expect(first.status === 400 ? first : second).toMatchObject(
      refused('Usage dashboard already has enriched data'),
    )
    expect((await dashboardOf(tenant, flag.usage_dashboard)).tiles).toHaveLength(4)
  })

  it('rejects a flag without a dashboard', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    expect(await enrich(tenant, flag.id)).toMatchObject(refused('Usage dashboard not found'))
  })

  it('shows the reported calls of the flag', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'seen', has_enriched_analytics: true, ...withDashboard })
    await enrich(tenant, flag.id)
    const at = toStoredTimestamp(tenant.clock.now())
    await sendBatch(tenant, [
      { event: '$feature_view', distinct_id: 'a', properties: { feature_flag: 'seen' }, timestamp: at },
    ])
    const { tiles } = await dashboardOf(tenant, flag.usage_dashboard)
    expect(tiles[3].insight.result).toMatchObject([
      { label: '$feature_view', breakdown_value: null, count: 1 },
    ])
  })

  it('says which chart would take longer than a saved query may, and shows the others', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ has_enriched_analytics: true, ...withDashboard })
    const path = `/api/projects/${tenant.projectId}/dashboards/${flag.usage_dashboard}/`
    await enrich(tenant, flag.id)
    await countAs(tenant, '$feature_view', 1_000, 1e9)
    const chartsOf = async () => {
      const { tiles } = (await tenant.get(path)).body
      return tiles.map(({ insight }: { insight: { result: unknown; error: unknown } }) => insight)
    }
    for (const chart of await chartsOf()) expect(chart).toMatchObject({ result: [{ count: 0 }], error: null })
    await countAs(tenant, '$feature_view', 1_000, 1e11)
    const computed = { result: [{ count: 0 }], error: null }
    const error = expect.stringMatching(
      /^This query is too large for the built-in database: it may take \d+ s, most of it for properties/,
    )
    expect(await chartsOf()).toMatchObject([computed, computed, computed, { result: null, error }])
  })

  it('shows the calls of a flag, however many calls other flags have', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag(withDashboard)
    await countAs(tenant, '$feature_flag_called', 20_000_000, 1e10)
    expect((await dashboardOf(tenant, flag.usage_dashboard)).tiles[1].insight.result).toMatchObject([
      { count: 0 },
    ])
  })
})

/** Stores the number and the bytes of the events of a name, today. */
const countAs = (tenant: Tenant, event: string, events: number, bytes: number) =>
  shard().run(sql`INSERT OR REPLACE INTO event_volumes (project_id, event, day, events, bytes, largest)
    VALUES (${tenant.projectId}, ${event}, ${tenant.clock.now().toISOString().slice(0, 10)}, ${events}, ${bytes}, 1000000)`)
