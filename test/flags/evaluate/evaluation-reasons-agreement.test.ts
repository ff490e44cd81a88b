// evaluation_reasons and test_evaluation are two views of one evaluation: whatever the flags and the person, they say the same.
import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cohortMembers, featureFlags } from '../../../drizzle'
import { groupIdentify, sendEach } from '../../support/capture'
import { dependsOn, inCohort, property } from '../../support/filters'
import { cohort, overwriteFlag } from '../../support/database/rows'
import { propertyRuns } from '../../support/property-runs'
import { publishSilently } from '../../sdk/flags-support'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { responseTo, person } from './support'

type Json = Record<string, unknown>

const PEOPLE = ['ada', 'bob', 'nobody']

const share = fc.constantFrom(0, 30, 50, 100)

const personal = fc.oneof(
  fc.record({
    key: fc.constant('plan'),
    operator: fc.constantFrom('exact', 'is_not', 'icontains', 'regex', 'is_set', 'is_not_set'),
    value: fc.constantFrom('free', 'pro', 'p'),
  }),
  fc.record({
    key: fc.constant('age'),
    operator: fc.constantFrom('gt', 'lte'),
    value: fc.constantFrom('30', '40'),
  }),
  fc.record({
    key: fc.constant('since'),
    operator: fc.constantFrom('is_date_after', 'is_date_before'),
    value: fc.constantFrom('-7d', '2026-03-01'),
  }),
)

/** What a condition looks at; places stand for the cohorts and the flags that the project has by then. */
const looks = fc.oneof(
  personal.map((fields) => ({ kind: 'person' as const, fields })),
  fc.record({
    kind: fc.constant('cohort' as const),
    at: fc.nat(2),
    operator: fc.constantFrom('in', 'not_in'),
  }),
  fc.record({
    kind: fc.constant('flag' as const),
    at: fc.nat(3),
    value: fc.boolean(),
  }),
)

const flags = fc.array(
  fc.record({
    groups: fc.array(fc.record({ looks: fc.array(looks, { maxLength: 2 }), share }), {
      minLength: 1,
      maxLength: 3,
    }),
    variants: fc.boolean(),
    aggregated: fc.boolean(),
    holdout: fc.constantFrom(null, null, null, 20),
    enrollment: fc.boolean(),
    earlyExit: fc.boolean(),
    active: fc.constantFrom(true, true, true, false),
  }),
  { minLength: 3, maxLength: 4 },
)
type Wanted = typeof flags extends fc.Arbitrary<(infer One)[]> ? One : never
type Look = Wanted['groups'][number]['looks'][number]

const TIER = { key: 'tier', type: 'group', group_type_index: 0, operator: 'exact', value: 'gold' }

function filtersOf(wanted: Wanted, cohortIds: number[], flagIds: number[]): Json {
  // A flag about groups looks at groups alone.
  const propertiesOf = (look: Look): Json[] => {
    if (wanted.aggregated) return [TIER]
    switch (look.kind) {
      case 'person':
        return [property(look.fields)]
      case 'cohort':
        return [inCohort(cohortIds[look.at % cohortIds.length], { operator: look.operator })]
      case 'flag':
        return flagIds.slice(look.at, look.at + 1).map((id) => dependsOn(String(id), { value: look.value }))
    }
  }
  return {
    groups: wanted.groups.map((group) => ({
      properties: group.looks.flatMap(propertiesOf),
      rollout_percentage: group.share,
    })),
    ...(wanted.variants
      ? {
          multivariate: {
            variants: [
              { key: 'red', rollout_percentage: 60 },
              { key: 'blue', rollout_percentage: 40 },
            ],
          },
        }
      : {}),
    ...(wanted.aggregated ? { aggregation_group_type_index: 0 } : {}),
    ...(wanted.holdout === null ? {} : { holdout: { id: 1, exclusion_percentage: wanted.holdout } }),
    feature_enrollment: wanted.enrollment,
    early_exit: wanted.earlyExit,
  }
}

async function peopledTenant(): Promise<{ tenant: Tenant; cohortIds: number[] }> {
  const tenant = await createTenant()
  await sendEach(tenant, [groupIdentify('company', 'acme', { tier: 'gold' }, 'somebody')])
  const enrolled = { '$feature_enrollment/flag-0': true, '$feature_enrollment/flag-2': false }
  const ada = await person(tenant, { plan: 'pro', age: 36, since: '2026-03-09', ...enrolled }, 'ada')
  await person(tenant, { plan: 'free', age: 50 }, 'bob')
  const list = await cohort(tenant, [], { isStatic: true, filters: null })
  await database().insert(cohortMembers).values({ cohortId: list, personId: ada.id })
  const rule = await cohort(tenant, [{ key: 'plan', type: 'person', operator: 'exact', value: 'free' }])
  return { tenant, cohortIds: [list, rule, await cohort(tenant, [inCohort(list)])] }
}

describe('evaluation_reasons', () => {
  it('agrees with test_evaluation, for every flag and person', async () => {
    const seen = new Set<string>()
    const { tenant, cohortIds } = await peopledTenant()
    await fc.assert(
      fc.asyncProperty(flags, fc.boolean(), async (wanted, withGroup) => {
        await database().delete(featureFlags).where(eq(featureFlags.projectId, tenant.projectId))
        const made: { id: number; key: string }[] = []
        for (const [at, each] of wanted.entries()) {
          const filters = filtersOf(
            each,
            cohortIds,
            made.map(({ id }) => id),
          )
          made.push(await tenant.flag({ key: `flag-${at}`, filters }))
        }
        for (const [at, { active }] of wanted.entries()) await overwriteFlag(made[at]!.id, { active })
        await publishSilently(tenant)

        const groups = withGroup ? { company: 'acme' } : {}
        for (const distinctId of PEOPLE) {
          const query = new URLSearchParams({ distinct_id: distinctId, groups: JSON.stringify(groups) })
          const path = `/api/projects/${tenant.projectId}/feature_flags/evaluation_reasons/?${query}`
          const { body: reasons } = await tenant.get(path)
          expect(Object.keys(reasons).sort()).toEqual(made.map(({ key }) => key))
          for (const flag of made) {
            const { body } = await responseTo(tenant, flag, { distinct_id: distinctId, groups })
            const off = body.reason === 'flag_disabled'
            const { condition_index, reason_description: description } = body
            seen.add(body.reason)
            expect(reasons[flag.key]).toEqual({
              value: body.result,
              evaluation: off
                ? { reason: 'disabled', condition_index: null }
                : { reason: body.reason, condition_index, description },
            })
          }
        }
      }),
      { numRuns: propertyRuns(5, 40) },
    )
    // The flags that were tried are worth something only if they do not all answer alike.
    expect(seen.size).toBeGreaterThanOrEqual(4)
  }, 60_000)
})
