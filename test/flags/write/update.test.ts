import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { open, property, variants, where } from '../../support/filters'
import {
  configureProject,
  dashboard,
  experiment,
  overwriteFlag,
  runningExperiment,
  storedFlag,
} from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const update = async (tenant: Tenant, id: number, body: Json = {}) =>
  seen(await tenant.patch(tenant.flags(id), body))

const LATER = '2026-03-10T13:00:00Z'

async function flagAnHourAgo(body: Json = {}) {
  const tenant = await createTenant()
  const flag = await tenant.flag({ key: 'checkout', ...body })
  tenant.clock.advance({ hours: 1 })
  return { tenant, flag }
}

describe('PATCH feature_flags/:id', () => {
  it('counts the version up and notes who and when, even when nothing changes', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    for (const version of [2, 3]) {
      const response = await update(tenant, flag.id)
      expect(response).toEqual({ status: 200, body: { ...flag, version, updated_at: LATER } })
    }
    expect((await tenant.get(tenant.flags(flag.id))).body).toMatchObject({ version: 3 })
  })

  it('keeps omitted fields', async () => {
    const { tenant, flag } = await flagAnHourAgo({
      name: 'New checkout',
      filters: where(property()),
      active: false,
      archived: true,
      ensure_experience_continuity: true,
      rollback_conditions: [1],
      performed_rollback: true,
      tags: ['beta'],
      evaluation_contexts: ['web'],
      has_enriched_analytics: true,
      evaluation_runtime: 'client',
      last_called_at: '2026-03-01T00:00:00.000001Z',
    })
    const linked = await dashboard(tenant)
    await update(tenant, flag.id, { analytics_dashboards: [linked] })
    expect(await update(tenant, flag.id, { name: 'Checkout 2' })).toEqual({
      status: 200,
      body: { ...flag, name: 'Checkout 2', version: 3, updated_at: LATER, analytics_dashboards: [linked] },
    })
  })

  it.each([
    ['name', ''],
    ['active', false],
    ['created_at', '2026-03-01T00:00:00Z'],
    ['ensure_experience_continuity', null],
    ['ensure_experience_continuity', true],
    ['has_enriched_analytics', null],
    ['is_remote_configuration', true],
    ['is_remote_configuration', null],
    ['evaluation_runtime', 'server'],
    ['evaluation_runtime', null],
    ['bucketing_identifier', 'device_id'],
    ['bucketing_identifier', null],
    ['rollback_conditions', { a: [] }],
    ['performed_rollback', true],
    ['last_called_at', '2026-03-09T00:00:00Z'],
    ['tags', ['x']],
    ['evaluation_contexts', ['web']],
  ])('writes %s %j', async (field, value) => {
    const { tenant, flag } = await flagAnHourAgo()
    const response = await update(tenant, flag.id, { [field]: value })
    expect(response.body).toEqual({ ...flag, [field]: value, version: 2, updated_at: LATER })
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(response.body)
  })

  it.each([
    ['name', null, 'This field may not be null.', 'null'],
    ['key', '', 'This field may not be blank.', 'blank'],
    ['key', null, 'This field may not be null.', 'null'],
    ['active', 'perhaps', 'Must be a valid boolean.', 'invalid_input'],
    ['filters', null, 'This field may not be null.', 'null'],
    [
      'evaluation_runtime',
      'edge',
      '"edge" is not a valid choice. Valid choices: server, client, all.',
      'invalid_choice',
    ],
    ['analytics_dashboards', [0], 'Invalid pk "0" - object does not exist.', 'does_not_exist'],
  ])('refuses %s %j', async (field, value, detail, code) => {
    const { tenant, flag } = await flagAnHourAgo()
    expect(await update(tenant, flag.id, { [field]: value })).toEqual(refused(field, detail, code))
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(flag)
  })

  it('names the first field that fails, in the order of the fields', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    expect(await update(tenant, flag.id, { active: 'perhaps', filters: [], key: '' })).toEqual(
      refused('key', 'This field may not be blank.', 'blank'),
    )
  })

  it('ignores what cannot be written', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    const readOnly = { id: 1, created_by: null, version: 9, status: 'STALE', surveys: { a: 1 }, whatever: 1 }
    expect(await update(tenant, flag.id, readOnly)).toEqual({
      status: 200,
      body: { ...flag, version: 2, updated_at: LATER },
    })
  })

  it('knows who changed the flag, and leaves who made it', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    await overwriteFlag(flag.id, { createdById: null })
    const { body } = await update(tenant, flag.id)
    expect(body).toMatchObject({ created_by: null, last_modified_by: { id: tenant.user.id } })
  })

  it('finds the flags of its own project only, deleted ones too', async () => {
    const tenant = await createTenant()
    const nothing = {
      status: 404,
      body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
    }
    const foreign = await (await createTenant()).flag()
    expect(await update(tenant, foreign.id)).toEqual(nothing)
    expect(await update(tenant, 987_654)).toEqual(nothing)
    expect(seen(await tenant.patch(tenant.flags('checkout')))).toEqual({
      ...nothing,
      body: {
        ...nothing.body,
        detail: 'Not found. The path takes the id of a flag, not its key: bulk_keys and the list show both.',
      },
    })

    const flag = await tenant.flag()
    await update(tenant, flag.id, { deleted: true })
    expect(await update(tenant, flag.id, { name: 'gone' })).toMatchObject({
      status: 200,
      body: { name: 'gone', deleted: true, version: 3, status: 'DELETED' },
    })
  })
})

describe('the key of a flag', () => {
  const TAKEN = refused('key', 'There is already a feature flag with this key.', 'unique')

  it('can change', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    expect(await update(tenant, flag.id, { key: ' other ' })).toMatchObject({ body: { key: 'other' } })
    expect(await tenant.flag({ key: 'checkout' })).toMatchObject({ key: 'checkout' })
  })

  it('is checked only when it changes', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    await overwriteFlag(flag.id, { key: 'from older days' })
    expect(await update(tenant, flag.id, { key: 'from older days' })).toMatchObject({ status: 200 })
    expect(await update(tenant, flag.id, { key: 'from.older.days' })).toEqual(
      refused('key', 'Only letters, numbers, hyphens (-) & underscores (_) are allowed.', 'invalid_key'),
    )
  })

  it('is not that of another live flag', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    await tenant.flag({ key: 'taken' })
    expect(await update(tenant, flag.id, { key: 'taken' })).toEqual(TAKEN)
  })

  it('goes to one of two concurrent requests', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    const other = await tenant.flag()
    const responses = await Promise.all([flag, other].map(({ id }) => update(tenant, id, { key: 'wanted' })))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(responses.find(({ status }) => status === 400)).toEqual(TAKEN)
  })

  it('may be that of a deleted flag, which is then removed permanently', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    const gone = await tenant.flag({ key: 'gone' })
    await update(tenant, gone.id, { deleted: true })
    expect(await update(tenant, flag.id, { key: 'gone' })).toMatchObject({ body: { key: 'gone' } })
    expect(await storedFlag(gone.id)).toBeUndefined()
  })

  it('is not that of a deleted flag that an experiment refers to', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    const gone = await tenant.flag({ key: 'gone' })
    await update(tenant, gone.id, { deleted: true })
    const id = await experiment(tenant, gone.id, { name: 'Trial' })
    expect(await update(tenant, flag.id, { key: 'gone' })).toEqual(
      refused(
        null,
        `Cannot reuse key 'gone': a soft-deleted flag with this key is still referenced by experiment "Trial" (ID: ${id}). ` +
          'Please contact support.',
      ),
    )
  })
})

describe('filters of a flag', () => {
  it('are replaced as a whole when they are sent with groups', async () => {
    const { tenant, flag } = await flagAnHourAgo({
      filters: variants({ a: 100 }, { payloads: { a: '1' }, early_exit: true, odd: 1 }),
    })
    const { body } = await update(tenant, flag.id, { filters: { groups: [{ rollout_percentage: 5 }] } })
    expect(body.filters).toEqual({
      groups: [{ rollout_percentage: 5, aggregation_group_type_index: null }],
      aggregation_group_type_index: null,
    })
  })

  it('stay when empty ones are sent', async () => {
    const { tenant, flag } = await flagAnHourAgo({ filters: where(property()) })
    expect(await update(tenant, flag.id, { filters: {} })).toEqual({
      status: 200,
      body: { ...flag, version: 2, updated_at: LATER },
    })
  })

  it.each([{ payloads: { true: '1' } }, { multivariate: null }, { conditions_v2: [] }, { groups: null }])(
    'are refused without groups: %j',
    async (filters) => {
      const { tenant, flag } = await flagAnHourAgo({ filters: where(property()) })
      expect(await update(tenant, flag.id, { filters })).toEqual(
        refused('filters', 'filters replaces all condition sets, variants and payloads. Send groups, too.'),
      )
      expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(flag)
    },
  )

  it.each([
    [{ rollout_percentage: 20 }, 'rollout_percentage', 'groups[].rollout_percentage'],
    [{ grups: [{ rollout_percentage: 20 }] }, 'grups', 'groups'],
    [{ Groups: [] }, 'Groups', 'groups'],
    [{ conditions: [] }, 'conditions', 'groups'],
  ])('are refused with a misspelt part and without groups: %j', async (filters, sent, meant) => {
    const { tenant, flag } = await flagAnHourAgo({ filters: where(property()) })
    expect(await update(tenant, flag.id, { filters })).toEqual(
      refused('filters', `Unknown field: ${sent}. Did you mean ${meant}?`, 'unknown_field'),
    )
  })

  it('may lose all their groups', async () => {
    const { tenant, flag } = await flagAnHourAgo({ filters: where(property()) })
    const { body } = await update(tenant, flag.id, { filters: { groups: [] } })
    expect(body.filters).toEqual({ groups: [], aggregation_group_type_index: null })
  })

  it('lose their legacy parts with any update', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    const holdout = { id: 1, exclusion_percentage: 5 }
    await overwriteFlag(flag.id, {
      filters: { groups: [], super_groups: [{}], holdout_groups: null, holdout, odd: 1 },
    })
    const { body } = await update(tenant, flag.id, { name: 'x' })
    expect(body.filters).toEqual({ groups: [], holdout, odd: 1 })
  })

  it('are rejected by the rules of creation', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    expect(await update(tenant, flag.id, { filters: variants({ a: 1 }) })).toEqual(
      refused('filters', 'Invalid variant definitions: Variant rollout percentages must sum to 100.'),
    )
  })

  it('may keep a pattern that would be rejected today, wherever it moves', async () => {
    const { tenant, flag } = await flagAnHourAgo()
    const old = property({ operator: 'regex', value: '(?(1)a|b)' })
    await overwriteFlag(flag.id, { filters: where(old) as never })
    expect(await update(tenant, flag.id, { filters: where(property(), old) })).toMatchObject({ status: 200 })
    expect(
      await update(tenant, flag.id, {
        filters: where(property({ operator: 'not_regex', value: '(?(1)b|a)' })),
      }),
    ).toEqual(
      refused(
        'filters',
        'groups[0].properties[0].value: a conditional group is not supported in regular expressions here',
      ),
    )
  })

  it('may lose a variant that an experiment uses', async () => {
    const { tenant, flag } = await flagAnHourAgo({ filters: variants({ a: 50, b: 50 }) })
    await runningExperiment(tenant, flag.id)
    expect(await update(tenant, flag.id, { filters: variants({ a: 100 }) })).toMatchObject({ status: 200 })
    expect(await update(tenant, flag.id, { filters: open() })).toMatchObject({ status: 200 })
  })
})

describe('labels of a flag', () => {
  it.each(['tags', 'evaluation_contexts'])('are replaced when they are sent: %s', async (field) => {
    const { tenant, flag } = await flagAnHourAgo({ [field]: ['a', 'b'] })
    const after = async (value: unknown) => (await update(tenant, flag.id, { [field]: value })).body[field]
    expect(await after(null)).toEqual(['a', 'b'])
    expect(await after([' C', 'b'])).toEqual(['b', 'c'])
    expect(await after([])).toEqual([])
  })

  it('of another flag stay', async () => {
    const { tenant, flag } = await flagAnHourAgo({ tags: ['a'], evaluation_contexts: ['web'] })
    const other = await tenant.flag({ tags: ['a'], evaluation_contexts: ['web'] })
    await update(tenant, flag.id, { tags: [], evaluation_contexts: [] })
    expect((await tenant.get(tenant.flags(other.id))).body).toEqual(other)
  })

  it('cannot be taken away where the project requires contexts', async () => {
    const tenant = await createTenant()
    const [bare, labelled] = [await tenant.flag(), await tenant.flag({ evaluation_contexts: ['web'] })]
    await configureProject(tenant, { requireEvaluationContexts: true })
    // Another isolate: this one still knows the project as it was.
    const { send: sendTo } = createHarness({ clock: tenant.clock })
    const headers = { Authorization: `Bearer ${tenant.key}` }
    const send = async (id: number, body: Json) =>
      seen(await sendTo('PATCH', tenant.flags(id), { body, headers }))
    expect(await send(labelled.id, { evaluation_contexts: [] })).toEqual(
      refused(
        null,
        'Cannot remove all evaluation contexts. At least one evaluation context is required because this flag already has ' +
          'evaluation contexts and the team requires them.',
      ),
    )
    expect(await send(labelled.id, { evaluation_contexts: ['api'] })).toMatchObject({ status: 200 })
    expect(await send(labelled.id, { name: 'x' })).toMatchObject({ status: 200 })
    expect(await send(bare.id, { evaluation_contexts: [] })).toMatchObject({ status: 200 })
  })
})
