// Parses requests of `/flags` and its legacy alias `/decide`, with all field names that SDKs use.
import { storable } from '../analytics/capture/event-parts'
import { invalid } from '../errors'
import { cutIdentifier } from '../evaluation/bucketing'
import { notGroupKey, typeWithoutKey } from '../evaluation/groups'
import { deviceIdOf } from '../evaluation/property-maps'
import { textOf } from '../evaluation/values/text'
import { booleanOf } from '../http/fields'
import { typeWords, valueJson } from '../http/value-words'
import { isObject, type JsonObject, type JsonValue } from '../json'

export interface FlagsInput extends Identifiers {
  personProperties: JsonObject
  groups: JsonObject
  groupProperties: Readonly<Record<string, JsonObject>>
  flagKeys: readonly string[] | null
  runtime: Runtime
  evaluationContexts: ReadonlySet<string>
  disabled: boolean
}

/** Identifiers as capture stores them, and cut to their significant length. */
interface Identifiers {
  distinctId: string
  anonDistinctId: string | null
  deviceId: string | null
}

const storedForm = (identifier: string): string => cutIdentifier(storable(identifier))

export const cutIdentifiers = ({ distinctId, anonDistinctId, deviceId }: Identifiers): Identifiers => ({
  distinctId: storedForm(distinctId),
  anonDistinctId: anonDistinctId && storedForm(anonDistinctId),
  deviceId: deviceId && storedForm(deviceId),
})

/** Returns the name under which a field was sent, or the first name. */
const pickName = (body: JsonObject, names: readonly string[]): string =>
  names.find((name) => body[name] !== undefined && body[name] !== null) ?? names[0]!

/** Returns an object. PHP writes an empty object as an empty list. @throws 400 unless the field is an object, null or absent */
function dictionary(field: string, value: JsonValue | undefined): JsonObject {
  if (isObject(value)) return value
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return {}
  throw invalid(field, `Expected an object, got ${typeWords(value)}.`)
}

/** @throws 400 unless the field is an object, null or absent. */
function personPropertiesIn(body: JsonObject): JsonObject {
  const name = pickName(body, ['person_properties', '$properties'])
  return dictionary(name, body[name])
}

/** @throws 400 unless `groups` is an object of texts and numbers, null or absent. */
export function groupsIn(body: JsonObject): JsonObject {
  const name = pickName(body, ['groups', '$groups'])
  const groups = dictionary(name, body[name])
  const invalidType = typeWithoutKey(groups)
  if (invalidType !== undefined) throw invalid(`${name}__${invalidType}`, notGroupKey(invalidType))
  return Object.fromEntries(
    Object.entries(groups).map(([type, key]) => [type, typeof key === 'string' ? storable(key) : key]),
  )
}

function groupPropertiesIn(body: JsonObject): Record<string, JsonObject> {
  const name = pickName(body, ['group_properties', '$group_properties'])
  return Object.fromEntries(
    Object.entries(dictionary(name, body[name])).map(([type, properties]) => [
      type,
      dictionary(`${name}__${type}`, properties),
    ]),
  )
}

/** Maximum length of `flag_keys` and `evaluation_contexts`. A project has some 2,000 flags, and a flag at most 50 contexts. */
export const MAX_LIST_LENGTH = 10_000

/**
 * Returns the unique texts of the list under the first of some names that was sent, or null without one.
 * @throws 400 unless it is a list of at most MAX_LIST_LENGTH texts
 */
export function textsIn(body: JsonObject, ...names: string[]): ReadonlySet<string> | null {
  const name = pickName(body, names)
  const value = body[name] ?? null
  if (value === null) return null
  if (!Array.isArray(value)) throw invalid(name, `Expected a list of texts, got ${typeWords(value)}.`)
  if (value.length > MAX_LIST_LENGTH)
    throw invalid(name, `Ensure this field has no more than ${MAX_LIST_LENGTH} elements.`, 'max_length')
  const other = value.findIndex((each) => typeof each !== 'string')
  if (other >= 0) throw invalid(`${name}__${other}`, `Expected text, got ${typeWords(value[other])}.`)
  return new Set(value as string[])
}

/** @throws 400 unless the body is an object. */
export function dictionaryIn(body: unknown): JsonObject {
  if (!isObject(body)) throw invalid(null, 'Invalid data. Expected an object.')
  return body
}

/** @throws 400 unless the field is text, a number, null or absent. */
function identifierIn(body: JsonObject, ...names: string[]): string | null {
  const name = pickName(body, names)
  const value = body[name] ?? null
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return textOf(value)
  throw invalid(name, `Expected text or a number, got ${typeWords(value)}.`)
}

/** Returns a field that is false by default. @throws 400 unless it is a boolean, one of the words for it, null or absent */
function isSet(body: JsonObject, name: string): boolean {
  const value = body[name] ?? null
  if (value === null) return false
  const isOn = booleanOf(value)
  if (isOn === null) throw invalid(name, `Must be a valid boolean, got ${valueJson(value).slice(0, 100)}.`)
  return isOn
}

/** @throws 400 without a distinct id, and for the first field that cannot be read. */
export function parseFlagsRequest(body: JsonObject, headers: Headers): FlagsInput {
  const personProperties = personPropertiesIn(body)
  const flagKeys = textsIn(body, 'flag_keys', 'flag_keys_to_evaluate')
  return {
    ...cutIdentifiers({
      distinctId: distinctIdIn(body),
      anonDistinctId: anonDistinctIdIn(body, personProperties),
      deviceId: deviceIdOf(identifierIn(body, 'device_id', '$device_id') ?? undefined, personProperties),
    }),
    personProperties,
    groups: groupsIn(body),
    groupProperties: groupPropertiesIn(body),
    flagKeys: flagKeys && [...flagKeys],
    runtime: runtimeOf(body.evaluation_runtime, headers),
    evaluationContexts: textsIn(body, 'evaluation_contexts', 'evaluation_environments') ?? new Set(),
    disabled: isSet(body, 'disable_flags'),
  }
}

/**
 * Whether properties are derived from the caller's address. SDKs have two names for the option, and either turns it off.
 * @throws 400 for an option that cannot be read
 */
export function wantsLocation(body: JsonObject): boolean {
  const isDisabled = [isSet(body, 'geoip_disable'), isSet(body, 'disable_geoip')]
  return !isDisabled.includes(true)
}

export const tokenIn = (body: JsonObject): unknown =>
  body[pickName(body, ['token', '$token', 'api_key'])] ?? undefined

/** Returns the distinct id. Numbers become text, and the empty string is valid. */
function distinctIdIn(body: JsonObject): string {
  const id = identifierIn(body, 'distinct_id', '$distinct_id')
  if (id === null) throw invalid('distinct_id', 'This field is required.', 'required')
  return id
}

/**
 * Returns the anonymous id: the field of the request, or else the property of the person that SDKs send. Numbers become text, and the
 * empty string counts as missing.
 * @throws 400 for a field that is neither
 */
export function anonDistinctIdIn(body: JsonObject, personProperties: JsonObject): string | null {
  const sent =
    identifierIn(body, 'anon_distinct_id') ||
    identifierIn(body, '$anon_distinct_id') ||
    personProperties.$anon_distinct_id
  if (typeof sent === 'number') return textOf(sent)
  return typeof sent === 'string' && sent !== '' ? sent : null
}

export type Runtime = 'all' | 'client' | 'server' | 'unknown'

/** A user agent of PostHog's SDKs: a name, and a version after a slash. Upstream finds no runtime in one without a version. */
const SDK = /^posthog-(?:([^/]+)\/.)?/
const SERVER_SDKS = new Set('python ruby php java go node dotnet elixir rs server'.split(' '))
const CLIENT_SDKS = new Set('js android ios react-native flutter'.split(' '))
const BROWSER = /(?:Mozilla|Chrome|Safari|Firefox|Edge)\//
const PROGRAM = /(?:python-requests|curl)\//
const BROWSER_HEADERS = ['Origin', 'Referer', 'Sec-Fetch-Mode', 'Sec-Fetch-Site', 'Sec-Fetch-Dest']

/**
 * Returns the runtime of the caller. The declared runtime takes precedence, then the user agent, then headers that only browsers send.
 * @param said `evaluation_runtime` of the body; unknown values count as `all`
 */
export function runtimeOf(said: unknown, headers: Headers): Runtime {
  if (said !== undefined && said !== null) {
    const named = typeof said === 'string' ? said.toLowerCase() : null
    return named === 'client' || named === 'server' ? named : 'all'
  }
  const agent = runtimeOfAgent(headers.get('User-Agent') ?? '')
  if (agent !== 'unknown') return agent
  return BROWSER_HEADERS.some((name) => headers.has(name)) ? 'client' : 'unknown'
}

function runtimeOfAgent(agent: string): 'client' | 'server' | 'unknown' {
  const sdk = SDK.exec(agent)
  if (sdk !== null) {
    const name = sdk[1] ?? ''
    return SERVER_SDKS.has(name) ? 'server' : CLIENT_SDKS.has(name) ? 'client' : 'unknown'
  }
  if (BROWSER.test(agent)) return 'client'
  return PROGRAM.test(agent) ? 'server' : 'unknown'
}
