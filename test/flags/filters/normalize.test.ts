import { describe, expect, it } from 'vitest'
import { open, property, variants, where } from '../../support/filters'
import { survey } from '../../support/database/rows'
import { createTenant } from '../../support/tenant'

type Json = Record<string, unknown>

/** What is stored of the filters of a new flag. */
async function stored(filters: Json, body: Json = {}): Promise<Json> {
  const tenant = await createTenant()
  const flag = await tenant.flag({ filters, ...body })
  expect((await tenant.get(tenant.flags(flag.id))).body.filters).toEqual(flag.filters)
  return flag.filters
}

const AGGREGATED = { aggregation_group_type_index: null }

describe('filters as they are stored', () => {
  it('spell operators one way', async () => {
    const properties = ['min', 'max', 'gte', 'exact'].map((operator) => property({ operator, value: '5' }))
    expect(await stored(where(...properties))).toEqual({
      groups: [
        {
          properties: ['gte', 'lte', 'gte', 'exact'].map((operator) => property({ operator, value: '5' })),
          rollout_percentage: 100,
          ...AGGREGATED,
        },
      ],
      ...AGGREGATED,
    })
  })

  it('have text for the keys of properties', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag()
    const depending = await tenant.flag({
      filters: where(
        { key: base.id, type: 'flag', operator: 'flag_evaluates_to', value: true },
        property({ key: 42 }),
      ),
    })
    expect(depending.filters.groups[0].properties).toEqual([
      { key: String(base.id), type: 'flag', operator: 'flag_evaluates_to', value: true },
      property({ key: '42' }),
    ])
  })

  it('keep fields that are not evaluated unchanged', async () => {
    const fields = {
      groups: [
        {
          description: 'Everybody in Berlin',
          sort_key: 'b1',
          users_affected: 12.5,
          properties: [
            property({ label: 'E-mail', negation: false, group_key_names: undefined, bytecode: [null] }),
          ],
          rollout_percentage: 12.5,
          variant: null,
        },
        { sort_key: 'b2' },
        { properties: null },
      ],
      multivariate: {
        variants: [{ key: 'a', name: 'A', rollout_percentage: 100, description: 'red' }],
        note: 1,
      },
      holdout: { id: 3, exclusion_percentage: 5, name: 'All' },
      early_exit: null,
      feature_enrollment: true,
      experimental: { deep: [{ er: null }] },
    }
    expect(await stored(fields)).toEqual({
      ...JSON.parse(JSON.stringify(fields)),
      groups: JSON.parse(JSON.stringify(fields.groups)).map((set: Json) => ({ ...set, ...AGGREGATED })),
      ...AGGREGATED,
    })
  })

  it('lose their legacy parts', async () => {
    expect(
      await stored(
        open({ super_groups: [{}], holdout_groups: [{}], holdout: { id: 1, exclusion_percentage: 10 } }),
      ),
    ).toEqual({
      groups: [{ properties: [], rollout_percentage: 100, ...AGGREGATED }],
      holdout: { id: 1, exclusion_percentage: 10 },
      ...AGGREGATED,
    })
  })

  it('do not hold the display data of a read', async () => {
    const filters = where(property({ cohort_name: 'Regulars', group_key_names: { a: 'A' } }))
    expect(await stored(filters)).toEqual({
      groups: [{ properties: [property()], rollout_percentage: 100, ...AGGREGATED }],
      ...AGGREGATED,
    })
  })

  it('are left as they are when none were sent', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    expect(flag.filters).toEqual({ groups: [] })
    await survey(tenant, flag.id)
    const { body } = await tenant.patch(tenant.flags(flag.id), { name: 'x' })
    expect(body.filters).toEqual({ groups: [] })
  })
})

describe('aggregation', () => {
  const indexesOf = ({ groups, aggregation_group_type_index }: Json) => [
    aggregation_group_type_index,
    ...(groups as Json[]).map((set) => set.aggregation_group_type_index),
  ]

  it.each([
    ['goes from the flag to its condition sets', 2, [undefined, undefined], [2, 2, 2]],
    ['is not copied over what a set says itself', 2, [undefined, 1], [null, 2, 1]],
    ['is not copied over null', 2, [undefined, null], [null, 2, null]],
    ['is taken from condition sets that agree', undefined, [1, 1], [1, 1, 1]],
    ['is taken from them against what the flag says', 3, [0, 0], [0, 0, 0]],
    ['is null for a mixture', 1, [0, 1], [null, 0, 1]],
    ['is null when nobody says anything', undefined, [undefined], [null, null]],
  ])('%s', async (_, flagLevel, setLevel, indexes) => {
    const filters = await stored({
      groups: setLevel.map((aggregation_group_type_index) => ({ aggregation_group_type_index })),
      aggregation_group_type_index: flagLevel,
    })
    expect(indexesOf(filters)).toEqual(indexes)
  })
})

describe('a new remote configuration', () => {
  const REMOTE = { is_remote_configuration: true }
  const EVERYBODY = { properties: [], rollout_percentage: 100, variant: null }

  it.each([
    ['{}', {}],
    ['no groups', { groups: [] }],
    ['null for groups', { groups: null }],
  ])('is for everyone when it is sent %s', async (_, filters) => {
    expect(await stored(filters, REMOTE)).toEqual({
      groups: [{ ...EVERYBODY, ...AGGREGATED }],
      ...AGGREGATED,
    })
  })

  it('is for everyone when it is sent no filters', async () => {
    const tenant = await createTenant()
    expect((await tenant.flag(REMOTE)).filters).toEqual({ groups: [EVERYBODY] })
  })

  it('is rolled out where its condition sets have 0, null or nothing', async () => {
    const shares = [0, null, undefined, 30, 100]
    const { groups } = await stored(
      { groups: shares.map((rollout_percentage) => ({ properties: [], rollout_percentage })) },
      REMOTE,
    )
    expect((groups as Json[]).map((set) => set.rollout_percentage)).toEqual([100, 100, 100, 30, 100])
  })

  it('may be closed later', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag(REMOTE)
    const { body } = await tenant.patch(tenant.flags(flag.id), {
      filters: { groups: [{ properties: [], rollout_percentage: 0 }] },
    })
    expect(body.filters.groups).toEqual([{ properties: [], rollout_percentage: 0, ...AGGREGATED }])
  })
})

describe('payloads', () => {
  it.each([
    ['an object', { a: [1, 'b', null] }, '{"a":[1,"b",null]}'],
    ['a list', [], '[]'],
    ['a number', 1.5, '1.5'],
    ['false', false, 'false'],
    ['null', null, 'null'],
    ['JSON text', '{"a": 1}', '{"a": 1}'],
    ['the JSON text of a string', '"words"', '"words"'],
    ['JSON text with space around it', ' 5 ', ' 5 '],
  ])('are stored as JSON text: %s', async (_, sent, kept) => {
    expect(await stored(open({ payloads: { true: sent } }))).toMatchObject({ payloads: { true: kept } })
  })

  it('are kept by variant', async () => {
    const filters = await stored(variants({ a: 50, b: 50 }, { payloads: { a: { x: 1 }, b: '2' } }))
    expect(filters.payloads).toEqual({ a: '{"x":1}', b: '2' })
  })

  it('may be missing for some variants, or for all', async () => {
    expect((await stored(variants({ a: 50, b: 50 }, { payloads: { b: 1 } }))).payloads).toEqual({ b: '1' })
    expect((await stored(open({ payloads: {} }))).payloads).toEqual({})
  })
})
