// Computes `$geoip_…` properties of the caller, from what Cloudflare knows about the connection.
import { countryName } from '../auth/client'
import type { JsonObject } from '../json'

const CONTINENTS: Readonly<Record<string, string>> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
}

/** Fields of `request.cf`. A field is absent when its value is unknown. */
interface Connection {
  city?: string
  country?: string
  continent?: string
  region?: string
  regionCode?: string
  latitude?: string
  longitude?: string
  postalCode?: string
  timezone?: string
}

/** Returns the properties under upstream's names. Unknown ones are absent. */
export function locationOf(request: Request): JsonObject {
  const { cf } = request as { cf?: Connection }
  if (!cf) return {}
  const { country, continent } = cf
  const name = countryName(country) ?? undefined
  const found: readonly (readonly [name: string, value: string | number | undefined])[] = [
    ['$geoip_city_name', cf.city],
    ['$geoip_country_code', name && country],
    ['$geoip_country_name', name],
    ['$geoip_continent_code', continent],
    ['$geoip_continent_name', continent === undefined ? undefined : CONTINENTS[continent]],
    ['$geoip_subdivision_1_code', cf.regionCode],
    ['$geoip_subdivision_1_name', cf.region],
    ['$geoip_postal_code', cf.postalCode],
    ['$geoip_latitude', degrees(cf.latitude)],
    ['$geoip_longitude', degrees(cf.longitude)],
    ['$geoip_time_zone', cf.timezone],
  ]
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== ''))
}

const degrees = (text: string | undefined): number | undefined => {
  const number = Number.parseFloat(text ?? '')
  return Number.isFinite(number) ? number : undefined
}

/** Returns the sent properties, with those of the location where they are missing or null. */
export const withLocation = (sent: JsonObject, location: JsonObject): JsonObject => ({
  ...location,
  ...Object.fromEntries(Object.entries(sent).filter(([key, value]) => value !== null || !(key in location))),
})

/** Adds the location of the caller to the properties of a request, where flags read it. @param wanted whether the caller allows it */
export const located = <Input extends { personProperties: JsonObject }>(
  input: Input,
  wanted: boolean,
  personKeys: ReadonlySet<string>,
  request: Request,
): Input =>
  wanted && readsLocation(personKeys)
    ? { ...input, personProperties: withLocation(input.personProperties, locationOf(request)) }
    : input

const known = new WeakMap<ReadonlySet<string>, boolean>()

/** Whether the flags of a snapshot read any property of the location. The result is computed once a snapshot. */
function readsLocation(personKeys: ReadonlySet<string>): boolean {
  let reads = known.get(personKeys)
  if (reads === undefined)
    known.set(personKeys, (reads = [...personKeys].some((key) => key.startsWith('$geoip_'))))
  return reads
}
