// Who is evaluated: what is stored of people and groups, what is sent, and what it costs to know (reference/flags-evaluation.md §0, §1.4, §1.6).
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cohortMembers, flagHashKeyOverrides } from '../../drizzle'
import { rolloutDraw } from '../../src/flags/evaluation/bucketing'
import { event, groupIdentify, identify, personOf, sendBatch } from '../support/capture'
import { inCohort, open, property, variants, where } from '../support/filters'
import { createHarness } from '../support/harness'
import { cohort } from '../support/rows'
import { createTenant, database, type Tenant } from '../support/tenant'
import { ask, fragile, valuesOf } from './flags-support'

const PAID = where(property({ key: 'plan', value: 'paid' }))
const set = (distinctId: string, properties: Record<string, unknown>) =>
  event(distinctId, { $set: properties }, '$set')
const costOf = async (tenant: Tenant, body: Record<string, unknown> = {}) =>
  (await ask(tenant, body)).line.d1_round_trips

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('properties', () => {
  it('of a person are those that are stored, overlaid by those that are sent', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'paid', filters: PAID })
    await tenant.flag({
      key: 'both',
      filters: where(property({ key: 'plan', value: 'paid' }), property({ key: 'country', value: 'FR' })),
    })
    await sendBatch(tenant, [set('ada', { plan: 'paid', country: 'DE' }), set('bob', { plan: 'free' })])
    expect(valuesOf(await ask(tenant))).toEqual({ paid: true, both: false })
    expect(valuesOf(await ask(tenant, { person_properties: { country: 'FR' } }))).toEqual({
      paid: true,
      both: true,
    })
    expect(valuesOf(await ask(tenant, { person_properties: { plan: null } }))).toEqual({
      paid: false,
      both: false,
    })
    expect(valuesOf(await ask(tenant, { distinct_id: 'bob' }))).toEqual({ paid: false, both: false })
    expect(valuesOf(await ask(tenant, { distinct_id: 'nobody' }))).toEqual({ paid: false, both: false })
  })

  it('that are first values come from storage before they are taken from the current ones', async () => {
    const tenant = await createTenant()
    await tenant.flag({
      key: 'came-by-ad',
      filters: where(property({ key: '$initial_utm_source', value: 'ad' })),
    })
    await sendBatch(tenant, [set('ada', { $initial_utm_source: 'ad' })])
    const sent = { person_properties: { utm_source: 'mail' } }
    expect(valuesOf(await ask(tenant, sent))).toEqual({ 'came-by-ad': true })
    expect(valuesOf(await ask(tenant, { ...sent, distinct_id: 'new' }))).toEqual({ 'came-by-ad': false })
    expect(
      valuesOf(await ask(tenant, { person_properties: { utm_source: 'ad' }, distinct_id: 'new' })),
    ).toEqual({ 'came-by-ad': true })
  })

  it('of a group are those that are stored, overlaid by those that are sent, and its key', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [
      groupIdentify('company', 'acme', { plan: 'paid', $group_key: 'forged' }),
      groupIdentify('company', '42', { plan: 'paid' }),
    ])
    const inGroup = (...filters: Record<string, unknown>[]) => ({
      ...where(...filters.map((each) => property({ type: 'group', group_type_index: 0, ...each }))),
      aggregation_group_type_index: 0,
    })
    await tenant.flag({ key: 'paid', filters: inGroup({ key: 'plan', value: 'paid' }) })
    await tenant.flag({ key: 'acme', filters: inGroup({ key: '$group_key', value: 'acme' }) })
    const asked = async (body: Record<string, unknown>) => valuesOf(await ask(tenant, body))
    expect(await asked({ groups: { company: 'acme' } })).toEqual({ paid: true, acme: true })
    expect(await asked({ groups: { company: 42 } })).toEqual({ paid: true, acme: false })
    expect(await asked({ groups: { company: 'other' } })).toEqual({ paid: false, acme: false })
    expect(
      await asked({ groups: { company: 'acme' }, group_properties: { company: { plan: 'free' } } }),
    ).toEqual({ paid: false, acme: true })
    // A group that is not named has no properties, whatever is sent for it.
    expect(await asked({ group_properties: { company: { plan: 'paid' } } })).toEqual({
      paid: false,
      acme: false,
    })
    expect(await asked({ groups: { company: '' } })).toEqual({ paid: false, acme: false })
  })
})

describe('round trips to D1', () => {
  it('are none when what flags look at is sent, and one otherwise', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [groupIdentify('company', 'acme', {})])
    await tenant.flag({ key: 'everybody', filters: open() })
    await tenant.flag({ key: 'paid', filters: PAID })
    await tenant.flag({ key: 'ada', filters: where(property({ key: 'distinct_id', value: 'ada' })) })
    await tenant.flag({
      key: 'group',
      filters: {
        ...where(property({ key: 'size', type: 'group', group_type_index: 0, value: 'big' })),
        aggregation_group_type_index: 0,
      },
    })
    await tenant.flag({ key: 'off', active: false, filters: where(property({ key: 'unsent' })) })
    await tenant.flag({
      key: 'server',
      evaluation_runtime: 'server',
      filters: where(property({ key: 'elsewhere' })),
    })
    await ask(tenant)
    const plan = { person_properties: { plan: 'paid' } }
    expect(await costOf(tenant, plan)).toBe(0)
    expect(await costOf(tenant)).toBe(1)
    expect(await costOf(tenant, { flag_keys: ['everybody', 'ada'] })).toBe(0)
    expect(await costOf(tenant, { flag_keys: ['paid'] })).toBe(1)
    expect(await costOf(tenant, { ...plan, evaluation_runtime: 'server' })).toBe(1)
    expect(await costOf(tenant, { ...plan, groups: { company: 'acme' } })).toBe(1)
    expect(await costOf(tenant, { ...plan, groups: { nosuch: 'acme' } })).toBe(0)
    const size = { groups: { company: 'acme' }, group_properties: { company: { size: 'big' } } }
    expect(await costOf(tenant, { ...plan, ...size })).toBe(0)
    expect(await costOf(tenant, { ...plan, disable_flags: true })).toBe(0)
  })

  it('are one for what nobody can send: lists of people, and when somebody was first seen', async () => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [], { isStatic: true, filters: null })
    await tenant.flag({ key: 'listed', filters: where(inCohort(id)) })
    await sendBatch(tenant, [event('ada'), event('bob')])
    const ada = (await personOf(tenant, 'ada'))!
    await database().insert(cohortMembers).values({ cohortId: id, personId: ada.id })
    await ask(tenant)
    const answer = await ask(tenant)
    expect(valuesOf(answer)).toEqual({ listed: true })
    expect(answer.line.d1_round_trips).toBe(1)
    expect(answer.line.d1_rows_read).toBeLessThanOrEqual(10)
    expect(valuesOf(await ask(tenant, { distinct_id: 'bob' }))).toEqual({ listed: false })
    expect(valuesOf(await ask(tenant, { distinct_id: 'nobody' }))).toEqual({ listed: false })
  })

  it('are none for a dynamic cohort whose properties are sent, however deep they lie', async () => {
    const tenant = await createTenant()
    const inner = await cohort(tenant, [property({ key: 'plan', value: 'paid' })])
    const outer = await cohort(tenant, [{ type: 'cohort', key: 'id', value: inner }])
    await tenant.flag({ key: 'payers', filters: where(inCohort(outer)) })
    await sendBatch(tenant, [set('ada', { plan: 'paid' })])
    await ask(tenant)
    expect(valuesOf(await ask(tenant))).toEqual({ payers: true })
    expect(await costOf(tenant)).toBe(1)
    const sent = { person_properties: { plan: 'free' } }
    expect(valuesOf(await ask(tenant, sent))).toEqual({ payers: false })
    expect(await costOf(tenant, sent)).toBe(0)
  })
})

describe('a database that is away', () => {
  it('fails the flags that need it and no others', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const d1 = fragile(env.DB)
    const tenant = await createTenant({ harness: createHarness({ bindings: { DB: d1.d1 } }) })
    await tenant.flag({ key: 'everybody', filters: open({ payloads: { true: '"hi"' } }) })
    const paid = await tenant.flag({ key: 'paid', filters: { ...PAID, payloads: { true: '"rich"' } } })
    await tenant.flag({
      key: 'continuous',
      ensure_experience_continuity: true,
      filters: variants({ a: 100 }),
    })
    await sendBatch(tenant, [set('ada', { plan: 'paid' })])
    await ask(tenant)
    d1.break()

    const answer = await ask(tenant)
    expect(answer.status).toBe(200)
    expect(valuesOf(answer)).toEqual({
      everybody: true,
      paid: 'database_unavailable',
      continuous: 'database_unavailable',
    })
    expect(answer.body.errorsWhileComputingFlags).toBe(true)
    expect(answer.body.flags.paid).toEqual({
      key: 'paid',
      enabled: false,
      variant: null,
      failed: true,
      reason: { code: 'database_unavailable', condition_index: null },
      metadata: { id: paid.id, version: 1, description: null, payload: null, has_experiment: false },
    })
    expect(tenant.lines.map(({ message }) => message)).toContain('work after the response failed')

    expect((await ask(tenant, {}, '/flags/?v=1')).body).toMatchObject({
      errorsWhileComputingFlags: true,
      featureFlags: { everybody: true, paid: false, continuous: false },
      featureFlagPayloads: { everybody: '"hi"' },
    })
    expect((await ask(tenant, {}, '/decide/')).body.featureFlags).toEqual(['everybody'])

    // Whoever sends what is looked at does not notice, and asks nobody.
    const keen = await ask(tenant, {
      flag_keys: ['everybody', 'paid'],
      person_properties: { plan: 'paid' },
    })
    expect(valuesOf(keen)).toEqual({ everybody: true, paid: true })
    expect(keen.body.errorsWhileComputingFlags).toBe(false)
    expect(keen.line.d1_round_trips).toBe(0)
  })

  it('is waited for no longer than SDKs wait', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const d1 = fragile(env.DB)
    const tenant = await createTenant({ harness: createHarness({ bindings: { DB: d1.d1 } }) })
    await tenant.flag({ key: 'everybody', filters: open() })
    await tenant.flag({ key: 'paid', filters: PAID })
    await ask(tenant)
    d1.break('stall')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pending = ask(tenant)
    for (let waited = 0; waited < 50 && vi.getTimerCount() === 0; waited += 1) await scheduler.wait(5)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(valuesOf(await pending)).toEqual({ everybody: true, paid: 'database_unavailable' })
  })

  it('is a 503 or 500 for a project that this isolate never saw', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const tenant = await createTenant()
    const d1 = fragile(env.DB)
    d1.break()
    const cold = { ...createHarness({ bindings: { DB: d1.d1 } }), projectToken: tenant.projectToken }
    const { status, body } = await ask(cold)
    expect(status).toBeGreaterThanOrEqual(500)
    expect(JSON.stringify(body)).not.toContain('lost')
  })
})

describe('bucketing by device', () => {
  it('takes the device id of the request, of its properties, or does without', async () => {
    const tenant = await createTenant()
    const half = { groups: [{ properties: [], rollout_percentage: 50 }] }
    await tenant.flag({ key: 'half', bucketing_identifier: 'device_id', filters: half })
    await tenant.flag({ key: 'all', bucketing_identifier: 'device_id', filters: open() })
    const [inside, outside] = [true, false].map((wanted) =>
      Array.from({ length: 100 }, (_, number) => `device-${number}`).find(
        (id) => rolloutDraw('half.', id) <= 0.5 === wanted,
      )!,
    )
    for (const [body, value] of [
      [{ device_id: inside }, true],
      [{ $device_id: outside }, false],
      [{ person_properties: { $device_id: inside } }, true],
      [{ device_id: '', person_properties: { $device_id: outside } }, false],
      [{ device_id: inside, person_properties: { $device_id: outside } }, true],
    ] as const) {
      expect(valuesOf(await ask(tenant, body))).toEqual({ half: value, all: true })
    }
    const without = (await ask(tenant)).body.flags
    expect(without.half).toMatchObject({ enabled: false, reason: { code: 'out_of_rollout_bound' } })
    expect(without.all).toMatchObject({ enabled: true })
  })
})

describe('experience continuity', () => {
  const TENTHS = Object.fromEntries(Array.from({ length: 10 }, (_, number) => [`v${number}`, 10]))
  const overridesOf = async (tenant: Tenant) =>
    (
      await database()
        .select()
        .from(flagHashKeyOverrides)
        .where(eq(flagHashKeyOverrides.projectId, tenant.projectId))
    ).map(({ personId, flagKey, hashKey }) => ({ personId, flagKey, hashKey }))

  /** A project with a flag with continuity and one without. The ids that follow fall into different variants of both. */
  async function createExperiment() {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      key: 'kept',
      ensure_experience_continuity: true,
      filters: variants(TENTHS),
    })
    await tenant.flag({ key: 'drawn', filters: variants(TENTHS) })
    const askAs = async (distinct_id: string, anon_distinct_id?: string) =>
      valuesOf(await ask(tenant, { distinct_id, anon_distinct_id }))
    const people: string[] = []
    const seenBefore = new Set<unknown>()
    for (let number = 0; people.length < 4; number += 1) {
      const { kept } = await askAs(`id-${number}`)
      if (!seenBefore.has(kept)) people.push(`id-${number}`)
      seenBefore.add(kept)
    }
    const [anonymous, known, elder, other] = people as [string, string, string, string]
    return { tenant, flag, askAs, anonymous, known, elder, other }
  }

  it('keeps the answers from before signing in, for good', async () => {
    const { tenant, flag, askAs, anonymous, known, other } = await createExperiment()
    await sendBatch(tenant, [event(anonymous)])
    const before = await askAs(anonymous)
    const strange = await askAs(known)
    expect(strange.kept).not.toBe(before.kept)

    // The client asks at once, before its $identify has arrived: nobody is known yet, and nothing is written.
    expect((await askAs(known, anonymous)).kept).toBe(before.kept)
    expect(await overridesOf(tenant)).toEqual([])

    await sendBatch(tenant, [identify(known, anonymous)])
    const person = (await personOf(tenant, known))!
    const first = await ask(tenant, { distinct_id: known, anon_distinct_id: anonymous })
    expect(valuesOf(first)).toEqual({ kept: before.kept, drawn: strange.drawn })
    expect(first.line.d1_round_trips).toBe(2)
    const row = { personId: person.id, flagKey: 'kept', hashKey: anonymous }
    expect(await overridesOf(tenant)).toEqual([row])

    // Read back with the anonymous id and without it, and never written again, whoever else comes along.
    const again = await ask(tenant, { distinct_id: known, anon_distinct_id: anonymous })
    expect(again.line).toMatchObject({ d1_round_trips: 1, d1_rows_written: 0 })
    expect(valuesOf(again).kept).toBe(before.kept)
    expect((await askAs(known)).kept).toBe(before.kept)
    expect((await askAs(known, other)).kept).toBe(before.kept)
    expect(await overridesOf(tenant)).toEqual([row])

    // Off, what is stored does not count; on again, it does.
    await tenant.patch(tenant.flags(flag.id), { ensure_experience_continuity: false })
    expect((await askAs(known)).kept).toBe(strange.kept)
    expect((await askAs(known, anonymous)).kept).toBe(strange.kept)
    await tenant.patch(tenant.flags(flag.id), { ensure_experience_continuity: true })
    expect((await askAs(known)).kept).toBe(before.kept)

    // A flag that starts to keep answers later gets a row of its own.
    await tenant.flag({ key: 'late', ensure_experience_continuity: true, filters: variants(TENTHS) })
    await askAs(known, anonymous)
    expect(await overridesOf(tenant)).toEqual([row, { ...row, flagKey: 'late' }])
  })

  it('prefers what is stored for the person over what is stored for the anonymous one', async () => {
    const { tenant, askAs, anonymous, known, elder, other } = await createExperiment()
    await sendBatch(tenant, [event(anonymous), event(known), event(other)])
    const ids = await Promise.all([anonymous, known, other].map((id) => personOf(tenant, id)))
    const [anonymousPerson, knownPerson] = ids as { id: number }[]
    const keep = (personId: number, hashKey: string) =>
      database()
        .insert(flagHashKeyOverrides)
        .values({ personId, projectId: tenant.projectId, flagKey: 'kept', hashKey })
    await keep(anonymousPerson!.id, elder)
    const asElder = (await askAs(elder)).kept
    // Only the anonymous one has something stored: that goes over to the person.
    expect((await askAs(known, anonymous)).kept).toBe(asElder)
    expect(await overridesOf(tenant)).toContainEqual({
      personId: knownPerson!.id,
      flagKey: 'kept',
      hashKey: elder,
    })
    // Both have: the person's own wins.
    await database()
      .update(flagHashKeyOverrides)
      .set({ hashKey: other })
      .where(eq(flagHashKeyOverrides.personId, knownPerson!.id))
    expect((await askAs(known, anonymous)).kept).toBe((await askAs(other)).kept)
    expect((await askAs(anonymous)).kept).toBe(asElder)
  })

  it('writes one row however many ask at once', async () => {
    const { tenant, anonymous, known, other } = await createExperiment()
    await sendBatch(tenant, [event(known)])
    const answers = await Promise.all(
      [anonymous, other, anonymous, other].map((anon_distinct_id) =>
        ask(tenant, { distinct_id: known, anon_distinct_id }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const rows = await overridesOf(tenant)
    expect(rows).toHaveLength(1)
    expect([anonymous, other]).toContain(rows[0]!.hashKey)
  })
})
