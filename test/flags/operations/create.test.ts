import { describe, expect, it } from 'vitest'
import { createTenant } from '../../support/tenant'

describe('POST feature_flags', () => {
  it('needs a key and nothing else', async () => {
    const tenant = await createTenant()
    const answer = await tenant.post(tenant.flags(), {
      key: 'checkout',
      _should_create_usage_dashboard: false,
    })
    expect(answer).toMatchObject({ status: 201 })
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
    expect(answer.body).toEqual({
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
    })
    expect((await tenant.get(tenant.flags(answer.body.id))).body).toEqual(answer.body)
  })
})
