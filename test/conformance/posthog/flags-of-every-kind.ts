// A flag of every kind, and people who are as different as the flags ask for.
import { dependsOn, inCohort, open, property, variants, where } from '../../support/filters'
import type { ServedWorker } from '../../support/server/served-worker'
import type { FlagsApi } from './flags-api'

/** Variants for everybody. */
export const SHARES = { red: 20, green: 30, blue: 50 }
/** On for some percent of those with the properties. */
export const PARTLY = (percentage: number, ...properties: Record<string, unknown>[]) => ({
  groups: [{ properties, rollout_percentage: percentage }],
})

/** Creates the flags, and cohorts for them, in a project that knows groups of the type `company`. Returns the ids of the flags by key. */
export async function createFlagsOfEveryKind(
  served: ServedWorker,
  flags: FlagsApi,
): Promise<Record<string, number>> {
  const ids: Record<string, number> = {}
  // Cohorts have no API here.
  const cohort = async (...values: object[]) => {
    const { results } = await served.database
      .prepare(
        `INSERT INTO cohorts (project_id, name, filters, created_at) VALUES (?, 'c', ?, ?) RETURNING id`,
      )
      .bind(
        served.projectId,
        JSON.stringify({ properties: { type: 'OR', values: [{ type: 'AND', values }] } }),
        new Date().toISOString(),
      )
      .all<{ id: number }>()
    await served.database
      .prepare('UPDATE projects SET flags_generation = flags_generation + 1 WHERE id = ?')
      .bind(served.projectId)
      .run()
    return results[0]!.id
  }
  const french = await cohort(property({ key: 'country', operator: 'exact', value: ['FR'] }))
  const payers = await cohort(property({ key: 'plan', value: 'paid', operator: 'exact' }), {
    key: 'id',
    type: 'cohort',
    value: french,
    negation: true,
  })
  const make = async (key: string, filters: object, rest: object = {}) => {
    ids[key] = await flags.create({ key, filters, ...rest })
    return String(ids[key])
  }
  const partly = await make('partly', PARTLY(33.3))
  const colour = await make(
    'colour',
    variants(SHARES, { payloads: { red: '"#f00"', blue: { hex: '#00f' } } }),
  )
  await make('everybody', open({ payloads: { true: { welcome: true } } }))
  await make('nobody', PARTLY(0))
  await make('french', PARTLY(60, property({ key: 'country', operator: 'exact', value: ['fr', 'be'] })))
  await make('not-french', where(property({ key: 'country', operator: 'is_not', value: 'FR' })))
  await make('example', where(property({ operator: 'icontains', value: 'EXAMPLE.com' })))
  await make('named', where(property({ operator: 'regex', value: '^user-[0-4]' })))
  await make('adult', where(property({ key: 'age', operator: 'gte', value: '40' })))
  await make('modern', where(property({ key: 'version', operator: 'semver_gte', value: '1.5.0' })))
  await make('recent', where(property({ key: 'joined', operator: 'is_date_after', value: '-30d' })))
  await make('payers', where(inCohort(payers)))
  await make('no-payers', where(inCohort(payers, { operator: 'not_in' })))
  await make('on-partly', where(dependsOn(partly)))
  await make('off-partly', where(dependsOn(partly, { value: false })))
  const onBlue = await make('on-blue', PARTLY(70, dependsOn(colour, { value: 'blue' })))
  await make(
    'on-on-blue',
    where(dependsOn(onBlue), property({ key: 'plan', operator: 'exact', value: 'paid' })),
  )
  await make('company', {
    ...PARTLY(
      60,
      property({ key: 'plan', type: 'group', operator: 'exact', group_type_index: 0, value: 'paid' }),
    ),
    aggregation_group_type_index: 0,
  })
  await make('held-out', open({ holdout: { id: 7, exclusion_percentage: 40 } }))
  await make('pinned', {
    ...variants(SHARES),
    groups: [
      {
        properties: [property({ key: 'plan', operator: 'exact', value: 'paid' })],
        rollout_percentage: 50,
        variant: 'green',
      },
      { properties: [], rollout_percentage: 80 },
    ],
  })
  await make('early', {
    early_exit: true,
    groups: [
      { properties: [property({ key: 'plan', operator: 'exact', value: 'paid' })], rollout_percentage: 30 },
      { properties: [], rollout_percentage: 100 },
    ],
  })
  await make('device', PARTLY(50), { bucketing_identifier: 'device_id' })
  await make('on-server', open(), { evaluation_runtime: 'server' })
  await make('on-client', open(), { evaluation_runtime: 'client' })
  await make('inactive', open(), { active: false })
  return ids
}

/** In three countries and seven companies, every other one of them paying. */
export const PEOPLE = Array.from({ length: 40 }, (_, number) => ({
  distinctId: `user-${number}`,
  groups: { company: `company-${number % 7}` },
  personProperties: {
    email: `user-${number}@${number % 3 ? 'example.com' : 'other.org'}`,
    country: ['FR', 'DE', 'be'][number % 3]!,
    plan: number % 2 ? 'paid' : 'free',
    age: 20 + number,
    version: `1.${number % 10}.0`,
    joined: new Date(Date.now() - number * 2 * 86_400_000).toISOString(),
    $device_id: `device-${number}`,
  },
  groupProperties: { company: { plan: number % 2 ? 'paid' : 'free' } },
}))
