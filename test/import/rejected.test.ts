// Imports of which the target rejects a part.
import { expect, it } from 'vitest'
import { CallError } from '../../src/import/call'
import { event, sendBatch } from '../support/capture'
import { clientOf } from '../support/server/api-client'
import { dependsOn, open, where } from '../support/filters'
import { createTenant } from '../support/tenant'
import { importLines, memoryOf } from './support'

it('does not overwrite what is created here after the import of it was rejected', async () => {
  const tenant = await createTenant()
  const memory = memoryOf()
  const lines = [{ kind: 'flag', key: 'later', value: { filters: { groups: [{ rollout_percentage: 20 }] } } }]
  const client = clientOf(tenant, (method, path) => {
    if (method === 'POST' && path === tenant.flags()) throw new CallError(400, 'This is no key.')
  })
  expect((await importLines(tenant, lines, { memory, client })).isWhole).toBe(false)
  await tenant.flag({ key: 'later', filters: open() })
  const { events } = await importLines(tenant, lines, { memory })
  const plan = events.find((each) => each.kind === 'plan')
  expect(plan?.steps).toMatchObject([{ action: 'kept', reason: 'is here already, with other filters' }])
})

it('creates an item once whose second call is rejected at first', async () => {
  const tenant = await createTenant()
  const long = Array.from({ length: 2_500 }, (_, index) => `${index}-${'x'.repeat(190)}`)
  for (let at = 0; at < long.length; at += 500)
    await sendBatch(
      tenant,
      long.slice(at, at + 500).map((id) => event(id)),
    )
  const lines = [
    { kind: 'cohort', key: 'Testers', value: { name: 'Testers', is_static: true }, members: long },
    { kind: 'flag', key: 'shown', value: { filters: open() } },
    { kind: 'dashboard', key: 'Usage', value: { name: 'Usage', flags: ['shown'] } },
  ]
  const rejected = new Set<string>()
  const client = clientOf(tenant, (method, path) => {
    if (method !== 'PATCH' || rejected.has(path)) return
    rejected.add(path)
    throw new CallError(403, 'Not yet.')
  })
  expect((await importLines(tenant, lines, { client })).isWhole).toBe(true)
  expect(rejected.size).toBe(2)
  const path = `/api/projects/${tenant.projectId}`
  expect((await tenant.get(`${path}/cohorts/`)).body.results).toMatchObject([{ count: long.length }])
  expect((await tenant.get(`${path}/dashboards/`)).body.results).toHaveLength(1)
})

it('writes filters as they are that the creation of a flag would change or reject', async () => {
  const tenant = await createTenant()
  const remote = { is_remote_configuration: true }
  const off = { groups: [{ properties: [], rollout_percentage: 0 }] }
  const payloads = { true: '1' }
  const values = {
    empty: { filters: { groups: [] } },
    'empty-payload': { filters: { groups: [], payloads } },
    'remote-empty': { ...remote, active: false, filters: { groups: [], payloads } },
    'remote-off': { ...remote, has_encrypted_payloads: true, filters: { ...off, payloads } },
    user: { filters: where(dependsOn('remote-off')) },
  }
  const lines = Object.entries(values).map(([key, value]) => ({ kind: 'flag', key, value }))
  expect((await importLines(tenant, lines)).isWhole).toBe(true)
  const { results } = (await tenant.get(`${tenant.flags()}?order=key`)).body
  for (const [index, [key, value]] of Object.entries(values).slice(0, 4).entries())
    expect(results[index]).toMatchObject({ key, active: true, is_remote_configuration: false, ...value })
  const { events } = await importLines(tenant, lines)
  expect(events.find(({ kind }) => kind === 'plan')!).toMatchObject({
    steps: lines.map(() => ({ action: 'same' })),
  })
})

it('creates a paused schedule paused, also one whose time has passed', async () => {
  const tenant = await createTenant()
  const change = {
    flag: 'shown',
    payload: { operation: 'update_status', value: false },
    scheduled_at: '2026-01-01T00:00:00Z',
    is_recurring: false,
    recurrence_interval: 'daily',
  }
  const lines = [
    { kind: 'flag', key: 'shown', value: { filters: open() } },
    { kind: 'scheduled_change', key: 'shown update_status daily', value: change },
  ]
  expect((await importLines(tenant, lines)).isWhole).toBe(true)
  const { results } = (await tenant.get(`/api/projects/${tenant.projectId}/scheduled_changes/`)).body
  expect(results).toMatchObject([{ is_recurring: false, recurrence_interval: 'daily', executed_at: null }])
})

it('counts no rows as moved that the target refuses, and is not whole', async () => {
  const tenant = await createTenant()
  const row = (uuid: string, name: string) => ({
    kind: 'event',
    row: { uuid, event: name, distinct_id: 'ada', timestamp: '2026-03-01T00:00:00Z', properties: {} },
  })
  const lines = [
    row('0197d2a4-0000-7000-8000-000000000001', 'opened'),
    row('0197d2a4-0000-7000-8000-000000000002', ''),
  ]
  const { isWhole, events } = await importLines(tenant, lines, { streams: ['event'] })
  expect(isWhole).toBe(false)
  expect(events.find(({ kind }) => kind === 'moved')).toEqual({
    kind: 'moved',
    stream: 'event',
    rows: 1,
    refusals: [{ detail: 'This field may not be blank.', times: 1 }],
  })
})
