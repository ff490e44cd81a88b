// Integers past 2^53 in the bodies of SDKs. posthog-python sends ids as numbers to `/flags` and as text to capture.
import { describe, expect, it } from 'vitest'
import { event, eventsOf, groupIdentify, groupsOf, peopleOf, personOf, sendBatch } from '../support/capture'
import { open, property, variants, where } from '../support/filters'
import { refused, seen } from '../support/responses'
import { createTenant, type Tenant } from '../support/tenant'
import { ask, PAID, setProperties, valuesOf } from './flags-support'

/** Two that become the same number, one that prints with an exponent, and one that a number keeps. */
const IDS = ['1234567890123456789', '1234567890123456788', '1000000000000000000000', '9007199254740992']

const TENTHS = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`v${at}`, 10]))

/** Sends JSON text: `JSON.stringify` does not write such integers. */
const sendText = (tenant: Tenant, path: string, members: string) =>
  tenant.send('POST', path, { raw: `{"token": "${tenant.projectToken}", ${members}}` })

const askWith = async (tenant: Tenant, members: string) =>
  valuesOf(await sendText(tenant, '/flags/?v=2', members))

describe('an integer past 2^53', () => {
  it('is the same distinct id as a number and as text, in /flags and capture', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'paid', filters: PAID })
    await tenant.flag({ key: 'drawn', filters: variants(TENTHS) })
    for (const id of IDS) {
      await sendBatch(tenant, [setProperties(id, { plan: 'paid', name: id })])
      const asText = valuesOf(await ask(tenant, { distinct_id: id }))
      expect(asText.paid).toBe(true)
      expect(await askWith(tenant, `"distinct_id": ${id}`)).toEqual(asText)
      expect(await askWith(tenant, `"$distinct_id": ${id}`)).toEqual(asText)
    }
    const text = IDS.map((id) => `{"event": "opened", "distinct_id": ${id}}`).join()
    expect((await sendText(tenant, '/batch/', `"batch": [${text}]`)).status).toBe(200)
    expect(await peopleOf(tenant)).toEqual(
      IDS.toSorted().map((id) => ({ distinctIds: [id], properties: { plan: 'paid', name: id } })),
    )
    expect((await eventsOf(tenant, 'opened')).map(({ distinctId }) => distinctId)).toEqual(IDS)
  })

  it('is the same device and the same anonymous id as a number and as text', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'device', bucketing_identifier: 'device_id', filters: variants(TENTHS) })
    await tenant.flag({ key: 'kept', ensure_experience_continuity: true, filters: variants(TENTHS) })
    for (const id of IDS) {
      const device = valuesOf(await ask(tenant, { device_id: id })).device
      expect(device).toMatch(/^v\d$/)
      for (const members of [
        `"device_id": ${id}`,
        `"$device_id": ${id}`,
        `"person_properties": {"$device_id": ${id}}`,
      ]) {
        expect((await askWith(tenant, `"distinct_id": "ada", ${members}`)).device).toBe(device)
      }
      const { kept } = valuesOf(await ask(tenant, { distinct_id: id }))
      for (const members of [
        `"anon_distinct_id": ${id}`,
        `"$anon_distinct_id": ${id}`,
        `"person_properties": {"$anon_distinct_id": ${id}}`,
      ]) {
        expect((await askWith(tenant, `"distinct_id": "${id}-later", ${members}`)).kept).toBe(
          valuesOf(await ask(tenant, { distinct_id: `${id}-later`, anon_distinct_id: id })).kept,
        )
      }
      expect(kept).toMatch(/^v\d$/)
    }
  })

  it('matches a flag that has the same digits as a number, or the flag is rejected', async () => {
    const tenant = await createTenant()
    const write = (key: string, id: string) =>
      tenant.send('POST', tenant.flags(), {
        headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
        raw: `{"key": "${key}", "filters": {"groups": [{"rollout_percentage": 100, "properties": [
          {"key": "id", "type": "person", "operator": "exact", "value": [${id}]}]}]}}`,
      })
    for (const id of ['9007199254740992', '18446744073709552000', '100000000000000000000']) {
      expect((await write(`is-${id}`, id)).status).toBe(201)
      for (const sent of [id, `"${id}"`]) {
        const values = await askWith(tenant, `"distinct_id": "ada", "person_properties": {"id": ${sent}}`)
        expect(values[`is-${id}`]).toBe(true)
      }
    }
    for (const id of ['18446744073709551616', '999999999999999999999', '1000000000000000000000']) {
      expect(seen(await write(`is-${id}`, id))).toEqual(
        refused(
          'filters__groups__0__properties__0__value__0',
          `Integers past 2^53 are not kept exactly: ${id}. Send it as text.`,
        ),
      )
    }
  })

  it('is the same group as a number and as text', async () => {
    const tenant = await createTenant()
    await sendBatch(
      tenant,
      IDS.map((id) => groupIdentify('company', id, { plan: id })),
    )
    const filters = (value: string) => ({
      aggregation_group_type_index: 0,
      ...where(property({ key: 'plan', type: 'group', group_type_index: 0, value })),
    })
    for (const [at, id] of IDS.entries()) await tenant.flag({ key: `plan-${at}`, filters: filters(id) })
    await tenant.flag({ key: 'drawn', filters: { aggregation_group_type_index: 0, ...variants(TENTHS) } })
    for (const [at, id] of IDS.entries()) {
      const values = valuesOf(await ask(tenant, { groups: { company: id } }))
      expect(values).toMatchObject(Object.fromEntries(IDS.map((_, other) => [`plan-${other}`, other === at])))
      expect(await askWith(tenant, `"distinct_id": "ada", "groups": {"company": ${id}}`)).toEqual(values)
    }
    const batch = IDS.map(
      (id) =>
        `{"event": "$groupidentify", "distinct_id": "ada", "properties": {"$group_type": "company", "$group_key": ${id}, "$group_set": {"size": ${id}}}}`,
    ).join()
    expect((await sendText(tenant, '/batch/', `"batch": [${batch}]`)).status).toBe(200)
    expect((await groupsOf(tenant)).groups.map(({ key, properties }) => ({ key, properties }))).toEqual(
      IDS.toSorted().map((id) => ({ key: id, properties: { plan: id, size: id } })),
    )
    await sendText(
      tenant,
      '/batch/',
      `"batch": [{"event": "bought", "distinct_id": "ada", "properties": {"$groups": {"company": ${IDS[0]}}}}]`,
    )
    expect((await eventsOf(tenant, 'bought'))[0]!.properties).toMatchObject({ $group_0: IDS[0] })
  })

  it('keeps its digits in properties, which filters compare', async () => {
    const tenant = await createTenant()
    for (const [at, value] of IDS.entries())
      await tenant.flag({ key: `is-${at}`, filters: where(property({ key: 'account', value })) })
    await tenant.flag({
      key: 'large',
      filters: where(property({ key: 'account', operator: 'gt', value: '1234567890000000000' })),
    })
    for (const [at, id] of IDS.entries()) {
      const expected = {
        ...Object.fromEntries(IDS.map((_, other) => [`is-${other}`, other === at])),
        large: at < 3,
      }
      expect(await askWith(tenant, `"distinct_id": "new", "person_properties": {"account": ${id}}`)).toEqual(
        expected,
      )
      const properties = `{"$set": {"account": ${id}, "list": [${id}]}, "order": {"id": ${id}}}`
      const sent = `"batch": [{"event": "paid-${at}", "distinct_id": "ada-${at}", "properties": ${properties}}]`
      expect((await sendText(tenant, '/batch/', sent)).status).toBe(200)
      expect(valuesOf(await ask(tenant, { distinct_id: `ada-${at}` }))).toEqual(expected)
      expect((await personOf(tenant, `ada-${at}`))?.properties).toEqual({ account: id, list: [id] })
      expect((await eventsOf(tenant, `paid-${at}`))[0]!.properties).toEqual({
        $set: { account: id, list: [id] },
        order: { id },
      })
    }
  })

  it('keeps its digits beside NaN, in a form, and in a list of events', async () => {
    const tenant = await createTenant()
    const [id] = IDS
    const text = `{"api_key": "${tenant.projectToken}", "event": "NAME", "distinct_id": ${id}, "properties": {"n": NaN}}`
    await tenant.send('POST', '/e/', { raw: text.replace('NAME', 'loose') })
    await tenant.send('POST', '/e/', { raw: `[${text.replace('NAME', 'list').replace('NaN', '1')}]` })
    await tenant.send('POST', '/e/', {
      raw: `data=${encodeURIComponent(Buffer.from(text.replace('NAME', 'form')).toString('base64'))}`,
    })
    expect((await eventsOf(tenant)).map((each) => [each.event, each.distinctId])).toEqual([
      ['loose', id],
      ['list', id],
      ['form', id],
    ])
  })

  it('is the same group in evaluation_reasons', async () => {
    const tenant = await createTenant()
    const [id, other] = IDS as [string, string]
    await sendBatch(tenant, [groupIdentify('company', id, { plan: 'paid' })])
    const filters = {
      aggregation_group_type_index: 0,
      ...where(property({ key: 'plan', type: 'group', group_type_index: 0, value: 'paid' })),
    }
    await tenant.flag({ key: 'paid', filters })
    const valueFor = async (groups: string) => {
      const path = `/api/projects/${tenant.projectId}/feature_flags/evaluation_reasons/`
      const query = `?distinct_id=ada&groups=${encodeURIComponent(groups)}`
      return (await tenant.get(path + query)).body.paid.value
    }
    expect(await valueFor(`{"company": ${id}}`)).toBe(true)
    expect(await valueFor(`{"company": ${other}}`)).toBe(false)
  })

  it('keeps its digits in the payload that OpenFeature gets', async () => {
    const tenant = await createTenant()
    const payload = '{"account":1234567890123456789,"share":0.5}'
    await tenant.flag({
      key: 'limits',
      is_remote_configuration: true,
      filters: open({ payloads: { true: payload } }),
    })
    const response = await tenant.send('POST', '/ofrep/v1/evaluate/flags/limits', {
      raw: '{"context": {"targetingKey": "ada"}}',
      headers: { Authorization: `Bearer ${tenant.projectToken}` },
    })
    expect(response.status).toBe(200)
    expect(response.text).toContain(`"value":${payload}`)
    const flags = await ask(tenant)
    expect(flags.body.flags.limits.metadata.payload).toBe(payload)
  })

  it('is a 400 with the name of the field in filters and payloads', async () => {
    const tenant = await createTenant()
    for (const [id, part, attr] of [
      [
        IDS[0],
        '"groups": [{"properties": [{"key": "account", "type": "person", "value": [ID]}]}]',
        'filters__groups__0__properties__0__value__0',
      ],
      [
        IDS[1],
        '"groups": [{"properties": [{"key": "account", "type": "person", "value": ID}]}]',
        'filters__groups__0__properties__0__value',
      ],
      [IDS[0], '"groups": [{}], "payloads": {"true": {"id": ID}}', 'filters__payloads__true__id'],
    ] as const) {
      const raw = `{"key": "big", "filters": {${part.replace('ID', id!)}}}`
      const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' }
      expect(seen(await tenant.send('POST', tenant.flags(), { raw, headers }))).toEqual(
        refused(attr, `Integers past 2^53 are not kept exactly: ${id}. Send it as text.`),
      )
    }
  })
})

describe('events of a batch with an integer past 2^53', () => {
  it('are all stored', async () => {
    const tenant = await createTenant()
    const text = `"batch": [${JSON.stringify(event('ada'))}, {"event": "closed", "distinct_id": "ada", "properties": {"n": ${IDS[0]}}}]`
    expect(seen(await sendText(tenant, '/batch/', text))).toEqual({ status: 200, body: { status: 'Ok' } })
    expect((await eventsOf(tenant)).map((each) => each.properties)).toEqual([{}, { n: IDS[0] }])
  })
})
