import { env } from 'cloudflare:workers'
import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { activityLog } from '../../../drizzle'
import {
  event,
  groupIdentify,
  identify,
  personOf,
  sendBatch,
  type SentEvent,
  sendEach,
} from '../../support/capture'
import { dependsOn, inCohort, open, property, variants, where } from '../../support/filters'
import { experiment, overwriteFlag } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { answered, failed, lookedAt, matchedSet, missedSet, person, tested, UNMATCHED } from './support'

const CREATED = '2026-03-10T12:00:00Z'
const at = (timestamp: string, sent: SentEvent): SentEvent => ({ ...sent, timestamp })
/** A moment of the tests' day; all of them begin at noon. */
const oClock = (time: string) => `2026-03-10T${time}Z`

const testedAt = (tenant: Tenant, flag: { id: number }, timestamp: string, distinctId = 'user-1') =>
  tested(tenant, flag, { distinct_id: distinctId, timestamp })

const plan = (value: string) => property({ key: 'plan', operator: 'exact', value })
const planIs = (value: string, actual: unknown = null) =>
  lookedAt(
    ['plan', 'exact', value, 'person'],
    value === actual,
    `Property 'plan' ${value === actual ? 'equals' : 'does not equal'} "${value}"`,
    actual,
  )

/** The response of a flag that asks for a plan, about somebody who has this one. */
const onPlan = (key: string, wanted: string, actual: string | null) => {
  const properties = [planIs(wanted, actual)]
  return answered(key, {
    ...(wanted === actual ? {} : UNMATCHED),
    person_properties: actual === null ? {} : { plan: actual },
    conditions: [wanted === actual ? matchedSet(0, { properties }) : missedSet(0, { properties })],
  })
}

const ABSENT = (key: string) => failed(400, `Feature flag '${key}' did not exist at the specified timestamp.`)
const INCOMPLETE = failed(400, 'Could not reconstruct flag at timestamp due to incomplete history.')

it('rejects rebuilding a person with too long a history with 400', async () => {
  const tenant = await createTenant()
  const flag = await tenant.flag({ key: 'beta', filters: open() })
  await sendEach(tenant, [event('user-1')])
  await env.EVENTS.prepare(
    `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, sets_properties, properties)
     WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
     SELECT ?1, 'many-' || i, 'opened', 'user-1', '2026-03-01T00:00:00.000000Z', '2026-03-01T00:00:00.000000Z', 1,
       jsonb('{"$set":{"a":1}}') FROM n`,
  )
    .bind(tenant.projectId)
    .run()
  expect(await testedAt(tenant, flag, CREATED)).toEqual(
    failed(
      400,
      'The history of this person is too long to rebuild their properties: at most 20000 names of properties over all distinct ids, 10000 events that have no history, and 16 MiB together.',
    ),
  )
})

describe('POST test_evaluation with a timestamp: the flag', () => {
  it('is evaluated as it was', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta', filters: open({ payloads: { true: '1' } }) })
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.flags(flag.id), { key: 'beta-two', filters: variants({ red: 100 }) })
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.flags(flag.id), { active: false, name: 'Beta' })
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.flags(flag.id), { filters: where(plan('pro')) })

    expect(await testedAt(tenant, flag, CREATED)).toEqual(answered('beta', { payload: '1' }))
    expect(await testedAt(tenant, flag, oClock('12:59:59.999999'))).toEqual(
      answered('beta', { payload: '1' }),
    )
    const red = answered('beta-two', { result: 'red' })
    expect(await testedAt(tenant, flag, oClock('13:00:00'))).toEqual(red)
    const off = {
      result: false,
      reason: 'flag_disabled',
      reason_description: 'Feature flag is disabled',
      condition_index: null,
      conditions: [],
    }
    expect(await testedAt(tenant, flag, oClock('14:00:00'))).toEqual(answered('beta-two', off))
    expect(await testedAt(tenant, flag, oClock('15:00:00'))).toEqual(answered('beta-two', off))
    await tenant.patch(tenant.flags(flag.id), { active: true })
    expect(await testedAt(tenant, flag, oClock('23:00:00'))).toEqual(onPlan('beta-two', 'pro', null))
  })

  it('reads a timestamp without an offset as UTC', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta', filters: open() })
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.flags(flag.id), { filters: variants({ red: 100 }) })
    const red = answered('beta', { result: 'red' })
    expect(await testedAt(tenant, flag, '2026-03-10T13:00:00')).toEqual(red)
    expect(await testedAt(tenant, flag, '2026-03-10T12:30:00')).toEqual(answered('beta'))
    expect(await testedAt(tenant, flag, '2026-03-10T14:30:00+02:00')).toEqual(answered('beta'))
    expect(await testedAt(tenant, flag, '2026-03-10T12:30:00-05:00')).toEqual(red)
  })

  it('was not there before it was made', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta', filters: open() })
    expect(await testedAt(tenant, flag, oClock('11:59:59.999999'))).toEqual(ABSENT('beta'))
    expect(await testedAt(tenant, flag, '0001-01-01')).toEqual(ABSENT('beta'))
  })

  it('did not exist while it was deleted, also when it was changed then', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta', filters: open() })
    for (const change of [{ deleted: true }, { name: 'Beta' }, { deleted: false }]) {
      tenant.clock.advance({ hours: 1 })
      await tenant.patch(tenant.flags(flag.id), change)
    }
    expect(await testedAt(tenant, flag, oClock('12:30:00'))).toEqual(answered('beta'))
    for (const time of ['13:00:00', '13:30:00', '14:00:00', '14:30:00'])
      expect(await testedAt(tenant, flag, oClock(time))).toEqual(ABSENT('beta'))
    expect(await testedAt(tenant, flag, oClock('15:00:00'))).toEqual(answered('beta'))
  })

  it.each([false, true])(
    'was there until it was deleted in bulk, under its own key (an experiment: %s)',
    async (hasExperiment) => {
      const tenant = await createTenant()
      const flag = await tenant.flag({ key: 'beta', filters: variants({ red: 100, blue: 0 }) })
      if (hasExperiment) await experiment(tenant, flag.id)
      tenant.clock.advance({ hours: 1 })
      await tenant.patch(tenant.flags(flag.id), { filters: open() })
      tenant.clock.advance({ hours: 1 })
      const deleted = await tenant.post(tenant.flags('bulk_delete'), { ids: [flag.id] })
      expect(deleted.body.deleted).toHaveLength(1)
      const expectHistory = async () => {
        expect(await testedAt(tenant, flag, oClock('12:30:00'))).toEqual(answered('beta', { result: 'red' }))
        expect(await testedAt(tenant, flag, oClock('13:30:00'))).toEqual(answered('beta'))
        expect(await testedAt(tenant, flag, oClock('14:30:00'))).toEqual(ABSENT('beta'))
      }
      await expectHistory()
      tenant.clock.advance({ hours: 1 })
      await tenant.patch(tenant.flags(flag.id), { deleted: false })
      await expectHistory()
      expect(await testedAt(tenant, flag, oClock('15:00:00'))).toEqual(answered('beta'))
    },
  )

  it('cannot be rebuilt over a gap in its log', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta', filters: open() })
    for (const name of ['One', 'Two']) {
      tenant.clock.advance({ hours: 1 })
      await tenant.patch(tenant.flags(flag.id), { name })
    }
    await database().delete(activityLog).where(eq(activityLog.createdAt, '2026-03-10T13:00:00.000000Z'))
    expect(await testedAt(tenant, flag, oClock('12:30:00'))).toEqual(INCOMPLETE)
    expect(await testedAt(tenant, flag, oClock('13:30:00'))).toEqual(INCOMPLETE)
    expect(await testedAt(tenant, flag, oClock('14:30:00'))).toEqual(answered('beta'))
  })

  it('opens the payload that was encrypted then', async () => {
    const tenant = await createTenant()
    const secret = { is_remote_configuration: true, has_encrypted_payloads: true }
    const flag = await tenant.flag({ key: 's', ...secret, filters: open({ payloads: { true: '"old"' } }) })
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.flags(flag.id), { filters: open({ payloads: { true: '"new"' } }) })
    expect(await testedAt(tenant, flag, CREATED)).toEqual(answered('s', { payload: '"old"' }))
    expect(await testedAt(tenant, flag, oClock('13:00:00'))).toEqual(answered('s', { payload: '"new"' }))
  })
})

describe('POST test_evaluation with a timestamp: the person', () => {
  const OLD = { created_at: '2026-01-01T00:00:00Z' }

  it.each([
    ['', (sent: SentEvent[]) => sent],
    [
      ', also by events that change no person',
      (sent: SentEvent[]) => sent.toReversed().map((each) => ({ ...each, event_only: true })),
    ],
  ])('has the properties that events had set by then, and no others%s', async (_, arriving) => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'pro', ...OLD, filters: where(plan('pro')) })
    await sendEach(
      tenant,
      arriving([
        at('2026-02-01T00:00:00Z', identify('user-1', undefined, { $set: { plan: 'free' } })),
        at(
          '2026-02-02T00:00:00Z',
          event('user-1', { $set_once: { plan: 'never', city: 'Oslo' } }, '$set_once'),
        ),
        at('2026-02-03T00:00:00Z', event('user-1', { $set: { plan: 'pro' } }, '$set')),
        at('2026-02-04T00:00:00Z', event('user-1', { $unset: ['plan'] })),
        at('2026-02-05T00:00:00Z', event('user-1', { $set_once: { plan: 'pro' } })),
      ]),
    )
    const days: [string, string | null][] = [
      ['2026-01-31T23:59:59.999Z', null],
      ['2026-02-01T00:00:00Z', 'free'],
      ['2026-02-02T12:00:00Z', 'free'],
      ['2026-02-03T12:00:00Z', 'pro'],
      ['2026-02-04T12:00:00Z', null],
      ['2026-02-05T00:00:00Z', 'pro'],
      ['2026-03-11T00:00:00Z', 'pro'],
    ]
    for (const [timestamp, actual] of days)
      expect(await testedAt(tenant, flag, timestamp)).toEqual(onPlan('pro', 'pro', actual))
  })

  it('has properties that were set before the flag was created', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [at('2026-03-01T00:00:00Z', event('user-1', { $set: { plan: 'pro' } }))])
    const flag = await tenant.flag({ key: 'pro', filters: where(plan('pro')) })
    expect(await testedAt(tenant, flag, CREATED)).toEqual(onPlan('pro', 'pro', 'pro'))
  })

  it('has the events of all their distinct ids, whichever is asked about', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'pro', ...OLD, filters: where(plan('pro')) })
    await sendEach(tenant, [
      at('2026-02-01T00:00:00Z', event('anon', { $set: { plan: 'pro' } })),
      at('2026-02-02T00:00:00Z', identify('user-1', 'anon')),
      at('2026-02-03T00:00:00Z', event('user-1', { $set: { plan: 'free' } })),
      at('2026-02-03T00:00:00Z', event('user-2', { $set: { plan: 'other' } })),
    ])
    const { uuid } = (await personOf(tenant, 'user-1'))!
    for (const [timestamp, actual] of [
      ['2026-02-01T12:00:00Z', 'pro'],
      ['2026-02-03T12:00:00Z', 'free'],
    ] as const) {
      const { status, body } = onPlan('pro', 'pro', actual)
      for (const [who, shown] of [
        [{ distinct_id: 'user-1' }, 'user-1'],
        [{ distinct_id: 'anon' }, 'anon'],
        [{ person_id: uuid }, null],
      ] as const) {
        expect(await tested(tenant, flag, { ...who, timestamp })).toEqual({
          status,
          body: { ...body, evaluation_distinct_id: shown },
        })
      }
    }
  })

  it('agrees with the stored state for the current time', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'pro', ...OLD, filters: where(plan('pro')) })
    await sendEach(tenant, [
      at('2026-02-01T00:00:00Z', identify('user-1', undefined, { $set_once: { plan: 'pro' } })),
    ])
    const now = await tested(tenant, flag, { distinct_id: 'user-1' })
    expect(now).toEqual(onPlan('pro', 'pro', 'pro'))
    expect(await testedAt(tenant, flag, CREATED)).toEqual(now)
  })

  it('is not built from stored properties', async () => {
    const tenant = await createTenant()
    await person(tenant, { plan: 'pro' }, 'user-1')
    const flag = await tenant.flag({ key: 'pro', filters: where(plan('pro')) })
    expect(await testedAt(tenant, flag, CREATED)).toEqual(onPlan('pro', 'pro', null))
  })
})

describe('POST test_evaluation with a timestamp: what the flag looks at', () => {
  /** The value of a flag for user-1 and a group at a time. */
  const valueAt = async (tenant: Tenant, flag: { id: number }, timestamp: string, groups = {}) => {
    const { body } = await tested(tenant, flag, { distinct_id: 'user-1', timestamp, groups })
    return [body.result, body.reason]
  }
  const ON = [true, 'condition_match']
  const OFF = [false, 'no_condition_match']

  it('other flags are as they were, and those that they depended on', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base', filters: open() })
    const middle = await tenant.flag({ key: 'middle', filters: where(dependsOn(base.id)) })
    const flag = await tenant.flag({ key: 'top', filters: where(dependsOn(middle.id)) })
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.flags(base.id), { filters: { groups: [{ rollout_percentage: 0 }] } })
    tenant.clock.advance({ hours: 1 })
    const other = await tenant.flag({ key: 'other', filters: open() })
    await tenant.patch(tenant.flags(middle.id), { filters: where(dependsOn(other.id)) })
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.flags(flag.id), { filters: open() })
    await tenant.patch(tenant.flags(middle.id), { deleted: true })

    expect(await valueAt(tenant, flag, oClock('12:30:00'))).toEqual(ON)
    expect(await valueAt(tenant, flag, oClock('13:30:00'))).toEqual(OFF)
    expect(await valueAt(tenant, flag, oClock('14:30:00'))).toEqual(ON)
    expect(await valueAt(tenant, flag, oClock('15:30:00'))).toEqual(ON)
    expect(await valueAt(tenant, middle, oClock('13:30:00'))).toEqual(OFF)
  })

  it('a flag that was not there yet is missing', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'top', filters: open() })
    tenant.clock.advance({ hours: 1 })
    const base = await tenant.flag({ key: 'base', filters: open() })
    await overwriteFlag(flag.id, { filters: where(dependsOn(String(base.id))) as never })
    expect(await valueAt(tenant, flag, oClock('12:30:00'))).toEqual([false, 'missing_dependency'])
    expect(await valueAt(tenant, flag, oClock('13:00:00'))).toEqual(ON)
  })

  describe('cohorts', () => {
    const all = (...values: object[]) => ({ properties: { type: 'AND', values } })
    const planned = (value: string) => ({ type: 'person', key: 'plan', operator: 'exact', value })
    const cohortsOf = ({ projectId }: Tenant, rest = '') => `/api/projects/${projectId}/cohorts/${rest}`
    const define = async (tenant: Tenant, filters: object) =>
      (await tenant.post(cohortsOf(tenant), { name: 'Payers', filters })).body.id as number
    const redefine = (tenant: Tenant, id: number, body: object) =>
      tenant.patch(cohortsOf(tenant, `${id}/`), body)

    it('are as they were, and so are those that they looked at', async () => {
      const tenant = await createTenant()
      await sendEach(tenant, [at(CREATED, identify('user-1', undefined, { $set: { plan: 'pro' } }))])
      const inner = await define(tenant, all(planned('pro')))
      const outer = await define(tenant, all({ type: 'cohort', key: 'id', value: inner }))
      const flag = await tenant.flag({ key: 'of-cohort', filters: where(inCohort(outer)) })
      tenant.clock.advance({ hours: 1 })
      await redefine(tenant, inner, { filters: all(planned('free')) })
      tenant.clock.advance({ hours: 1 })
      await redefine(tenant, outer, { name: 'Everybody', filters: all(planned('pro')) })
      await redefine(tenant, inner, { deleted: true })
      tenant.clock.advance({ hours: 1 })
      await redefine(tenant, inner, { deleted: false, filters: all(planned('pro')) })
      await redefine(tenant, outer, { filters: all({ type: 'cohort', key: 'id', value: inner }) })
      tenant.clock.advance({ hours: 1 })
      const late = await define(tenant, all(planned('pro')))
      await tenant.patch(tenant.flags(flag.id), { filters: where(inCohort(late)) })

      expect(await valueAt(tenant, flag, oClock('12:30:00'))).toEqual(ON)
      expect(await valueAt(tenant, flag, oClock('13:00:00'))).toEqual(OFF)
      expect(await valueAt(tenant, flag, oClock('14:30:00'))).toEqual(ON)
      expect(await valueAt(tenant, flag, oClock('15:30:00'))).toEqual(ON)
      expect(await valueAt(tenant, flag, oClock('16:30:00'))).toEqual(ON)
    })

    it('that did not exist yet, or were deleted, are missing', async () => {
      const tenant = await createTenant()
      await sendEach(tenant, [at(CREATED, identify('user-1', undefined, { $set: { plan: 'pro' } }))])
      const flag = await tenant.flag({ key: 'of-cohort', filters: open() })
      tenant.clock.advance({ hours: 1 })
      const id = await define(tenant, all(planned('pro')))
      await overwriteFlag(flag.id, { filters: where(inCohort(id)) as never })
      tenant.clock.advance({ hours: 1 })
      await overwriteFlag(flag.id, { active: false })
      await redefine(tenant, id, { deleted: true })
      await overwriteFlag(flag.id, { active: true })
      const missing = [false, 'dependency_not_found_cohort']
      expect(await valueAt(tenant, flag, oClock('12:30:00'))).toEqual(missing)
      expect(await valueAt(tenant, flag, oClock('13:00:00'))).toEqual(ON)
      expect(await valueAt(tenant, flag, oClock('14:00:00'))).toEqual(missing)
    })

    it.each([
      ['does not fit the definition', sql`filters = '{"properties":{"type":"AND","values":[]}}'`, null],
      ['begins later', sql`description = ''`, sql`activity = 'created'`],
    ])('are rejected when their log %s', async (_, change, removed) => {
      const tenant = await createTenant()
      const id = await define(tenant, all(planned('pro')))
      const flag = await tenant.flag({ key: 'of-cohort', filters: where(inCohort(id)) })
      tenant.clock.advance({ hours: 1 })
      await redefine(tenant, id, { filters: all(planned('free')) })
      await database().run(sql`UPDATE cohorts SET ${change} WHERE id = ${id}`)
      if (removed)
        await database().run(
          sql`DELETE FROM activity_log WHERE project_id = ${tenant.projectId} AND scope = 'Cohort' AND ${removed}`,
        )
      expect(await testedAt(tenant, flag, oClock('12:30:00'))).toEqual(
        failed(400, 'Could not reconstruct cohort at timestamp due to incomplete history.'),
      )
      expect((await testedAt(tenant, flag, oClock('13:30:00'))).status).toBe(200)
    })
  })

  it('is rejected when the log of a dependency has a gap', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base', filters: open() })
    const flag = await tenant.flag({ key: 'top', filters: where(dependsOn(base.id)) })
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.flags(base.id), { name: 'a' })
    await tenant.patch(tenant.flags(base.id), { name: 'b' })
    await database()
      .delete(activityLog)
      .where(and(eq(activityLog.itemId, String(base.id)), sql`detail LIKE '%"after":2%'`))
    expect(await testedAt(tenant, flag, oClock('12:30:00'))).toEqual(INCOMPLETE)
  })

  it('a chain of dependencies that changed costs a round trip each change, and no more than five', async () => {
    const tenant = await createTenant()
    const chain = [await tenant.flag({ filters: open() })]
    for (let link = 0; link < 8; link += 1)
      chain.push(await tenant.flag({ filters: where(dependsOn(chain.at(-1).id)) }))
    const timestamp = oClock('12:30:00')
    const testedLast = () => tested(tenant, chain.at(-1), { distinct_id: 'user-1', timestamp })
    expect((await testedLast()).body.result).toBe(true)
    expect(tenant.lines.at(-1)!.d1_round_trips).toBeLessThanOrEqual(4)
    tenant.clock.advance({ hours: 1 })
    // From the end: a flag that depends on others keeps them from being deleted.
    for (const { id } of chain.slice(1).toReversed())
      await tenant.patch(tenant.flags(id), { filters: open() })
    expect(await testedLast()).toEqual(
      failed(
        400,
        'The history of the flags that this flag depends on is too long to evaluate it at this timestamp: ' +
          'at most 50 flags, of which 5 in a row have other dependencies now.',
      ),
    )
    const sixth = await valueAt(tenant, chain[5], timestamp)
    expect(sixth).toEqual(ON)
    expect(tenant.lines.at(-1)!.d1_round_trips).toBeLessThanOrEqual(7)
  })

  it('groups have the properties that they had', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      at(oClock('10:00:00'), groupIdentify('company', 'acme', { tier: 'free', size: 1 })),
      at(oClock('10:10:00'), groupIdentify('company', 'other', { tier: 'gold' })),
      at(oClock('12:10:00'), groupIdentify('company', 'acme', { tier: 'gold' })),
      at(oClock('12:20:00'), groupIdentify('company', 'acme', { size: 2 })),
    ])
    const flag = await tenant.flag({
      filters: {
        groups: [
          {
            aggregation_group_type_index: 0,
            properties: ['tier', 'size'].map((key) =>
              property({
                key,
                type: 'group',
                group_type_index: 0,
                operator: 'exact',
                value: key === 'tier' ? 'gold' : '1',
              }),
            ),
          },
        ],
      },
    })
    const groups = { company: 'acme' }
    expect(await valueAt(tenant, flag, oClock('12:05:00'), groups)).toEqual(OFF)
    expect(await valueAt(tenant, flag, oClock('12:15:00'), groups)).toEqual(ON)
    expect(await valueAt(tenant, flag, oClock('12:25:00'), groups)).toEqual(OFF)
    expect(await valueAt(tenant, flag, oClock('12:15:00'), { company: 'new' })).toEqual(OFF)
    expect(await valueAt(tenant, flag, oClock('12:15:00'))).toEqual([false, 'no_group_type'])
  })

  it('groups do not have properties that capture ignored', async () => {
    const tenant = await createTenant()
    const named = { $group_type: 'company', $group_key: 'acme' }
    const gold = (properties: Record<string, unknown>) =>
      event('user-1', { ...named, $group_set: { tier: 'gold' }, ...properties }, '$groupidentify')
    await sendBatch(tenant, [
      at(oClock('10:00:00'), groupIdentify('company', 'acme', { tier: 'free' })),
      at(oClock('12:10:00'), gold({ $process_person_profile: false })),
      at(oClock('12:11:00'), gold({ $group_set: { tier: 'gold', pad: 'x'.repeat(500_000) } })),
    ])
    const tier = property({ key: 'tier', value: 'gold', type: 'group', group_type_index: 0 })
    const flag = await tenant.flag({ filters: { ...where(tier), aggregation_group_type_index: 0 } })
    expect(await valueAt(tenant, flag, oClock('12:15:00'), { company: 'acme' })).toEqual(OFF)
    await sendEach(tenant, [at(oClock('12:12:00'), gold({ $process_person_profile: null }))])
    expect(await valueAt(tenant, flag, oClock('12:15:00'), { company: 'acme' })).toEqual(ON)
  })

  it.each([
    ['many', 10_001, 1],
    ['large', 129, 512 * 1024 - 200],
  ])('is rejected when the project has too %s events about groups', async (_, events, bytes) => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ filters: open() })
    await env.EVENTS.prepare(
      `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, sets_properties, properties)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(?2 AS INTEGER))
       SELECT ?1, 'group-' || i, '$groupidentify', 'user-1', '2026-03-01T00:00:00.000000Z', '2026-03-01T00:00:00.000000Z', 0,
         jsonb(json_object('$group_type', 'company', '$group_key', i, '$group_set', json('{"a":1}'), 'pad', ?3)) FROM n`,
    )
      .bind(tenant.projectId, events, 'x'.repeat(bytes))
      .run()
    const groups = { company: '5' }
    const body = { distinct_id: 'user-1', timestamp: CREATED, groups }
    expect(await valueAt(tenant, flag, CREATED)).toEqual(ON)
    // Groups of types that the project does not have are not looked for.
    expect(await valueAt(tenant, flag, CREATED, groups)).toEqual(ON)
    await env.DB.prepare('INSERT INTO group_types (project_id, type_index, name) VALUES (?, 0, ?)')
      .bind(tenant.projectId, 'company')
      .run()
    expect(await tested(tenant, flag, body)).toEqual(
      failed(
        400,
        'The history of groups is too long to rebuild their properties: ' +
          'at most 10000 $groupidentify events of the project up to the timestamp, 64 MiB of them, and 16 MiB of these groups.',
      ),
    )
    await env.EVENTS.prepare(`DELETE FROM events WHERE project_id = ? AND uuid = 'group-1'`)
      .bind(tenant.projectId)
      .run()
    expect(await valueAt(tenant, flag, CREATED, groups)).toEqual(ON)
  })
})
