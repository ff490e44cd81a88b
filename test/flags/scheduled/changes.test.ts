// Scheduling changes of flags.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { testClock } from '../../support/clock'
import { createHarness } from '../../support/harness'
import { database, createTenant, type Tenant } from '../../support/tenant'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { MAX_PENDING_OF_FLAG } from '../../../src/flags/scheduled/create-change'
import { scheduledChanges } from '../../../drizzle'
import { colleague } from '../approvals/support'

type Json = Record<string, unknown>

const AT = '2099-04-03T07:00:00Z'
const path = ({ projectId }: Tenant, rest: string | number = '') =>
  `/api/projects/${projectId}/scheduled_changes/${rest}${rest === '' ? '' : '/'}`
const bodyOf = (flagId: number, more: Json = {}) => ({
  record_id: String(flagId),
  model_name: 'FeatureFlag',
  payload: { operation: 'update_status', value: false },
  scheduled_at: AT,
  ...more,
})

async function scheduled(tenant: Tenant, flagId: number, more: Json = {}) {
  const response = await tenant.post(path(tenant), bodyOf(flagId, more))
  expect(response).toMatchObject({ status: 201 })
  return response.body
}

describe('a scheduled change', () => {
  it('is created, read, listed, changed and canceled', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const other = await tenant.flag()
    const record = {
      id: expect.any(Number),
      team_id: tenant.projectId,
      record_id: String(flag.id),
      model_name: 'FeatureFlag',
      payload: { operation: 'update_status', value: false },
      scheduled_at: AT,
      executed_at: null,
      failure_reason: null,
      created_at: '2026-03-10T12:00:00Z',
      created_by: expect.objectContaining({ id: tenant.user.id }),
      updated_at: '2026-03-10T12:00:00Z',
      last_modified_by: expect.objectContaining({ id: tenant.user.id }),
      is_recurring: false,
      recurrence_interval: null,
      last_executed_at: null,
      end_date: null,
    }
    const { status, body: change } = await tenant.post(path(tenant), bodyOf(flag.id))
    expect({ status, body: change }).toEqual({ status: 201, body: record })
    expect(seen(await tenant.get(path(tenant, change.id)))).toEqual({ status: 200, body: change })

    const second = await scheduled(tenant, other.id, {
      record_id: other.id,
      scheduled_at: '2099-04-04 09:00+02:00',
    })
    expect(second.scheduled_at).toBe('2099-04-04T07:00:00Z')
    const all = await tenant.get(path(tenant))
    expect(all.body).toEqual({ count: 2, next: null, previous: null, results: [second, change] })
    expect(all.line).toMatchObject({ d1_round_trips: 1 })
    const own = await tenant.get(`${path(tenant)}?model_name=FeatureFlag&record_id=${flag.id}`)
    expect(own.body).toEqual({ count: 1, next: null, previous: null, results: [change] })

    tenant.clock.advance({ minutes: 1 })
    const moved = await tenant.patch(path(tenant, change.id), {
      is_recurring: true,
      recurrence_interval: 'weekly',
      end_date: '2099-12-31',
    })
    expect(seen(moved)).toEqual({
      status: 200,
      body: {
        ...change,
        is_recurring: true,
        recurrence_interval: 'weekly',
        end_date: '2099-12-31T00:00:00Z',
        updated_at: '2026-03-10T12:01:00Z',
      },
    })
    expect(seen(await tenant.delete(path(tenant, change.id)))).toEqual({ status: 204, body: null })
    expect(seen(await tenant.delete(path(tenant, change.id)))).toEqual(NOT_FOUND)
    expect((await tenant.get(path(tenant))).body.results).toEqual([second])
  })

  it('names who last changed it, and is in the activity log', async () => {
    const tenant = await createTenant()
    const other = await colleague(tenant)
    const flag = await tenant.flag({ key: 'launch' })
    const change = await scheduled(tenant, flag.id)
    const later = '2099-05-03T07:00:00Z'
    expect(seen(await other.patch(path(tenant, change.id), { scheduled_at: later }))).toEqual({
      status: 200,
      body: {
        ...change,
        scheduled_at: later,
        last_modified_by: expect.objectContaining({ id: other.user.id }),
      },
    })
    expect((await tenant.delete(path(tenant, change.id))).status).toBe(204)
    const { body: log } = await tenant.get(
      `/api/projects/${tenant.projectId}/activity_log/?scope=ScheduledChange&item_id=${change.id}`,
    )
    const entry = (who: Tenant, activity: string, changes: object[]) => ({
      id: expect.any(String),
      user: { first_name: expect.any(String), email: who.user.email },
      was_impersonated: false,
      activity,
      scope: 'ScheduledChange',
      item_id: String(change.id),
      detail: {
        id: String(change.id),
        changes,
        trigger: null,
        type: null,
        name: 'launch',
        short_id: null,
        merge: null,
      },
      created_at: '2026-03-10T12:00:00Z',
    })
    const { payload } = change
    const planned = (field: string, action: string) => ({ type: 'ScheduledChange', action, field })
    expect(log.results).toEqual([
      entry(tenant, 'deleted', [
        { ...planned('payload', 'deleted'), before: payload, after: null },
        { ...planned('scheduled_at', 'deleted'), before: later, after: null },
      ]),
      entry(other, 'updated', [
        { type: 'ScheduledChange', action: 'changed', field: 'scheduled_at', before: AT, after: later },
      ]),
      entry(tenant, 'created', [
        { ...planned('payload', 'created'), before: null, after: payload },
        { ...planned('scheduled_at', 'created'), before: null, after: AT },
      ]),
    ])
  })

  it('belongs to its project', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const change = await scheduled(tenant, flag.id)
    const stranger = await createTenant()
    for (const call of [stranger.get, stranger.patch, stranger.delete])
      expect(seen(await call(path(stranger, change.id)))).toEqual(NOT_FOUND)
    expect((await stranger.get(`${path(stranger)}?record_id=${flag.id}`)).body.results).toEqual([])
    expect(seen(await stranger.post(path(stranger), bodyOf(flag.id)))).toEqual(
      refused('record_id', `Feature flag ${flag.id} does not exist.`, 'does_not_exist'),
    )
  })

  it('keeps its flag', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const other = await tenant.flag()
    const change = await scheduled(tenant, flag.id)
    for (const call of [tenant.patch, tenant.put]) {
      expect(seen(await call(path(tenant, change.id), bodyOf(other.id)))).toEqual(
        refused(
          'record_id',
          `Cannot change the target record of an existing scheduled change. It is ${flag.id}.`,
        ),
      )
      expect(seen(await call(path(tenant, change.id), bodyOf(flag.id)))).toEqual({
        status: 200,
        body: change,
      })
    }
  })

  it('takes the filters of a new flag around the condition sets that it adds', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const value = {
      groups: [{ properties: [], rollout_percentage: 10, aggregation_group_type_index: 0 }],
      aggregation_group_type_index: 0,
      multivariate: null,
      payloads: {},
    }
    const { payload } = await scheduled(tenant, flag.id, {
      payload: { operation: 'add_release_condition', value },
    })
    expect(payload).toEqual({ operation: 'add_release_condition', value })
  })

  const groups = [{ properties: [], rollout_percentage: 10 }]
  it.each([
    ['record_id', { record_id: 'x' }, 'A valid integer is required.'],
    [
      'cron_expression',
      { cron_expression: '0 9 * * 1' },
      'Cron expressions are not supported here: use recurrence_interval.',
    ],
    [
      'timezone',
      { timezone: 'Europe/Berlin' },
      'Changes repeat in UTC here. Give scheduled_at an offset for the time of another zone.',
    ],
    [
      'payload',
      { payload: { operation: 'delete', value: true } },
      '`operation` must be one of update_status, add_release_condition, update_variants.',
    ],
    [
      'payload',
      { payload: { operation: 'update_status', value: 'on' } },
      '`value` of update_status must be true or false.',
    ],
    [
      'payload',
      { payload: { operation: 'add_release_condition', value: { groups: [] } } },
      '`value` of add_release_condition must have `groups`: a list of condition sets.',
    ],
    [
      'payload',
      {
        payload: { operation: 'add_release_condition', value: { groups: [{ ...groups[0], variant: 'b' }] } },
      },
      'Filters are not valid (variant override does not exist)',
    ],
    [
      'payload',
      {
        payload: {
          operation: 'update_variants',
          value: { variants: [{ key: 'a', rollout_percentage: 40 }] },
        },
      },
      'Invalid variant definitions: Variant rollout percentages must sum to 100.',
    ],
    [
      'payload',
      { payload: { operation: 'update_status', value: true, note: 'x'.repeat(65_536) } },
      /^The payload has \d+ bytes; at most 65536 are possible\.$/,
    ],
    [
      'payload',
      { payload: { operation: 'update_status', value: true, archived: true } },
      'Unknown field: archived. Known fields: operation, value.',
      'unknown_field',
    ],
    [
      'payload',
      { payload: { operation: 'add_release_condition', value: { groups, payloads: { true: '1' } } } },
      'Unknown field: payloads. Known fields: groups.',
      'unknown_field',
    ],
    [
      'payload',
      {
        payload: {
          operation: 'add_release_condition',
          value: { groups, aggregation_group_type_index: 0 },
        },
      },
      'Unknown field: aggregation_group_type_index. Known fields: groups.',
      'unknown_field',
    ],
    [
      'payload',
      {
        payload: {
          operation: 'update_variants',
          value: { variants: [{ key: 'a', rollout_percentage: 100 }], groups },
        },
      },
      'Unknown field: groups. Known fields: variants, payloads.',
      'unknown_field',
    ],
    [
      'scheduled_at',
      { scheduled_at: '2026-03-10T12:00:00Z' },
      'This time has passed. It must be in the future.',
    ],
    [
      'recurrence_interval',
      { is_recurring: true },
      'This field is required when is_recurring is true.',
      'required',
    ],
    [
      'recurrence_interval',
      {
        payload: { operation: 'add_release_condition', value: { groups } },
        is_recurring: true,
        recurrence_interval: 'daily',
      },
      'Only update_status can be repeated.',
    ],
    [
      'end_date',
      { is_recurring: true, recurrence_interval: 'daily', end_date: bodyOf(1).scheduled_at },
      'End date must be after the scheduled start date.',
    ],
    [
      'recurrence_interval',
      { recurrence_interval: 'daily' },
      /^Cannot set recurrence_interval when is_recurring is false for new schedules\./,
    ],
    [
      'end_date',
      { end_date: '2099-12-31' },
      'Only a repeated change has an end: send is_recurring and recurrence_interval, too.',
    ],
  ] as [string, Json, string | RegExp, string?][])(
    'rejects an invalid %s: %j',
    async (attr, more, detail, code) => {
      const tenant = await createTenant()
      const flag = await tenant.flag()
      const response = await tenant.post(path(tenant), bodyOf(flag.id, more))
      const expected = typeof detail === 'string' ? detail : expect.stringMatching(detail)
      expect(seen(response)).toEqual(refused(attr, expected, code))
    },
  )

  it('is rejected for variants of a flag with encrypted payloads, which would be stored as plain text', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [], payloads: { true: '"secret"' } },
    })
    const payload = {
      operation: 'update_variants',
      value: { variants: [{ key: 'a', rollout_percentage: 100 }], payloads: { a: '1' } },
    }
    expect(seen(await tenant.post(path(tenant), bodyOf(flag.id, { payload })))).toEqual(
      refused('payload', 'Variants of a flag with encrypted payloads cannot be scheduled.'),
    )
  })

  it('is limited to a number that waits for a flag', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const change = await scheduled(tenant, flag.id)
    const isChange = eq(scheduledChanges.id, change.id)
    const [row] = await database().select().from(scheduledChanges).where(isChange)
    const more = Array.from({ length: MAX_PENDING_OF_FLAG - 1 }, () => {
      const { id: _id, ...copy } = row!
      return copy
    })
    for (const copy of more) await database().insert(scheduledChanges).values(copy)
    expect(seen(await tenant.post(path(tenant), bodyOf(flag.id)))).toEqual(
      refused(
        'record_id',
        'At most 20 scheduled changes of a flag and 500 of a project can wait.',
        'limit_reached',
      ),
    )
    await tenant.delete(path(tenant, change.id))
    await scheduled(tenant, flag.id)
  })

  it('is paused and resumed at its next time', async () => {
    // The project object uses the real time: it would execute a change that is due then.
    const tenant = await createTenant({
      harness: createHarness({ clock: testClock('2099-03-10T12:00:00Z') }),
    })
    const flag = await tenant.flag()
    const { id } = await scheduled(tenant, flag.id, {
      is_recurring: true,
      recurrence_interval: 'daily',
      scheduled_at: '2099-03-10T18:00:00Z',
      end_date: '2100-01-01',
    })
    const paused = await tenant.patch(path(tenant, id), { is_recurring: false })
    expect(paused.body).toMatchObject({ is_recurring: false, recurrence_interval: 'daily' })
    tenant.clock.advance({ days: 2 })
    const resumed = await tenant.patch(path(tenant, id), { is_recurring: true })
    expect(resumed.body).toMatchObject({ is_recurring: true, scheduled_at: '2099-03-12T18:00:00Z' })
    const once = await tenant.patch(path(tenant, id), { is_recurring: false, recurrence_interval: null })
    expect(once.body).toMatchObject({ is_recurring: false, recurrence_interval: null, end_date: null })
  })
})
