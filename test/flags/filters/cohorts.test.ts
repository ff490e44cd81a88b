import { describe, expect, it } from 'vitest'
import type { FlagFilters } from '../../../src/flags/filters/flag-filters'
import { ask, publishSilently, valuesOf } from '../../sdk/flags-support'
import { refused, seen } from '../../support/responses'
import { inCohort, where } from '../../support/filters'
import { cohort, overwriteFlag } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const create = async (tenant: Tenant, ...properties: Json[]) =>
  seen(
    await tenant.post(tenant.flags(), {
      key: 'checkout',
      _should_create_usage_dashboard: false,
      filters: where(...properties),
    }),
  )

const person = { key: 'email', type: 'person', operator: 'is_set', value: 'is_set' }
const nobody = { key: 'email', type: 'person', operator: 'exact', value: ['nobody'] }

/** What SDKs are told of the flag for somebody with these properties. */
const isOnFor = async (tenant: Tenant, properties: Json) =>
  valuesOf(await ask(tenant, { person_properties: properties })).checkout

const behavioural = (key: unknown, value = 'performed_event') => ({ type: 'behavioral', key, value })
const nested = (id: number | string) => ({ type: 'cohort', key: 'id', value: id })

const missing = (id: unknown) =>
  refused('filters', `Cohort with id ${id} does not exist`, 'cohort_does_not_exist')
const eventBased = (name: string, condition: string) =>
  refused(
    'filters',
    `Cohort '${name}' has an event-based condition on ${condition} and cannot be used in feature flags.`,
    'behavioral_cohort_found',
  )

describe('a condition about a cohort', () => {
  it('names a cohort of the project, as a number or as text, and is stored with a number', async () => {
    const tenant = await createTenant()
    const [members, banned] = [await cohort(tenant, [person]), await cohort(tenant, [nobody])]
    const unsaid = { key: 'id', type: 'cohort', value: String(members) }
    const { status, body } = await create(
      tenant,
      inCohort(members),
      inCohort(String(members)),
      unsaid,
      inCohort(String(banned), { operator: 'not_in' }),
    )
    expect(status).toBe(201)
    expect(body.filters.groups[0].properties).toEqual([
      inCohort(members, { cohort_name: 'Regulars' }),
      inCohort(members, { cohort_name: 'Regulars' }),
      { ...unsaid, value: members, cohort_name: 'Regulars' },
      inCohort(banned, { operator: 'not_in', cohort_name: 'Regulars' }),
    ])
    expect(await isOnFor(tenant, { email: 'ada@example.com' })).toBe(true)
    expect(await isOnFor(tenant, {})).toBe(false)
  })

  it('is evaluated where it was stored with text', async () => {
    const tenant = await createTenant()
    const inner = await cohort(tenant, [person])
    const id = await cohort(tenant, [nested(String(inner))])
    const { body } = await create(tenant, inCohort(id))
    await overwriteFlag(body.id, { filters: where(inCohort(String(id))) as unknown as FlagFilters })
    await publishSilently(tenant)
    expect(await isOnFor(tenant, { email: 'ada@example.com' })).toBe(true)
    expect(await isOnFor(tenant, {})).toBe(false)
  })

  it.each(['exact', 'is_not', 'gt', 'is_set'])(
    'takes no operator %s, which never matches',
    async (operator) => {
      const tenant = await createTenant()
      const id = await cohort(tenant, [person])
      expect(await create(tenant, inCohort(String(id), { operator }))).toEqual(
        refused(
          'filters',
          `The '${operator}' operator cannot be used with cohort properties. Use 'in' or 'not_in'.`,
          'invalid_operator',
        ),
      )
    },
  )

  it('may leave its operator out', async () => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [person])
    expect(await create(tenant, { key: 'id', type: 'cohort', value: id })).toMatchObject({ status: 201 })
  })

  it('names one that exists', async () => {
    const tenant = await createTenant()
    const gone = await cohort(tenant, [person], { deleted: true })
    const foreign = await cohort(await createTenant(), [person])
    for (const id of [gone, foreign, 999_999]) expect(await create(tenant, inCohort(id))).toEqual(missing(id))
  })

  it.each([
    [true, 'true'],
    [null, 'null'],
    ['', ''],
    ['regulars', 'regulars'],
    [{}, '{}'],
    [{ toString: 1 }, '{"toString":1}'],
    [['x', null], '["x",null]'],
  ])('does not name it %j', async (value, printed) => {
    expect(await create(await createTenant(), inCohort(value))).toEqual(missing(printed))
  })

  it('does not name it by a list', async () => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [person])
    expect(await create(tenant, inCohort([id]))).toEqual(missing(`[${id}]`))
  })
})

describe('a cohort of those who did something', () => {
  it('is rejected', async () => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [person, behavioural('$pageview')], { name: 'Visitors' })
    expect(await create(tenant, inCohort(id))).toEqual(
      eventBased('Visitors', "'$pageview' (performed_event)"),
    )
  })

  it('is rejected with a count of the other conditions', async () => {
    const tenant = await createTenant()
    const two = await cohort(tenant, [behavioural('a'), behavioural('b')], { name: 'Two' })
    expect(await create(tenant, inCohort(two))).toEqual(
      eventBased('Two', "'a' (performed_event) and 1 other"),
    )
    const three = await cohort(
      tenant,
      [behavioural('a', 'performed_event_multiple'), behavioural('b'), behavioural('c')],
      { name: 'Three' },
    )
    expect(await create(tenant, inCohort(three))).toEqual(
      eventBased('Three', "'a' (performed_event_multiple) and 2 others"),
    )
  })

  it('is rejected behind other cohorts', async () => {
    const tenant = await createTenant()
    const bottom = await cohort(tenant, [behavioural('paid')], { name: 'Payers' })
    const middle = await cohort(tenant, [person, nested(String(bottom))], { name: 'Middle' })
    const top = await cohort(tenant, [nested(middle)], { name: 'Top' })
    for (const id of [middle, top]) {
      expect(await create(tenant, inCohort(id))).toEqual(eventBased('Payers', "'paid' (performed_event)"))
    }
  })

  it('is found in groups of any depth', async () => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [], {
      name: 'Deep',
      filters: {
        properties: {
          type: 'OR',
          values: [{ type: 'AND', values: [{ type: 'OR', values: [person, behavioural('deep')] }] }],
        },
      },
    })
    expect(await create(tenant, inCohort(id))).toEqual(eventBased('Deep', "'deep' (performed_event)"))
  })

  it('is welcome as a list, and nothing behind a list counts', async () => {
    const tenant = await createTenant()
    const list = await cohort(tenant, [behavioural('paid')], { isStatic: true })
    const around = await cohort(tenant, [nested(list)])
    expect(await create(tenant, inCohort(list), inCohort(around))).toMatchObject({ status: 201 })
  })

  it('does not send the walk in circles', async () => {
    const tenant = await createTenant()
    const first = await cohort(tenant, [person])
    const second = await cohort(tenant, [nested(first)])
    const third = await cohort(tenant, [nested(second), nested(second)])
    expect(await create(tenant, inCohort(third))).toMatchObject({ status: 201 })
    const selfish = await cohort(tenant, [nested(third + 1)])
    expect(selfish).toBe(third + 1)
    expect(await tenant.flag({ filters: where(inCohort(selfish)) })).toMatchObject({ version: 1 })
  })

  it('is accepted when a nested cohort is missing', async () => {
    const tenant = await createTenant()
    const gone = await cohort(tenant, [behavioural('paid')], { deleted: true })
    const id = await cohort(tenant, [person, nested(gone)])
    expect(await create(tenant, inCohort(id))).toMatchObject({ status: 201 })
  })
})

describe('cohorts that a flag was read with', () => {
  it('may be sent back with their names, which are shown and not stored', async () => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [person], { name: 'Regulars' })
    const flag = await tenant.flag({ filters: where(inCohort(id)) })
    const { body } = await tenant.patch(tenant.flags(flag.id), { filters: flag.filters })
    expect(body.filters).toEqual(flag.filters)
    const [entry] = (await tenant.get(tenant.flags(`${flag.id}/activity`))).body.results
    expect(entry.detail.changes).toEqual([
      { type: 'FeatureFlag', action: 'changed', field: 'version', before: 1, after: 2 },
    ])
  })
})
