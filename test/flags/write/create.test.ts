import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { storedFlag } from '../../support/database/rows'
import { createTenant } from '../../support/tenant'

/** A flag made in a project of its own. */
async function createdWith(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const tenant = await createTenant()
  return tenant.flag({ key: 'checkout', ...body })
}

async function refusalOf(body: unknown) {
  const tenant = await createTenant()
  return seen(await tenant.post(tenant.flags(), body))
}

describe('POST feature_flags', () => {
  it('needs a key and nothing else', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(tenant.flags(), {
      key: 'checkout',
      _should_create_usage_dashboard: false,
    })
    expect(response).toMatchObject({ status: 201 })
    const user = {
      id: tenant.user.id,
      uuid: tenant.user.uuid,
      distinct_id: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
      first_name: 'Ada',
      last_name: '',
      email: tenant.user.email,
      is_email_verified: true,
      hedgehog_config: null,
      role_at_organization: null,
    }
    expect(response.body).toEqual({
      id: expect.any(Number),
      name: '',
      key: 'checkout',
      filters: { groups: [] },
      deleted: false,
      active: true,
      archived: false,
      created_by: user,
      created_at: '2026-03-10T12:00:00Z',
      updated_at: '2026-03-10T12:00:00Z',
      version: 1,
      last_modified_by: user,
      ensure_experience_continuity: false,
      experiment_set: [],
      experiment_set_metadata: [],
      surveys: {},
      features: {},
      rollback_conditions: null,
      performed_rollback: null,
      can_edit: true,
      tags: [],
      evaluation_contexts: [],
      usage_dashboard: null,
      analytics_dashboards: [],
      has_enriched_analytics: false,
      user_access_level: 'manager',
      is_remote_configuration: false,
      has_encrypted_payloads: false,
      status: 'ACTIVE',
      evaluation_runtime: 'all',
      bucketing_identifier: 'distinct_id',
      last_called_at: null,
      is_used_in_replay_settings: false,
      is_eligible_for_experiment: false,
      creation_context: 'feature_flags',
      _create_in_folder: 'Unfiled/Feature Flags',
      _should_create_usage_dashboard: false,
    })
    expect((await tenant.get(tenant.flags(response.body.id))).body).toEqual(response.body)
  })

  it('keeps every field that it is sent', async () => {
    const tenant = await createTenant()
    const sent = {
      key: 'checkout',
      name: 'New checkout',
      filters: { groups: [{ properties: [], rollout_percentage: 50, variant: null }] },
      deleted: false,
      active: false,
      archived: true,
      created_at: '2026-01-02T03:04:05.000678Z',
      ensure_experience_continuity: true,
      rollback_conditions: [{ threshold: 5 }],
      performed_rollback: true,
      tags: ['beta'],
      evaluation_contexts: ['web'],
      has_enriched_analytics: true,
      is_remote_configuration: false,
      has_encrypted_payloads: false,
      evaluation_runtime: 'server',
      bucketing_identifier: 'distinct_id',
      last_called_at: '2026-02-03T04:05:06Z',
    }
    const flag = await tenant.flag(sent)
    expect(flag).toEqual({
      ...flag,
      ...sent,
      filters: {
        groups: [
          { properties: [], rollout_percentage: 50, variant: null, aggregation_group_type_index: null },
        ],
        aggregation_group_type_index: null,
      },
      status: 'ARCHIVED',
      version: 1,
    })
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(flag)
  })

  it('stores and shows the fields that only a new flag takes', async () => {
    const sent = { creation_context: 'surveys', _create_in_folder: 'Team/Flags' }
    const flag = await createdWith(sent)
    expect(flag).toMatchObject({ ...sent, _should_create_usage_dashboard: false })
    expect(await storedFlag(flag.id as number)).toMatchObject({
      creationContext: 'surveys',
      folder: 'Team/Flags',
    })
  })

  it.each([
    'ensure_experience_continuity',
    'has_enriched_analytics',
    'is_remote_configuration',
    'has_encrypted_payloads',
    'evaluation_runtime',
    'bucketing_identifier',
    'performed_rollback',
    'rollback_conditions',
    'last_called_at',
  ])('stores null as null: %s', async (field) => {
    expect(await createdWith({ [field]: null })).toMatchObject({ [field]: null })
  })

  it.each(['tags', 'evaluation_contexts'])('takes null for none: %s', async (field) => {
    expect(await createdWith({ [field]: null })).toMatchObject({ [field]: [] })
  })

  it.each([
    'name',
    'key',
    'filters',
    'deleted',
    'active',
    'archived',
    'created_at',
    'analytics_dashboards',
    'creation_context',
    '_create_in_folder',
    '_should_create_usage_dashboard',
  ])('refuses null: %s', async (field) => {
    expect(await refusalOf({ key: 'checkout', [field]: null })).toEqual(
      refused(field, 'This field may not be null.', 'null'),
    )
  })

  it.each([
    ['name', 7, '7'],
    ['name', '  spaced  ', 'spaced'],
    ['active', 'false', false],
    ['active', 0, false],
    ['active', 'no', false],
    ['has_enriched_analytics', 'true', true],
    ['has_enriched_analytics', 1, true],
    ['has_enriched_analytics', 'on', true],
    ['created_at', '2026-01-02T05:04:05+02:00', '2026-01-02T03:04:05Z'],
    ['created_at', '2026-01-02', '2026-01-02T00:00:00Z'],
    ['last_called_at', '2026-01-02 03:04:05.5', '2026-01-02T03:04:05.500000Z'],
    ['tags', [7], ['7']],
    ['rollback_conditions', { deep: [1, { a: null }] }, { deep: [1, { a: null }] }],
  ])('reads %s %j as %j', async (field, sent, read) => {
    expect(await createdWith({ [field]: sent })).toMatchObject({ [field]: read })
  })

  it.each([
    ['name', {}, 'Not a valid string.', 'invalid_input'],
    ['name', true, 'Not a valid string.', 'invalid_input'],
    ['active', 'perhaps', 'Must be a valid boolean.', 'invalid_input'],
    ['active', 2, 'Must be a valid boolean.', 'invalid_input'],
    ['ensure_experience_continuity', [], 'Must be a valid boolean.', 'invalid_input'],
    [
      'created_at',
      'yesterday',
      'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
      'invalid_input',
    ],
    [
      'evaluation_runtime',
      'edge',
      '"edge" is not a valid choice. Valid choices: server, client, all.',
      'invalid_choice',
    ],
    [
      'evaluation_runtime',
      '',
      '"" is not a valid choice. Valid choices: server, client, all.',
      'invalid_choice',
    ],
    [
      'bucketing_identifier',
      'ip',
      '"ip" is not a valid choice. Valid choices: distinct_id, device_id.',
      'invalid_choice',
    ],
    [
      'creation_context',
      'dreams',
      '"dreams" is not a valid choice. Valid choices: feature_flags, experiments, surveys, early_access_features, web_experiments, product_tours.',
      'invalid_choice',
    ],
    ['filters', [], 'Expected an object but got a list.', 'not_a_dict'],
    ['filters', 'all', 'Expected an object but got text.', 'not_a_dict'],
    ['tags', 'beta', 'Expected a list of items but got text.', 'not_a_list'],
    ['analytics_dashboards', 5, 'Expected a list of items but got an integer.', 'not_a_list'],
  ])('refuses %s %j', async (field, sent, detail, code) => {
    expect(await refusalOf({ key: 'checkout', [field]: sent })).toEqual(refused(field, detail, code))
  })

  it('ignores read-only and unknown fields', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      key: 'checkout',
      id: 999_999,
      version: 7,
      created_by: null,
      last_modified_by: { id: 1 },
      updated_at: '2001-01-01T00:00:00Z',
      experiment_set: [1],
      surveys: { a: 1 },
      features: { a: 1 },
      can_edit: false,
      usage_dashboard: 5,
      user_access_level: 'none',
      status: 'DELETED',
      is_used_in_replay_settings: true,
      is_eligible_for_experiment: true,
      nobody_knows_this: true,
    })
    expect(flag).toEqual({
      ...flag,
      version: 1,
      updated_at: '2026-03-10T12:00:00Z',
      created_by: flag.last_modified_by,
      experiment_set: [],
      surveys: {},
      features: {},
      can_edit: true,
      usage_dashboard: null,
      user_access_level: 'manager',
      status: 'ACTIVE',
      is_used_in_replay_settings: false,
      is_eligible_for_experiment: false,
    })
    expect(flag.id).not.toBe(999_999)
    expect(flag).not.toHaveProperty('nobody_knows_this')
  })

  it('may create a flag that is deleted already', async () => {
    expect(await createdWith({ deleted: true })).toMatchObject({ deleted: true, status: 'DELETED' })
  })

  it.each([
    [[], 'a list'],
    ['text', 'text'],
    [5, 'an integer'],
  ])('rejects a body that is not an object: %j', async (body, type) => {
    expect(await refusalOf(body)).toEqual(refused(null, `Invalid data. Expected an object, but got ${type}.`))
  })

  it('names the first field that fails, in the order of the fields', async () => {
    expect(await refusalOf({ active: 'perhaps', filters: [], key: '', name: null })).toEqual(
      refused('name', 'This field may not be null.', 'null'),
    )
    expect(await refusalOf({ active: 'perhaps', filters: [], key: '' })).toEqual(
      refused('key', 'This field may not be blank.', 'blank'),
    )
    expect(await refusalOf({ active: 'perhaps', filters: [], key: 'a' })).toEqual(
      refused('filters', 'Expected an object but got a list.', 'not_a_dict'),
    )
  })

  it('checks fields before the flag as a whole', async () => {
    expect(await refusalOf({ key: 'a b', active: true, archived: true })).toEqual(
      refused('key', 'Only letters, numbers, hyphens (-) & underscores (_) are allowed.', 'invalid_key'),
    )
    expect(await refusalOf({ key: 'a', archived: true, filters: {} })).toEqual(
      refused('filters', 'Feature flags must have at least one condition set (group).'),
    )
    expect(await refusalOf({ key: 'a', archived: true, analytics_dashboards: [404] })).toEqual(
      refused('analytics_dashboards', 'Invalid pk "404" - object does not exist.', 'does_not_exist'),
    )
  })
})
