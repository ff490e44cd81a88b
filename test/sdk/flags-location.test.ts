// `$geoip_…` properties of the caller: docs/reference/evaluation.md#of-persons-and-groups.
import { describe, expect, it } from 'vitest'
import { locationOf, withLocation } from '../../src/sdk/caller-location'
import { property, where } from '../support/filters'
import { createTenant } from '../support/tenant'

const CF = {
  city: 'Zürich',
  country: 'CH',
  continent: 'EU',
  region: 'Zurich',
  regionCode: 'ZH',
  latitude: '47.36667',
  longitude: '8.55000',
  postalCode: '8000',
  timezone: 'Europe/Zurich',
}
const LOCATION = {
  $geoip_city_name: 'Zürich',
  $geoip_country_code: 'CH',
  $geoip_country_name: 'Switzerland',
  $geoip_continent_code: 'EU',
  $geoip_continent_name: 'Europe',
  $geoip_subdivision_1_code: 'ZH',
  $geoip_subdivision_1_name: 'Zurich',
  $geoip_postal_code: '8000',
  $geoip_latitude: 47.36667,
  $geoip_longitude: 8.55,
  $geoip_time_zone: 'Europe/Zurich',
}

const requestFrom = (cf: object | undefined) =>
  Object.defineProperty(new Request('https://halyard.test/flags/'), 'cf', { value: cf })

describe('locationOf', () => {
  it.each([
    [CF, LOCATION],
    [undefined, {}],
    [{}, {}],
    [{ country: 'T1', city: '' }, {}],
    [{ country: 'XX', latitude: 'unknown' }, {}],
    [
      { continent: 'OC', longitude: '0' },
      { $geoip_continent_code: 'OC', $geoip_continent_name: 'Oceania', $geoip_longitude: 0 },
    ],
  ])('of %j', (cf, expected) => {
    expect(locationOf(requestFrom(cf))).toEqual(expected)
  })
})

describe('withLocation', () => {
  it('keeps sent values, except null', () => {
    expect(
      withLocation({ plan: null, $geoip_city_name: 'Bern', $geoip_country_code: null }, LOCATION),
    ).toEqual({ ...LOCATION, plan: null, $geoip_city_name: 'Bern' })
  })
})

describe('POST /flags', () => {
  const create = async () => {
    const tenant = await createTenant()
    await tenant.flag({
      key: 'swiss',
      filters: where(property({ key: '$geoip_country_code', operator: 'exact', value: ['CH'] })),
    })
    return tenant
  }
  type Created = Awaited<ReturnType<typeof create>>

  async function isOn(tenant: Created, fields: object, cf: object = CF): Promise<boolean> {
    const body = { token: tenant.projectToken, distinct_id: 'ada', ...fields }
    const { body: response } = await tenant.send('POST', '/flags/?v=2', { body, cf })
    return response.flags.swiss.enabled
  }

  it('knows where the caller is', async () => {
    const tenant = await create()
    expect(await isOn(tenant, {})).toBe(true)
    expect(await isOn(tenant, {}, { ...CF, country: 'DE' })).toBe(false)
    expect(await isOn(tenant, { person_properties: { $geoip_country_code: null } })).toBe(true)
    expect(await isOn(tenant, { person_properties: { $geoip_country_code: 'DE' } })).toBe(false)
    for (const name of ['geoip_disable', 'disable_geoip']) {
      for (const word of [true, 'true', 'True', 1, '1'])
        expect(await isOn(tenant, { [name]: word })).toBe(false)
      for (const word of [false, 'false', 0, null]) expect(await isOn(tenant, { [name]: word })).toBe(true)
    }
  })
})

describe('OFREP', () => {
  it('uses the location of the caller, unless geoip_disable is sent', async () => {
    const tenant = await createTenant()
    await tenant.flag({
      key: 'swiss',
      filters: where(property({ key: '$geoip_country_code', operator: 'exact', value: ['CH'] })),
    })
    const headers = { Authorization: `Bearer ${tenant.projectToken}` }
    const valueFor = async (context: object, path = 'swiss/') => {
      const body = { context: { targetingKey: 'ada', ...context } }
      const response = await tenant.send('POST', `/ofrep/v1/evaluate/flags/${path}`, {
        body,
        cf: CF,
        headers,
      })
      return (path === '' ? response.body.flags[0] : response.body).value
    }
    expect(await valueFor({})).toBe(true)
    expect(await valueFor({}, '')).toBe(true)
    expect(await valueFor({ geoip_disable: true })).toBe(false)
    expect(await valueFor({ $geoip_country_code: 'DE' })).toBe(false)
  })
})
