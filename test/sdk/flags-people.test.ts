// Who is evaluated: what is stored of people and groups, what is sent, and what it costs to know.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { cohortMembers, flagHashKeyOverrides } from '../../drizzle'
import { event, groupIdentify, personOf, sendBatch } from '../support/capture'
import { inCohort, open, property, variants, where } from '../support/filters'
import { cohort } from '../support/database/rows'
import { createTenant, database, type Tenant } from '../support/tenant'
import { ask, PAID, setProperties, valuesOf } from './flags-support'

const HUNDREDTHS = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`v${number}`, 1]))

const costOf = async (tenant: Tenant, body: Record<string, unknown> = {}) =>
  (await ask(tenant, body)).line.d1_round_trips

describe('properties', () => {
  it('of a person are stored ones, overridden by those of the request', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'paid', filters: PAID })
    await tenant.flag({
      key: 'both',
      filters: where(property({ key: 'plan', value: 'paid' }), property({ key: 'country', value: 'FR' })),
    })
    await sendBatch(tenant, [
      setProperties('ada', { plan: 'paid', country: 'DE' }),
      setProperties('bob', { plan: 'free' }),
    ])
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

  it('with initial values come from storage before the current values', async () => {
    const tenant = await createTenant()
    await tenant.flag({
      key: 'came-by-ad',
      filters: where(property({ key: '$initial_utm_source', value: 'ad' })),
    })
    await sendBatch(tenant, [setProperties('ada', { $initial_utm_source: 'ad' })])
    const sent = { person_properties: { utm_source: 'mail' } }
    expect(valuesOf(await ask(tenant, sent))).toEqual({ 'came-by-ad': true })
    expect(valuesOf(await ask(tenant, { ...sent, distinct_id: 'new' }))).toEqual({ 'came-by-ad': false })
    expect(
      valuesOf(await ask(tenant, { person_properties: { utm_source: 'ad' }, distinct_id: 'new' })),
    ).toEqual({ 'came-by-ad': true })
  })

  it('of a person are also those that events carry, in filters and in cohorts', async () => {
    const tenant = await createTenant()
    const fromAd = await cohort(tenant, [property({ key: 'utm_source', value: 'ad' })])
    await tenant.flag({ key: 'chrome', filters: where(property({ key: '$browser', value: 'Chrome' })) })
    await tenant.flag({
      key: 'landed',
      filters: where(property({ key: '$initial_current_url', value: '/landing' })),
    })
    await tenant.flag({ key: 'from-ad', filters: where(inCohort(fromAd)) })
    await sendBatch(tenant, [
      event('ada', { $browser: 'Chrome', $current_url: '/landing', utm_source: 'ad' }),
      event('ada', { $browser: 'Chrome', $current_url: '/pricing' }),
      event('bob', { $browser: 'Firefox', $current_url: '/pricing', utm_source: null }),
    ])
    expect(valuesOf(await ask(tenant))).toEqual({ chrome: true, landed: true, 'from-ad': true })
    expect(valuesOf(await ask(tenant, { distinct_id: 'bob' }))).toEqual({
      chrome: false,
      landed: false,
      'from-ad': false,
    })
  })

  it('of a group are stored ones, overridden by those of the request, and its key', async () => {
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
    // A set about groups needs the key of one, whatever is sent for it.
    expect(await asked({ group_properties: { company: { plan: 'paid' } } })).toEqual({
      paid: false,
      acme: false,
    })
    expect(await asked({ groups: { company: '' } })).toEqual({ paid: false, acme: false })
  })
})

describe('a number for an id', () => {
  it('is the same person and group in events and flags, and the text that upstream writes', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [
      groupIdentify('company', 0.000001, { plan: 'paid' }),
      { ...setProperties('', { plan: 'paid' }), distinct_id: 0.000001 },
    ])
    await tenant.flag({ key: 'person', filters: PAID })
    await tenant.flag({
      key: 'group',
      filters: {
        ...where(property({ type: 'group', group_type_index: 0, key: 'plan', value: 'paid' })),
        aggregation_group_type_index: 0,
      },
    })
    for (const id of [0.000001, '1e-6'])
      expect(valuesOf(await ask(tenant, { distinct_id: id, groups: { company: id } }))).toEqual({
        person: true,
        group: true,
      })
    expect(valuesOf(await ask(tenant, { distinct_id: '0.000001', groups: { company: '0.000001' } }))).toEqual(
      { person: false, group: false },
    )
  })
})

describe('ids of over 200 characters', () => {
  // Characters of two UTF-16 units: 200 of them are 400 units.
  const known = '😀'.repeat(200)
  const long = `${known}-and-more`

  it('name the person, and the property, that their first 200 characters name', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'paid', filters: PAID })
    await tenant.flag({ key: 'named', filters: where(property({ key: 'distinct_id', value: known })) })
    await sendBatch(tenant, [setProperties(known, { plan: 'paid' })])
    expect(valuesOf(await ask(tenant, { distinct_id: long }))).toEqual({ paid: true, named: true })
    const openFeature = await tenant.send('POST', '/ofrep/v1/evaluate/flags/paid', {
      body: { context: { targetingKey: long } },
      headers: { Authorization: `Bearer ${tenant.projectToken}` },
    })
    expect(openFeature.body).toMatchObject({ key: 'paid', value: true })
  })

  it('name the person and group whose id was stored with U+FFFD for U+0000', async () => {
    const tenant = await createTenant()
    const id = 'a\u0000b'
    const ofGroup = property({ key: 'plan', value: 'paid', type: 'group', group_type_index: 0 })
    await sendBatch(tenant, [
      setProperties(id, { plan: 'paid' }),
      groupIdentify('company', id, { plan: 'paid' }),
    ])
    await tenant.flag({ key: 'person', filters: PAID })
    await tenant.flag({ key: 'group', filters: { ...where(ofGroup), aggregation_group_type_index: 0 } })
    const sent = { distinct_id: id, groups: { company: id } }
    expect(valuesOf(await ask(tenant, sent))).toEqual({ person: true, group: true })
  })

  it('are stored cut for experience continuity', async () => {
    const tenant = await createTenant()
    const kept = { key: 'kept', ensure_experience_continuity: true, filters: variants({ a: 100 }) }
    await tenant.flag(kept)
    await sendBatch(tenant, [event('ada')])
    await ask(tenant, { anon_distinct_id: long })
    const rows = await database()
      .select({ hashKey: flagHashKeyOverrides.hashKey })
      .from(flagHashKeyOverrides)
      .where(eq(flagHashKeyOverrides.projectId, tenant.projectId))
    expect(rows).toEqual([{ hashKey: known }])
  })

  it('bucket a device by its first 200 characters, and leave keys of groups whole', async () => {
    const tenant = await createTenant()
    const byDevice = { bucketing_identifier: 'device_id', ensure_experience_continuity: false }
    await tenant.flag({ key: 'device', ...byDevice, filters: variants(HUNDREDTHS) })
    await sendBatch(tenant, [groupIdentify('company', long, { plan: 'paid' })])
    await tenant.flag({
      key: 'group',
      filters: {
        ...where(property({ key: 'plan', value: 'paid', type: 'group', group_type_index: 0 })),
        aggregation_group_type_index: 0,
      },
    })
    const groups = { company: long }
    const short = valuesOf(await ask(tenant, { device_id: known, groups }))
    expect(short).toEqual({ device: expect.any(String), group: true })
    expect(valuesOf(await ask(tenant, { device_id: long, groups }))).toEqual(short)
    const asProperty = { person_properties: { $device_id: long }, groups }
    expect(valuesOf(await ask(tenant, asProperty))).toEqual(short)
  })
})

describe('round trips to D1', () => {
  it('are none when the request has all needed properties, and one otherwise', async () => {
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

  it('are one for static cohorts', async () => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [], { isStatic: true, filters: null })
    await tenant.flag({ key: 'listed', filters: where(inCohort(id)) })
    await sendBatch(tenant, [event('ada'), event('bob')])
    const ada = (await personOf(tenant, 'ada'))!
    await database().insert(cohortMembers).values({ cohortId: id, personId: ada.id })
    await ask(tenant)
    const response = await ask(tenant)
    expect(valuesOf(response)).toEqual({ listed: true })
    expect(response.line.d1_round_trips).toBe(1)
    expect(response.line.d1_rows_read).toBeLessThanOrEqual(10)
    expect(valuesOf(await ask(tenant, { distinct_id: 'bob' }))).toEqual({ listed: false })
    expect(valuesOf(await ask(tenant, { distinct_id: 'nobody' }))).toEqual({ listed: false })
  })

  it('are none for a dynamic cohort whose properties are in the request', async () => {
    const tenant = await createTenant()
    const inner = await cohort(tenant, [property({ key: 'plan', value: 'paid' })])
    const outer = await cohort(tenant, [{ type: 'cohort', key: 'id', value: inner }])
    await tenant.flag({ key: 'payers', filters: where(inCohort(outer)) })
    await sendBatch(tenant, [setProperties('ada', { plan: 'paid' })])
    await ask(tenant)
    expect(valuesOf(await ask(tenant))).toEqual({ payers: true })
    expect(await costOf(tenant)).toBe(1)
    const sent = { person_properties: { plan: 'free' } }
    expect(valuesOf(await ask(tenant, sent))).toEqual({ payers: false })
    expect(await costOf(tenant, sent)).toBe(0)
  })
})
