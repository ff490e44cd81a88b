// `$geoip_…` properties of the caller, from what Cloudflare knows of the connection.
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

/** Fields of `request.cf`; each is absent when unknown. */
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

/** Properties under upstream's names; those that are unknown are absent. */
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

/** Sent properties with those of the location that are missing or null. */
export const withLocation = (sent: JsonObject, location: JsonObject): JsonObject => ({
  ...location,
  ...Object.fromEntries(Object.entries(sent).filter(([key, value]) => value !== null || !(key in location))),
})

/** A request with the location of its caller, where flags read it. @param wanted whether the caller lets it be known. */
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

/** Whether any of the properties that a snapshot's flags read is of the location. Looks once a snapshot. */
function readsLocation(personKeys: ReadonlySet<string>): boolean {
  let reads = known.get(personKeys)
  if (reads === undefined)
    known.set(personKeys, (reads = [...personKeys].some((key) => key.startsWith('$geoip_'))))
  return reads
}
