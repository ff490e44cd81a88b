// Is every part of `filters` of the kind that it has to be? Rules 1–8 and 10 of
// docs/reference/flags.md#rules-for-filters.
import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { open, property, variants, where } from '../../support/filters'
import { overwriteFlag } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'
import { type Breach, group, itRefuses } from './breaches'

const NO_GROUPS = 'Feature flags must have at least one condition set (group).'
const INDEX = (at: string, type: string) => `${at} must be an integer or null, got ${type}`
const SHARE = 'multivariate.variants[1].rollout_percentage'
const ROLLOUT = 'groups[0].rollout_percentage'

const RULES: Breach[] = [
  [1, {}, NO_GROUPS],
  [1, { groups: [] }, NO_GROUPS],
  [1, { groups: null }, NO_GROUPS],
  [1, { payloads: { true: '1' } }, NO_GROUPS],
  [2, open({ aggregation_group_type_index: '0' }), INDEX('aggregation_group_type_index', 'text')],
  [2, open({ aggregation_group_type_index: true }), INDEX('aggregation_group_type_index', 'a boolean')],
  [2, open({ aggregation_group_type_index: 0.5 }), INDEX('aggregation_group_type_index', 'a fraction')],
  [2, open({ aggregation_group_type_index: [0] }), INDEX('aggregation_group_type_index', 'a list')],
  [
    2,
    open({ aggregation_group_type_index: 5 }),
    'aggregation_group_type_index must be the index of a group type, 0 to 4, got 5',
  ],
  [
    7,
    group({ aggregation_group_type_index: -1 }),
    'groups[0].aggregation_group_type_index must be the index of a group type, 0 to 4, got -1',
  ],
  [3, open({ early_exit: 'yes' }), 'early_exit must be a boolean or null, got text'],
  [3, open({ early_exit: 1 }), 'early_exit must be a boolean or null, got an integer'],
  [3, open({ early_exit: {} }), 'early_exit must be a boolean or null, got an object'],
  [5, group({ variant: 1 }), 'groups[0].variant must be a string or null, got an integer'],
  [5, group({ variant: false }), 'groups[0].variant must be a string or null, got a boolean'],
  [6, group({ rollout_percentage: '50' }), `${ROLLOUT} must be a number or null, got text`],
  [6, group({ rollout_percentage: true }), `${ROLLOUT} must be a number or null, got a boolean`],
  [6, group({ rollout_percentage: -1 }), `${ROLLOUT} must be between 0 and 100, got -1`],
  [6, group({ rollout_percentage: 100.5 }), `${ROLLOUT} must be between 0 and 100, got 100.5`],
  [7, group({ aggregation_group_type_index: '1' }), INDEX('groups[0].aggregation_group_type_index', 'text')],
  [
    7,
    { groups: [{}, { aggregation_group_type_index: 1.5 }] },
    INDEX('groups[1].aggregation_group_type_index', 'a fraction'),
  ],
  [
    8,
    where(property(), property({ group_type_index: '0' })),
    INDEX('groups[0].properties[1].group_type_index', 'text'),
  ],
  [
    8,
    where(property(), property({ negation: true })),
    'groups[0].properties[1].negation has no effect on conditions of flags. Use an operator such as is_not or not_in.',
    'unsupported_filter',
  ],
  [
    8,
    where(property({ negation: 'yes' })),
    'groups[0].properties[0].negation must be a boolean or null, got text',
  ],
  [10, variants({ a: 100, b: null }), `${SHARE} must be a number, got null`],
  [10, variants({ a: 50, b: '50' }), `${SHARE} must be a number, got text`],
  [10, variants({ a: 50, b: true }), `${SHARE} must be a number, got a boolean`],
  [
    10,
    variants({ a: 150, b: -50 }),
    'multivariate.variants[0].rollout_percentage must be between 0 and 100, got 150',
  ],
]

const SET = 'properties, rollout_percentage, variant, aggregation_group_type_index'
const PROPERTY = 'key, type, operator, value, group_type_index, negation'
const HINT = (sent: string, meant: string) => `Unknown field: ${sent}. Did you mean ${meant}?`
const TYPOS: readonly (readonly [filters: Breach[1], sent: string, meant: string])[] = [
  [open({ group: [] }), 'group', 'groups'],
  [open({ multiVariate: null }), 'multiVariate', 'multivariate'],
  [open({ payload: {} }), 'payload', 'payloads'],
  [open({ earlyExit: true }), 'earlyExit', 'early_exit'],
  [open({ variants: [] }), 'variants', 'multivariate.variants'],
  [open({ properties: [] }), 'properties', 'groups[].properties'],
  [open({ rollout_percentage: 10 }), 'rollout_percentage', 'groups[].rollout_percentage'],
  [group({ rollout_percent: 10 }), 'groups[0].rollout_percent', 'rollout_percentage'],
  [group({ rolloutPercentage: 10 }), 'groups[0].rolloutPercentage', 'rollout_percentage'],
  [group({ rollout_precentage: 10 }), 'groups[0].rollout_precentage', 'rollout_percentage'],
  [group({ percentage: 10 }), 'groups[0].percentage', 'rollout_percentage'],
  [{ groups: [{}, { property: [] }] }, 'groups[1].property', 'properties'],
  [group({ variants: 'a' }), 'groups[0].variants', 'variant'],
  [where(property({ operater: 'exact' })), 'groups[0].properties[0].operater', 'operator'],
  [where(property(), property({ values: ['a'] })), 'groups[0].properties[1].values', 'value'],
  [where(property({ negatoin: true })), 'groups[0].properties[0].negatoin', 'negation'],
  [open({ multivariate: { variant: [], variants: [] } }), 'multivariate.variant', 'variants'],
  [
    open({ multivariate: { variants: [{ key: 'a', rollout_percentage: 100, percentage: 5 }] } }),
    'multivariate.variants[0].percentage',
    'rollout_percentage',
  ],
  [open({ holdout: { id: 1, exclusion_percent: 5 } }), 'holdout.exclusion_percent', 'exclusion_percentage'],
]

describe('the structure of filters', () => {
  itRefuses(RULES)

  itRefuses(TYPOS.map(([filters, sent, meant]) => [0, filters, HINT(sent, meant), 'unknown_field']))

  let shared: Tenant
  let search: { id: number }
  beforeAll(async () => {
    shared = await createTenant()
    search = await shared.flag({ key: 'search' })
  })

  it.each([
    ['rollout_percentage', 10, 'groups[].rollout_percentage'],
    ['rolloutPercent', 10, 'groups[].rollout_percentage'],
    ['groups', [], 'groups'],
    ['properties', [property()], 'groups[].properties'],
    ['variants', [], 'multivariate.variants'],
    ['payload', {}, 'payloads'],
    ['holdout', { id: 1, exclusion_percentage: 5 }, 'holdout'],
  ])('refuses %s beside the filters', async (field, value, place) => {
    const refusal = refused(field, HINT(field, `filters.${place}`), 'unknown_field')
    const created = await shared.post(shared.flags(), { key: 'checkout', [field]: value })
    const updated = await shared.patch(shared.flags(search.id), { filters: open(), [field]: value })
    expect([seen(created), seen(updated)]).toEqual([refusal, refusal])
    expect((await shared.get(shared.flags())).body.count).toBe(1)
  })

  it("takes back upstream's record of a flag, which repeats the only percentage", async () => {
    const tenant = await createTenant()
    const record = { key: 'checkout', filters: group({ rollout_percentage: 10 }), rollout_percentage: 10 }
    const flag = await tenant.flag({ ...record, is_simple_flag: true, features: [] })
    const contradicted = await tenant.patch(tenant.flags(flag.id), { ...record, rollout_percentage: 20 })
    expect(contradicted.status).toBe(400)
  })

  it("stores keys of upstream's clients, and others of the filters themselves, as they are sent", async () => {
    const tenant = await createTenant()
    const filters = {
      note: 'ours',
      groups: [
        {
          properties: [property({ operator: 'exact', label: 'Address' })],
          rollout_percentage: 100,
          description: 'Everybody',
          sort_key: 'a',
          users_affected: 5,
        },
      ],
      multivariate: { variants: [{ key: 'a', name: 'A', rollout_percentage: 100 }] },
    }
    const flag = await tenant.flag({ key: 'checkout', filters })
    expect(flag.filters).toEqual({
      ...filters,
      groups: [{ ...filters.groups[0], aggregation_group_type_index: null }],
      aggregation_group_type_index: null,
    })
  })

  it.each([
    ['groups[0].', group({ percent: 10 }), 'percent', SET],
    ['groups[0].', group({ users: ['ada'] }), 'users', SET],
    ['groups[0].', group({ start: '2099-01-01' }), 'start', SET],
    ['groups[0].properties[0].', where(property({ negate: true })), 'negate', PROPERTY],
    ['groups[0].properties[0].', where(property({ match_type: 'regex' })), 'match_type', PROPERTY],
    [
      'multivariate.variants[0].',
      open({ multivariate: { variants: [{ key: 'a', rollout_percentage: 100, payload: 1 }] } }),
      'payload',
      'key, rollout_percentage',
    ],
    [
      'holdout.',
      open({ holdout: { id: 1, exclusion_percentage: 5, until: 'x' } }),
      'until',
      'id, exclusion_percentage',
    ],
  ])('refuses %s with an unknown key: %j', async (place, filters, key, known) => {
    const refusal = refused(
      'filters',
      `Unknown field: ${place}${key}. Known fields: ${known}.`,
      'unknown_field',
    )
    const created = await shared.post(shared.flags(), { key: 'checkout', filters })
    const updated = await shared.patch(shared.flags(search.id), { filters })
    expect([seen(created), seen(updated)]).toEqual([refusal, refusal])
  })

  it('takes back the keys that the stored filters have', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout', filters: where(property()) })
    const [set] = flag.filters.groups
    const old = {
      ...flag.filters,
      groups: [{ ...set, note: 'ours', properties: [{ ...set.properties[0], icon: 'mail' }] }],
      multivariate: { variants: [{ key: 'a', rollout_percentage: 100, colour: 'red' }] },
      holdout: { id: 1, exclusion_percentage: 5, owner: 'ada' },
    }
    await overwriteFlag(flag.id, { filters: old })
    const { body } = await tenant.get(tenant.flags(flag.id))
    const sent = { ...body.filters, groups: [...body.filters.groups, { rollout_percentage: 5, note: 'new' }] }
    const updated = await tenant.patch(tenant.flags(flag.id), { filters: sent })
    expect(updated).toMatchObject({ status: 200, body: { filters: sent } })
    const whole = await tenant.patch(tenant.flags(flag.id), {
      ...updated.body,
      original_flag: updated.body,
    })
    expect(whole.status).toBe(200)
  })

  it.each([
    [
      'groups__0__rollout_percentage',
      '{"groups": [{"rollout_percentage": 1e999}]}',
      'Numbers must be finite: 1e999. The largest is about 1.8e308.',
    ],
    [
      'groups__0__rollout_percentage',
      '{"groups": [{"rollout_percentage": -1e999}]}',
      'Numbers must be finite: -1e999. The largest is about 1.8e308.',
    ],
    [
      'multivariate__variants__0__rollout_percentage',
      '{"groups": [{}], "multivariate": {"variants": [{"key": "a", "rollout_percentage": 1e999}]}}',
      'Numbers must be finite: 1e999. The largest is about 1.8e308.',
    ],
  ])('names %s, which is infinite: %s', async (place, filters, detail) => {
    const response = await shared.send('POST', shared.flags(), {
      raw: `{"key": "checkout", "filters": ${filters}}`,
      headers: { Authorization: `Bearer ${shared.key}`, 'Content-Type': 'application/json' },
    })
    expect(seen(response)).toEqual(refused(`filters__${place}`, detail))
  })
})
