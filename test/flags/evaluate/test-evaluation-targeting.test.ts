import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { cohortMembers } from '../../../drizzle'
import { event, groupIdentify, sendEach } from '../../support/capture'
import { dependsOn, inCohort, open, property, variants, where } from '../../support/filters'
import { cohort, configureProject } from '../../support/database/rows'
import { createTenant, database } from '../../support/tenant'
import { answered, lookedAt, matchedSet, missedSet, person, tested, UNMATCHED } from './support'

const USER = { distinct_id: 'user-1' }
const PRO = { key: 'plan', type: 'person', operator: 'exact', value: 'pro' }

const membership = (id: number, operator: 'in' | 'not_in', matched: boolean) =>
  lookedAt(
    ['id', operator, id, 'cohort'],
    matched,
    `Property 'id' ${matched === (operator === 'in') ? 'is in' : 'is not in'} ${id}`,
  )

describe('groups', () => {
  const TIER = { key: 'tier', type: 'group', group_type_index: 0, operator: 'exact', value: 'gold' }

  it('are looked up in storage, and bucketed by their key', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [groupIdentify('company', 'acme', { tier: 'gold', name: 'Acme' })])
    const flag = await tenant.flag({
      key: 'b2b',
      filters: { ...where(TIER), aggregation_group_type_index: 0 },
    })
    const gold = (matched: boolean, actual: unknown) =>
      lookedAt(
        ['tier', 'exact', 'gold', 'group'],
        matched,
        `Property 'tier' ${matched ? 'equals' : 'does not equal'} "gold"`,
        actual,
      )
    expect(await tested(tenant, flag, { ...USER, groups: { company: 'acme' } })).toEqual(
      answered('b2b', { conditions: [matchedSet(0, { properties: [gold(true, 'gold')] })] }),
    )
    expect(await tested(tenant, flag, { ...USER, groups: { company: 'other' } })).toEqual(
      answered('b2b', { ...UNMATCHED, conditions: [missedSet(0, { properties: [gold(false, null)] })] }),
    )
    const past = { timestamp: '2026-03-10T12:00:00Z', groups: { company: 'acme' } }
    expect(await tested(tenant, flag, { ...USER, ...past })).toEqual(
      answered('b2b', { conditions: [matchedSet(0, { properties: [gold(true, 'gold')] })] }),
    )
  })

  it.each([
    ['not given', {}],
    ['of another type', { team: 'acme' }],
    ['without a key', { company: '' }],
  ])('that are %s leave a flag about groups without an answer', async (_, groups) => {
    const tenant = await createTenant()
    await sendEach(tenant, [groupIdentify('company', 'acme', { tier: 'gold' })])
    const flag = await tenant.flag({ key: 'b2b', filters: open({ aggregation_group_type_index: 0 }) })
    expect(await tested(tenant, flag, { ...USER, groups })).toEqual(
      answered('b2b', {
        result: false,
        reason: 'no_group_type',
        reason_description: 'No group type',
        conditions: [
          missedSet(0, {
            properties_matched: true,
            explanation:
              'Condition set 1 matched properties but was not evaluated because no group was given for it',
          }),
        ],
      }),
    )
  })
})

describe('cohorts', () => {
  it.each([
    ['dependency_not_found_cohort', sql`deleted = 1`],
    [
      'dependency_cycle_cohort',
      sql`filters = json_object('properties', json_object('type', 'OR', 'values',
        json_array(json_object('type', 'cohort', 'key', 'id', 'value', id))))`,
    ],
  ])('that leave nothing to look at are the reason: %s', async (reason, change) => {
    const tenant = await createTenant()
    const inner = await cohort(tenant, [PRO])
    const outer = await cohort(tenant, [inCohort(inner)])
    const flag = await tenant.flag({ key: 'gone', filters: where(inCohort(outer)) })
    await database().run(sql`UPDATE cohorts SET ${change} WHERE id = ${inner}`)
    const response = answered('gone', {
      result: false,
      reason,
      reason_description: null,
      condition_index: null,
      conditions: [
        missedSet(0, {
          properties: [
            lookedAt(
              ['id', 'in', outer, 'cohort'],
              false,
              `Property 'id' is not in ${outer} (that cohort could not be checked)`,
            ),
          ],
        }),
      ],
    })
    expect(await tested(tenant, flag, USER)).toEqual(response)
    const past = tenant.clock.now().toISOString()
    expect(await tested(tenant, flag, { ...USER, timestamp: past })).toEqual(response)
  })

  it('that are rules are checked on the properties of the person, nested ones too', async () => {
    const tenant = await createTenant()
    const inner = await cohort(tenant, [PRO])
    const outer = await cohort(tenant, [inCohort(inner)])
    await person(tenant, { plan: 'pro' }, 'user-1')
    const flag = await tenant.flag({ key: 'beta', filters: where(inCohort(outer)) })
    expect(await tested(tenant, flag, USER)).toEqual(
      answered('beta', { conditions: [matchedSet(0, { properties: [membership(outer, 'in', true)] })] }),
    )
    expect(await tested(tenant, flag, { distinct_id: 'user-2' })).toEqual(
      answered('beta', {
        ...UNMATCHED,
        evaluation_distinct_id: 'user-2',
        conditions: [missedSet(0, { properties: [membership(outer, 'in', false)] })],
      }),
    )
  })

  it('that are lists are checked by who is in them, then as now', async () => {
    const tenant = await createTenant()
    const { id } = await person(tenant, {}, 'user-1')
    const list = await cohort(tenant, [], { isStatic: true, filters: null })
    const nested = await cohort(tenant, [inCohort(list)])
    await database().insert(cohortMembers).values({ cohortId: list, personId: id })
    const filters = {
      groups: [
        { properties: [inCohort(nested, { operator: 'not_in' })], rollout_percentage: 100 },
        { properties: [inCohort(list)], rollout_percentage: 100 },
      ],
    }
    const flag = await tenant.flag({ key: 'beta', filters })
    const response = answered('beta', {
      condition_index: 1,
      reason_description: 'Matched condition set 2',
      conditions: [
        missedSet(0, { properties: [membership(nested, 'not_in', false)] }),
        matchedSet(1, { properties: [membership(list, 'in', true)] }),
      ],
    })
    expect(await tested(tenant, flag, USER)).toEqual(response)
    expect(await tested(tenant, flag, { ...USER, timestamp: '2026-03-10T12:00:00Z' })).toEqual(response)
  })
})

describe('flags that a flag depends on', () => {
  const needs = (id: number, matched: boolean, value: unknown = true) =>
    lookedAt(
      [String(id), 'flag_evaluates_to', value, 'flag'],
      matched,
      `Property '${id}' ${matched ? 'evaluates to' : 'does not evaluate to'} ${JSON.stringify(value)}`,
    )

  it('are evaluated first, however far they lead', async () => {
    const tenant = await createTenant()
    await person(tenant, { plan: 'pro' }, 'user-1')
    const root = await tenant.flag({
      filters: { ...variants({ red: 100 }), groups: [{ properties: [PRO] }] },
    })
    const middle = await tenant.flag({ filters: where(dependsOn(String(root.id), { value: 'red' })) })
    const flag = await tenant.flag({ key: 'leaf', filters: where(dependsOn(String(middle.id))) })
    expect(await tested(tenant, flag, USER)).toEqual(
      answered('leaf', { conditions: [matchedSet(0, { properties: [needs(middle.id, true)] })] }),
    )
    const off = { ...UNMATCHED, evaluation_distinct_id: 'user-2' }
    expect(await tested(tenant, flag, { distinct_id: 'user-2' })).toEqual(
      answered('leaf', { ...off, conditions: [missedSet(0, { properties: [needs(middle.id, false)] })] }),
    )
  })

  it('close it when they are gone', async () => {
    const tenant = await createTenant()
    const root = await tenant.flag({ filters: open() })
    const flag = await tenant.flag({
      key: 'leaf',
      active: false,
      filters: where(dependsOn(String(root.id))),
    })
    await tenant.patch(tenant.flags(root.id), { deleted: true })
    await database().run(`UPDATE feature_flags SET active = 1 WHERE id = ${flag.id}`)
    expect(await tested(tenant, flag, USER)).toEqual(
      answered('leaf', {
        result: false,
        reason: 'missing_dependency',
        reason_description: 'Flag cannot be evaluated due to missing dependency',
        condition_index: null,
        conditions: [missedSet(0, { properties: [needs(root.id, false)] })],
      }),
    )
  })
})

describe('what decides before the conditions', () => {
  it('holds out', async () => {
    const tenant = await createTenant()
    const filters = open({ holdout: { id: 7, exclusion_percentage: 100 } })
    const flag = await tenant.flag({ key: 'beta', filters })
    expect(await tested(tenant, flag, USER)).toEqual(
      answered('beta', {
        result: 'holdout-7',
        reason: 'holdout_condition_value',
        reason_description: 'Holdout condition value',
        condition_index: null,
        conditions: [
          missedSet(0, {
            properties_matched: true,
            explanation:
              'Condition set 1 matched properties but was not evaluated because the holdout decided',
          }),
        ],
      }),
    )
  })

  it.each([true, false])('enrols: %s', async (enrolled) => {
    const tenant = await createTenant()
    await person(tenant, { '$feature_enrollment/beta': enrolled, plan: 'pro' }, 'user-1')
    const flag = await tenant.flag({ key: 'beta', filters: open({ feature_enrollment: true }) })
    expect(await tested(tenant, flag, USER)).toEqual(
      answered('beta', {
        result: enrolled,
        reason: 'super_condition_value',
        reason_description: 'Super condition value',
        person_properties: { '$feature_enrollment/beta': enrolled },
        conditions: [
          missedSet(0, {
            properties_matched: true,
            explanation:
              'Condition set 1 matched properties but was not evaluated because feature enrollment decided',
          }),
        ],
      }),
    )
  })
})

describe('dates that are relative', () => {
  const after = (value: string) => property({ key: 'since', operator: 'is_date_after', value })

  // Clocks went forward in New York two days before now, which is noon in UTC: three days ago its wall clocks showed 8:00 an hour later.
  it.each([
    ['UTC', true],
    ['America/New_York', false],
  ])('are counted by the wall clocks of the project: %s', async (timezone, result) => {
    const tenant = await createTenant()
    await configureProject(tenant, { timezone })
    await person(tenant, { since: '2026-03-07T12:30:00Z' }, 'user-1')
    const flag = await tenant.flag({ filters: where(after('-3d')) })
    expect((await tested(tenant, flag, USER)).body.result).toBe(result)
  })

  it('count from now, or from the moment that is asked about', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ created_at: '2026-01-01T00:00:00Z', filters: where(after('-7d')) })
    const since = '2026-03-01T00:00:00Z'
    await sendEach(tenant, [{ ...event('user-1', { $set: { since } }), timestamp: since }])
    const resultAt = async (timestamp: string | null) =>
      (await tested(tenant, flag, { ...USER, timestamp })).body.result
    expect(await resultAt(null)).toBe(false)
    expect(await resultAt('2026-03-10T12:00:00Z')).toBe(false)
    expect(await resultAt('2026-03-05T00:00:00Z')).toBe(true)
  })
})
