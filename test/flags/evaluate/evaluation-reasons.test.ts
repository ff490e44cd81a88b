import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { env } from 'cloudflare:workers'
import { groupIdentify, sendEach } from '../../support/capture'
import { refused, seen } from '../../support/responses'
import { dependsOn, open, property, variants, where } from '../../support/filters'
import { createHarness } from '../../support/harness'
import { overwriteFlag } from '../../support/database/rows'
import { publishSilently } from '../../sdk/flags-support'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { withBatch } from '../../project/support'
import { failed, person } from './support'

const asked = (tenant: Tenant, query: Record<string, string> = { distinct_id: 'user-1' }) =>
  tenant.get(
    `/api/projects/${tenant.projectId}/feature_flags/evaluation_reasons/?${new URLSearchParams(query)}`,
  )

const reason = (value: boolean | string, code: string, index: number | null, description: string | null) => ({
  value,
  evaluation: { reason: code, condition_index: index, description },
})

const DISABLED = { value: false, evaluation: { reason: 'disabled', condition_index: null } }
const MATCHED = reason(true, 'condition_match', 0, 'Matched condition set 1')

describe('GET evaluation_reasons', () => {
  it('is about the flags that flag_keys names, and those that they depend on', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base', filters: open() })
    await tenant.flag({ key: 'top', filters: where(dependsOn(base.id)) })
    await tenant.flag({ key: 'other', filters: open() })
    await tenant.flag({ key: 'off', active: false })
    await tenant.flag({ key: 'also-off', active: false })
    const of = async (query: string) =>
      seen(
        await tenant.get(
          `/api/projects/${tenant.projectId}/feature_flags/evaluation_reasons/?distinct_id=user-1&${query}`,
        ),
      )
    const found = { status: 200, body: { base: MATCHED, top: MATCHED, off: DISABLED } }
    expect(await of('flag_keys=top&flag_keys=off')).toEqual(found)
    expect(await of('flag_keys=top,off')).toEqual(found)
    expect(await of('flag_keys=off,%20top,')).toEqual(found)
    expect(await of(`flag_keys=${encodeURIComponent('["top", "off"]')}`)).toEqual(found)
    expect(await of('flag_keys=[]')).toEqual({ status: 200, body: {} })
    expect(Object.keys((await of('flag_keys=')).body as object)).toHaveLength(5)
    expect(await of('flag_keys=[top')).toEqual(refused('flag_keys', 'Invalid JSON in flag_keys parameter'))
    expect(await of('flag_keys=[7]')).toEqual(refused('flag_keys', 'flag_keys must be a JSON array of texts'))
  })

  it('rejects a key that no flag has, with the closest one', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'checkout', filters: open() })
    await tenant.flag({ key: 'off', active: false })
    const of = async (flag_keys: string) => seen(await asked(tenant, { distinct_id: 'user-1', flag_keys }))
    expect(await of('off,chekout')).toEqual(
      refused('flag_keys', 'No flag has the key "chekout". Did you mean checkout?'),
    )
    expect(await of('["billing"]')).toEqual(refused('flag_keys', 'No flag has the key "billing".'))
  })

  it('returns result and reason of every flag, disabled and archived ones too', async () => {
    const tenant = await createTenant()
    const other = await createTenant()
    await other.flag({ key: 'foreign' })
    await person(tenant, { email: 'ada@example.com' }, 'user-1')
    const email = property({ operator: 'icontains', value: '@example.com' })
    await tenant.flag({ key: 'open', filters: open() })
    await tenant.flag({ key: 'targeted', filters: where(email) })
    await tenant.flag({ key: 'missed', filters: where(property({ operator: 'exact', value: 'x' })) })
    await tenant.flag({ key: 'nobody', filters: { groups: [{ rollout_percentage: 0 }] } })
    const empty = await tenant.flag({ key: 'empty', filters: open() })
    await tenant.patch(tenant.flags(empty.id), { filters: { groups: [] } })
    await tenant.flag({ key: 'button', filters: variants({ red: 100, blue: 0 }) })
    await tenant.flag({ key: 'b2b', filters: open({ aggregation_group_type_index: 0 }) })
    await tenant.flag({ key: 'held', filters: open({ holdout: { id: 3, exclusion_percentage: 100 } }) })
    await tenant.flag({ key: 'client', evaluation_runtime: 'client', filters: open() })
    await tenant.flag({ key: 'server', evaluation_runtime: 'server', filters: open() })
    await tenant.flag({ key: 'web', evaluation_contexts: ['web'], filters: open() })
    const secret = { is_remote_configuration: true, has_encrypted_payloads: true }
    await tenant.flag({ key: 'secret', ...secret, filters: open({ payloads: { true: '1' } }) })
    await tenant.flag({ key: 'off', active: false, filters: open() })
    await tenant.flag({ key: 'archived', active: false, archived: true, filters: open() })
    const deleted = await tenant.flag({ key: 'deleted', filters: open() })
    await tenant.patch(tenant.flags(deleted.id), { deleted: true })
    const late = await tenant.flag({ key: 'both', filters: open() })
    await overwriteFlag(late.id, { archived: true })
    await publishSilently(tenant)

    expect(seen(await asked(tenant))).toEqual({
      status: 200,
      body: {
        open: MATCHED,
        targeted: MATCHED,
        missed: reason(false, 'no_condition_match', 0, 'No matching condition set'),
        nobody: reason(false, 'out_of_rollout_bound', 0, 'Out of rollout bound'),
        empty: reason(false, 'no_group_type', null, 'The flag has no condition sets'),
        button: reason('red', 'condition_match', 0, 'Matched condition set 1'),
        b2b: reason(false, 'no_group_type', 0, 'No group type'),
        held: reason('holdout-3', 'holdout_condition_value', null, 'Holdout condition value'),
        client: MATCHED,
        server: MATCHED,
        web: MATCHED,
        secret: MATCHED,
        off: DISABLED,
        archived: DISABLED,
        both: DISABLED,
      },
    })
  })

  it('answers an empty map for a project without flags', async () => {
    expect(seen(await asked(await createTenant()))).toEqual({ status: 200, body: {} })
  })

  it('looks groups up in storage', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [groupIdentify('company', 'acme', { tier: 'gold' })])
    const tier = { key: 'tier', type: 'group', group_type_index: 0, operator: 'exact', value: 'gold' }
    await tenant.flag({ key: 'b2b', filters: { ...where(tier), aggregation_group_type_index: 0 } })
    const groups = (value: unknown) => ({ distinct_id: 'user-1', groups: JSON.stringify(value) })
    const missed = reason(false, 'no_condition_match', 0, 'No matching condition set')
    expect((await asked(tenant, groups({ company: 'acme' }))).body).toEqual({ b2b: MATCHED })
    expect((await asked(tenant, groups({ company: 'other' }))).body).toEqual({ b2b: missed })
    const nothing = { b2b: reason(false, 'no_group_type', 0, 'No group type') }
    expect((await asked(tenant, { distinct_id: 'user-1', groups: ' ' })).body).toEqual(nothing)
    expect((await asked(tenant)).body).toEqual(nothing)
  })

  it.each([
    ['no distinct_id', {}, refused('distinct_id', 'This field is required.', 'required')],
    ['a blank one', { distinct_id: ' ' }, refused('distinct_id', 'This field may not be blank.', 'blank')],
    [
      'groups that are no JSON',
      { distinct_id: 'a', groups: '{' },
      refused('groups', 'Invalid JSON in groups parameter'),
    ],
    [
      'groups that are a list',
      { distinct_id: 'a', groups: '[]' },
      refused('groups', 'groups must be a JSON object'),
    ],
    [
      'groups that are null',
      { distinct_id: 'a', groups: 'null' },
      refused('groups', 'groups must be a JSON object'),
    ],
    [
      'a parameter that it would ignore',
      { distinct_id: 'a', timestamp: '2026-01-01T00:00:00Z' },
      refused(
        'timestamp',
        'Unknown parameter: timestamp. Known parameters: distinct_id, groups, device_id, flag_keys.',
        'unknown_field',
      ),
    ],
  ] as [string, Record<string, string>, unknown][])('refuses %s', async (_, query, response) => {
    expect(seen(await asked(await createTenant(), query))).toEqual(response)
  })

  it('fails the flag that does not parse, and no other', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'fine', filters: open() })
    const flag = await tenant.flag({ key: 'broken', filters: open() })
    await database().run(sql`UPDATE feature_flags SET filters = '{' WHERE id = ${flag.id}`)
    await publishSilently(tenant)
    expect((await asked(tenant)).body).toEqual({
      fine: MATCHED,
      broken: reason(false, 'data_parsing_error', null, null),
    })
  })

  it('leaves out flags that depend on each other in a circle', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'fine', filters: open() })
    const base = await tenant.flag({ filters: open() })
    const flag = await tenant.flag({ filters: where(dependsOn(String(base.id))) })
    const circle = JSON.stringify(where(dependsOn(String(flag.id))))
    await database().run(sql`UPDATE feature_flags SET filters = ${circle} WHERE id = ${base.id}`)
    await publishSilently(tenant)
    expect((await asked(tenant)).body).toEqual({ fine: MATCHED })
  })

  it('is a 500 for a person who cannot be read', async () => {
    const tenant = await createTenant()
    const { id } = await person(tenant, {}, 'user-1')
    await database().run(sql`UPDATE persons SET properties = '{' WHERE id = ${id}`)
    expect(seen(await asked(tenant))).toEqual(failed(500, 'Failed to resolve person'))
  })

  it('is a 503 while the database fails', async () => {
    let broken = false
    const DB = withBatch(env.DB, (_, run) =>
      broken ? Promise.reject(new Error('D1_ERROR: secret internals')) : run(),
    )
    const harness = createHarness({ bindings: { DB } })
    const tenant = await createTenant({ harness })
    await tenant.flag({ key: 'fine', filters: open() })
    broken = true
    const response = await asked(tenant)
    expect(seen(response)).toEqual(
      failed(503, 'Feature flag evaluation service is temporarily unavailable. Please try again.'),
    )
    expect(response.headers.get('Retry-After')).toBe('1')
    expect(JSON.stringify(response.body)).not.toContain('secret internals')
    expect(response.line.error).toContain('secret internals')
    broken = false
    expect((await asked(tenant)).body).toEqual({ fine: MATCHED })
  })
})
