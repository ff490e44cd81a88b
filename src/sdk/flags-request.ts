// What `/flags` and its elders are asked, under any of the names that SDKs use (reference/flags-evaluation.md §8.1).
import { invalid } from '../errors'
import { cutIdentifier } from '../evaluation/bucketing'
import { deviceIdOf } from '../evaluation/property-maps'
import { isObject, type JsonObject, type JsonValue } from '../json'

export interface FlagsRequest extends Identifiers {
  personProperties: JsonObject
  groups: JsonObject
  groupProperties: Readonly<Record<string, JsonObject>>
  /** Null: all flags. */
  flagKeys: readonly string[] | null
  runtime: Runtime
  evaluationContexts: ReadonlySet<string>
  disabled: boolean
}

/** Whom a request is about, under ids that are cut to what counts of them. */
interface Identifiers {
  distinctId: string
  anonDistinctId: string | null
  deviceId: string | null
}

/** Cuts the ids that a request was sent with; every look-up, and what is stored, goes by the cut ones. */
export const cutIdentifiers = ({ distinctId, anonDistinctId, deviceId }: Identifiers): Identifiers => ({
  distinctId: cutIdentifier(distinctId),
  anonDistinctId: anonDistinctId && cutIdentifier(anonDistinctId),
  deviceId: deviceId && cutIdentifier(deviceId),
})

/** The first of the names that the body has. */
const pick = (body: JsonObject, ...names: string[]): JsonValue | undefined =>
  names.map((name) => body[name]).find((value) => value !== undefined && value !== null)

const dictionary = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {})

/** Members of `flag_keys` and of `evaluation_contexts`. A project has some 2,000 flags, and a flag at most 50 contexts. */
export const MAX_LIST_LENGTH = 10_000

/** The strings of a list, without duplicates; other members are ignored. */
export const textsIn = (value: JsonValue | undefined): ReadonlySet<string> =>
  new Set(Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [])

/** @throws 400 for a list of more than MAX_LIST_LENGTH members. */
function boundedTexts(field: string, value: JsonValue | undefined): ReadonlySet<string> {
  if (Array.isArray(value) && value.length > MAX_LIST_LENGTH)
    throw invalid(field, `Ensure this field has no more than ${MAX_LIST_LENGTH} elements.`, 'max_length')
  return textsIn(value)
}

/** A body, when it is an object. @throws 400 when it is anything else. */
export function dictionaryIn(body: unknown): JsonObject {
  if (!isObject(body)) throw invalid(null, 'Invalid data. Expected a dictionary.')
  return body
}

/**
 * Reads a body, all but its token.
 * @throws 400 when it has no distinct id, or a list in it is too long.
 */
export function parseFlagsRequest(body: JsonObject, headers: Headers): FlagsRequest {
  const flagKeys = pick(body, 'flag_keys', 'flag_keys_to_evaluate')
  const anonymous = pick(body, 'anon_distinct_id', '$anon_distinct_id')
  const personProperties = dictionary(pick(body, 'person_properties', '$properties'))
  return {
    ...cutIdentifiers({
      distinctId: distinctIdIn(body),
      anonDistinctId: typeof anonymous === 'string' && anonymous !== '' ? anonymous : null,
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

/** The token of a body, whatever it is. */
export const tokenIn = (body: JsonObject): unknown => pick(body, 'token', '$token', 'api_key')

/** A number is taken as its text; an empty text is an id too. */
function distinctIdIn(body: JsonObject): string {
  const id = pick(body, 'distinct_id', '$distinct_id')
  if (typeof id === 'string') return id
  if (typeof id === 'number') return String(id)
  throw invalid('distinct_id', 'This field is required.', 'required')
}

export type Runtime = 'all' | 'client' | 'server' | 'unknown'

const BROWSER = /Mozilla|Chrome|Safari|Firefox|Edge/
const SERVER = /^(posthog-(python|ruby|php|java|go|node|dotnet|elixir)|python-requests|curl)/i
const MOBILE = /^posthog-(android|ios|react-native|flutter)/i
const BROWSER_HEADERS = ['Origin', 'Referer', 'Sec-Fetch-Mode', 'Sec-Fetch-Site', 'Sec-Fetch-Dest']

/**
 * The runtime of a request. What it says of itself counts first, then its user agent, then headers that only browsers send.
 * @param said `evaluation_runtime` of the body; anything that is no runtime counts as `all`.
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
