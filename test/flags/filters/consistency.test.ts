// What the parts of `filters` have to say about each other. Rules 11–15, 17 and 18 of docs/reference/flags.md#rules-for-filters;
// dependencies.test.ts has rule 16.
import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { open, property, variants, where } from '../../support/filters'
import { earlyAccessFeature } from '../../support/database/rows'
import { createTenant } from '../../support/tenant'
import { type Breach, group, itRefuses } from './breaches'

const PERSON_ONLY =
  'Filters are not valid (person-aggregated conditions can only use person, cohort, and flag properties)'
const GROUP_ONLY = 'Filters are not valid (group-aggregated conditions can only use group properties)'
const OTHER_GROUP = "Filters are not valid (group properties must match the condition set's group type)"
const EVALUATES = "Flag properties must use the 'flag_evaluates_to' operator"
const SUM = 'Invalid variant definitions: Variant rollout percentages must sum to 100.'
const OVERRIDE = 'Filters are not valid (variant override does not exist)'

const RULES: Breach[] = [
  [12, where(property({ type: 'group', group_type_index: 0 })), PERSON_ONLY],
  [12, where(property({ type: 'event' })), PERSON_ONLY],
  [
    12,
    where(property(), property({ type: undefined })),
    'groups[0].properties[1].type is required: person, cohort, group, flag',
    'required',
  ],
  [13, where({ key: '1', type: 'flag', value: true }), EVALUATES],
  [13, where({ key: '1', type: 'flag', value: true, operator: 'exact' }), EVALUATES],
  [14, { ...where(property()), aggregation_group_type_index: 0 }, GROUP_ONLY],
  [
    14,
    { groups: [{ aggregation_group_type_index: 0, properties: [property({ type: 'cohort', value: 1 })] }] },
    GROUP_ONLY,
  ],
  [
    15,
    {
      groups: [
        { aggregation_group_type_index: 0, properties: [property({ type: 'group', group_type_index: 1 })] },
      ],
    },
    OTHER_GROUP,
  ],
  [
    15,
    { groups: [{ aggregation_group_type_index: 0, properties: [property({ type: 'group' })] }] },
    OTHER_GROUP,
  ],
  [17, variants({ a: 50, b: 40 }), SUM],
  [17, variants({ a: 50, b: 50.01 }), SUM],
  [17, variants({ a: 0 }), SUM],
  [18, group({ variant: 'ghost' }), OVERRIDE],
  [18, variants({ a: 100 }, group({ variant: 'ghost' })), OVERRIDE],
]

describe('the conditions of filters', () => {
  itRefuses(RULES)

  it('rule 11 keeps an early-access feature about persons', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await earlyAccessFeature(tenant, flag.id)
    expect(
      seen(
        await tenant.patch(tenant.flags(flag.id), {
          filters: { groups: [{}, { aggregation_group_type_index: 0 }] },
        }),
      ),
    ).toEqual(
      refused(
        'filters',
        'Cannot use group aggregation in any condition set when the flag is linked to an Early Access Feature.',
      ),
    )
    expect(await tenant.patch(tenant.flags(flag.id), { filters: open() })).toMatchObject({ status: 200 })
  })
})
