// Warnings about rejected events: what people see of them who send events.
import { describe, expect, it } from 'vitest'
import { MAX_WARNINGS } from '../../../src/analytics/capture/warnings'
import { event, identify, sendBatch } from '../../support/capture'
import { createHarness } from '../../support/harness'
import { createTenant, type Tenant } from '../../support/tenant'

const path = ({ projectId }: Tenant) => `/api/projects/${projectId}/ingestion_warnings/`

const listed = async (tenant: Tenant) => {
  const { status, body } = await tenant.get(path(tenant))
  expect(status).toBe(200)
  return body.results
}

const NOW = '2026-03-10T12:00:00.000Z'

describe('ingestion warnings', () => {
  it('have the event and the reason, without values of properties', async () => {
    const tenant = await createTenant()
    expect(await listed(tenant)).toEqual([])
    const properties = { email: 'ada@example.com', $lib: 'web', $lib_version: '1.2.0' }
    await sendBatch(tenant, [
      event('ada'),
      { ...event('ada', properties), timestamp: '31/12/2026' },
      { event: 'opened', distinct_id: ['ada@example.com'] },
      'text',
    ])
    const warning = { type: 'event_rejected', count: 1, first_seen: NOW, last_seen: NOW }
    expect(await listed(tenant)).toEqual(
      expect.arrayContaining([
        {
          ...warning,
          type: 'ignored_invalid_timestamp',
          detail: 'Datetime has wrong format. Use ISO 8601. The event has the time of its arrival.',
          attr: 'timestamp',
          example: {
            event: 'opened',
            value: '31/12/2026',
            library: 'web 1.2.0',
            property_names: ['email', '$lib', '$lib_version'],
          },
        },
        {
          ...warning,
          type: 'part_ignored',
          detail: 'Neither text nor a number: its JSON counts.',
          attr: 'distinct_id',
          example: { event: 'opened', value: 'a list of 1', library: null, property_names: [] },
        },
        {
          ...warning,
          detail: 'An event must be an object.',
          attr: null,
          example: { event: null, value: 'text of 4 characters', library: null, property_names: [] },
        },
      ]),
    )
    expect(await listed(tenant)).toHaveLength(3)
  })

  it('count events of requests that are rejected as a whole, under one reason', async () => {
    const tenant = await createTenant()
    expect((await sendBatch(tenant, [{ event: 'opened' }])).status).toBe(400)
    tenant.clock.advance({ minutes: 5 })
    expect((await sendBatch(tenant, [{ event: 'closed' }, { event: 'left' }])).status).toBe(400)
    expect(await listed(tenant)).toEqual([
      {
        type: 'event_rejected',
        detail: 'This field is required.',
        attr: 'distinct_id',
        count: 3,
        first_seen: NOW,
        last_seen: '2026-03-10T12:05:00.000Z',
        example: { event: 'left', value: 'missing', library: null, property_names: [] },
      },
    ])
  })

  it('distinguish ignored parts from rejected events, and name no person', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [
      identify('ada', 'ada-before'),
      identify('grace', 'grace-before'),
      identify('joan', 'ada'),
      identify('joan', 'grace'),
    ])
    expect(await listed(tenant)).toEqual([
      {
        type: 'part_ignored',
        detail: '"…" is already identified, so it is not merged.',
        attr: 'properties__$anon_distinct_id',
        count: 1,
        first_seen: NOW,
        last_seen: NOW,
        example: {
          event: '$identify',
          value: 'text of 5 characters',
          library: null,
          property_names: ['$anon_distinct_id'],
        },
      },
    ])
  })

  it('are few: the newest stay, for seven days', async () => {
    const tenant = await createTenant()
    const projects = tenant.env.PROJECTS.getByName(`project:${tenant.projectId}`)
    const example = { event: null, value: 'missing', library: null, propertyNames: [] }
    for (let n = 0; n < MAX_WARNINGS + 5; n += 1) {
      const seen = new Date(Date.parse(NOW) + n * 1000).toISOString()
      await projects.addWarnings([
        {
          type: 'event_rejected',
          detail: `Reason ${n}`,
          attr: null,
          count: 1,
          firstSeen: seen,
          lastSeen: seen,
          example,
        },
      ])
    }
    const warnings = await listed(tenant)
    expect(warnings).toHaveLength(MAX_WARNINGS)
    expect(warnings[0].detail).toBe('Reason 54')
    expect(warnings.at(-1).detail).toBe('Reason 5')
    tenant.clock.advance({ days: 7, seconds: 50 })
    expect((await listed(tenant)).map(({ detail }: { detail: string }) => detail)).toEqual([
      'Reason 54',
      'Reason 53',
      'Reason 52',
      'Reason 51',
      'Reason 50',
    ])
  })

  it('write to no database, and are those of the project', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    const { line } = await sendBatch(tenant, [{ event: 'opened' }])
    expect(line).toMatchObject({ status: 400, d1_rows_written: 0 })
    expect(await listed(tenant)).toHaveLength(1)
    expect(await listed(other)).toEqual([])
    const reader = await tenant.withKey({ scopes: ['person:read'] })
    expect((await reader.get(path(tenant))).status).toBe(403)
  })
})
