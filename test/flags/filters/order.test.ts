import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { property } from '../../support/filters'
import { OPERATORS } from '../../../src/flags/filters/flag-filters'
import { createTenant, type Tenant } from '../../support/tenant'

const ROUGHLY = `Invalid operator: roughly. Valid operators: ${[...OPERATORS].join(', ')}.`

type Json = Record<string, unknown>

const create = async (tenant: Tenant, filters: Json) =>
  seen(await tenant.post(tenant.flags(), { key: 'checkout', _should_create_usage_dashboard: false, filters }))

const group = (fields: Json) => ({ groups: [{ properties: [], ...fields }] })

describe('the order of the rules', () => {
  /** Each breaks one rule, in the order in which they are told. */
  const BROKEN: [Json, string][] = [
    [
      { aggregation_group_type_index: 'x' },
      'aggregation_group_type_index must be an integer or null, got text',
    ],
    [{ early_exit: 'x' }, 'early_exit must be a boolean or null, got text'],
    [group({ variant: 1 }), 'groups[0].variant must be a string or null, got an integer'],
    [group({ rollout_percentage: 'x' }), 'groups[0].rollout_percentage must be a number or null, got text'],
    [
      group({ aggregation_group_type_index: 'x' }),
      'groups[0].aggregation_group_type_index must be an integer or null, got text',
    ],
    [
      group({ properties: [property({ group_type_index: 'x' })] }),
      'groups[0].properties[0].group_type_index must be an integer or null, got text',
    ],
    [
      group({ properties: [property({ operator: 'regex', value: '(' })] }),
      'groups[0].properties[0].value: invalid regex pattern',
    ],
    [
      { multivariate: { variants: [{ key: 'a', rollout_percentage: null }] } },
      'multivariate.variants[0].rollout_percentage must be a number, got null',
    ],
    [
      group({ properties: [property({ type: 'event' })] }),
      'Filters are not valid (person-aggregated conditions can only use person, cohort, and flag properties)',
    ],
    [
      group({ properties: [{ key: 'not-an-id', type: 'flag', operator: 'flag_evaluates_to', value: true }] }),
      "Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: 'not-an-id'",
    ],
    [
      { multivariate: { variants: [{ key: 'a', rollout_percentage: 1 }] } },
      'Invalid variant definitions: Variant rollout percentages must sum to 100.',
    ],
    [group({ variant: 'ghost' }), 'Filters are not valid (variant override does not exist)'],
    [group({ properties: [property({ operator: 'roughly' })] }), ROUGHLY],
    [{ payloads: 'x' }, 'Payloads must be an object'],
  ]

  /** Both breaches in one: their condition sets become one. */
  function together(first: Json, second: Json): Json {
    const sets = [first, second].map(({ groups }) => (groups as Json[] | undefined)?.[0] ?? {})
    const properties = sets.flatMap((set) => (set.properties as Json[] | undefined) ?? [])
    return { ...second, ...first, groups: [{ ...sets[1], ...sets[0], properties }] }
  }

  const PAIRS = BROKEN.slice(1).map(([later, next], index) => {
    const [earlier, first] = BROKEN[index]!
    return [first, next, together(earlier, later)] as const
  })

  it.each(PAIRS)('tells "%s" before "%s"', async (first, _, filters) => {
    expect(await create(await createTenant(), filters)).toEqual(
      refused('filters', first, first.startsWith('Invalid operator') ? 'invalid_operator' : undefined),
    )
  })

  it('reports the first property of all sets', async () => {
    const filters = {
      groups: [
        { properties: [property(), property({ operator: 'gt', value: 1 })] },
        { properties: [property({ operator: 'roughly' })] },
      ],
    }
    expect(await create(await createTenant(), filters)).toEqual(
      refused('filters', 'Invalid value for operator gt: 1', 'invalid_value'),
    )
  })
})
