// Requests of `/flags` and its legacy alias `/decide`, with all field names that SDKs use (reference/flags-evaluation.md §8.1).
import { invalid } from '../errors'
import { cutIdentifier } from '../evaluation/bucketing'
import { deviceIdOf } from '../evaluation/property-maps'
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

/** Identifiers, cut to their significant length. */
interface Identifiers {
  distinctId: string
  anonDistinctId: string | null
  deviceId: string | null
}

export const cutIdentifiers = ({ distinctId, anonDistinctId, deviceId }: Identifiers): Identifiers => ({
  distinctId: cutIdentifier(distinctId),
  anonDistinctId: anonDistinctId && cutIdentifier(anonDistinctId),
  deviceId: deviceId && cutIdentifier(deviceId),
})

const pick = (body: JsonObject, ...names: string[]): JsonValue | undefined =>
  names.map((name) => body[name]).find((value) => value !== undefined && value !== null)

const dictionary = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {})

/** Limit of `flag_keys` and `evaluation_contexts`. A project has some 2,000 flags, a flag at most 50 contexts. */
export const MAX_LIST_LENGTH = 10_000

/** Unique strings of a list; other elements are ignored. */
export const textsIn = (value: JsonValue | undefined): ReadonlySet<string> =>
  new Set(Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [])

/** @throws 400 for more than MAX_LIST_LENGTH elements. */
function boundedTexts(field: string, value: JsonValue | undefined): ReadonlySet<string> {
  if (Array.isArray(value) && value.length > MAX_LIST_LENGTH)
    throw invalid(field, `Ensure this field has no more than ${MAX_LIST_LENGTH} elements.`, 'max_length')
  return textsIn(value)
}

/** @throws 400 unless the body is an object. */
export function dictionaryIn(body: unknown): JsonObject {
  if (!isObject(body)) throw invalid(null, 'Invalid data. Expected an object.')
  return body
}

/** @throws 400 without a distinct id, or when a list is too long. */
export function parseFlagsRequest(body: JsonObject, headers: Headers): FlagsInput {
  const flagKeys = pick(body, 'flag_keys', 'flag_keys_to_evaluate')
  const personProperties = dictionary(pick(body, 'person_properties', '$properties'))
  return {
    ...cutIdentifiers({
      distinctId: distinctIdIn(body),
      anonDistinctId: anonDistinctIdIn(body, personProperties),
      deviceId: deviceIdOf(pick(body, 'device_id', '$device_id'), personProperties),
    }),
    personProperties,
    groups: dictionary(pick(body, 'groups', '$groups')),
    groupProperties: Object.fromEntries(
      Object.entries(dictionary(pick(body, 'group_properties', '$group_properties'))).map(
        ([type, properties]) => [type, dictionary(properties)],
      ),
    ),
    flagKeys: Array.isArray(flagKeys) ? [...boundedTexts('flag_keys', flagKeys)] : null,
    runtime: runtimeOf(body.evaluation_runtime, headers),
    evaluationContexts: boundedTexts(
      'evaluation_contexts',
      pick(body, 'evaluation_contexts', 'evaluation_environments'),
    ),
    disabled: body.disable_flags === true || body.disable_flags === 'true',
  }
}

/** Whether properties are derived from the caller's address. SDKs have two names for the switch. */
export const wantsLocation = (body: JsonObject): boolean =>
  ![body.geoip_disable, body.disable_geoip].some((value) => value === true || value === 'true')

export const tokenIn = (body: JsonObject): unknown => pick(body, 'token', '$token', 'api_key')

/** Numbers become text; the empty string is valid. */
function distinctIdIn(body: JsonObject): string {
  const id = pick(body, 'distinct_id', '$distinct_id')
  if (typeof id === 'string') return id
  if (typeof id === 'number') return String(id)
  throw invalid('distinct_id', 'This field is required.', 'required')
}

/** The field of the request, else the property that SDKs send of the person. Numbers become text; the empty string counts as missing. */
export function anonDistinctIdIn(body: JsonObject, personProperties: JsonObject): string | null {
  const sent = [body.anon_distinct_id, body.$anon_distinct_id, personProperties.$anon_distinct_id]
  const id = sent.find((value) => value !== undefined && value !== null && value !== '')
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' ? id : null
}

export type Runtime = 'all' | 'client' | 'server' | 'unknown'

const BROWSER = /Mozilla|Chrome|Safari|Firefox|Edge/
const SERVER = /^(posthog-(python|ruby|php|java|go|node|dotnet|elixir)|python-requests|curl)/i
const MOBILE = /^posthog-(android|ios|react-native|flutter)/i
const BROWSER_HEADERS = ['Origin', 'Referer', 'Sec-Fetch-Mode', 'Sec-Fetch-Site', 'Sec-Fetch-Dest']

/**
 * The declared runtime takes precedence, then the user agent, then headers that only browsers send (reference/flags-evaluation.md §8.5).
 * @param said `evaluation_runtime` of the body; unknown values count as `all`
 */
export function runtimeOf(said: unknown, headers: Headers): Runtime {
  if (said !== undefined && said !== null) {
    const named = typeof said === 'string' ? said.toLowerCase() : null
    return named === 'client' || named === 'server' ? named : 'all'
  }
  const agent = headers.get('User-Agent') ?? ''
  if (MOBILE.test(agent)) return 'client'
  if (SERVER.test(agent)) return 'server'
  if (BROWSER.test(agent)) return 'client'
  return BROWSER_HEADERS.some((name) => headers.has(name)) ? 'client' : 'unknown'
}
