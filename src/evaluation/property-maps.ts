// Property maps of a person and of groups, from stored and sent properties: docs/reference/evaluation.md#of-persons-and-groups.
import { ownValue, type JsonObject, type JsonValue } from '../json'
import { textOf } from './values/text'

/** Properties whose first value is kept under `$initial_…`, without the `$` of their name. */
export const FIRST_TOUCH = [
  '$app_build',
  '$app_name',
  '$app_namespace',
  '$app_version',
  '$browser',
  '$browser_version',
  '$device_type',
  '$current_url',
  '$pathname',
  '$os',
  '$os_version',
  '$referring_domain',
  '$referrer',
  '$screen_height',
  '$screen_width',
  '$viewport_height',
  '$viewport_width',
  '$raw_user_agent',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'gclid',
  'gad_source',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'twclid',
  'li_fat_id',
  'mc_cid',
  'igshid',
  'ttclid',
  'rdt_cid',
  'epik',
  'qclid',
  'sccid',
  'irclid',
  '_kx',
] as const

/** Returns the name of a first value: `$initial_browser` for `$browser`, `$initial_utm_source` for `utm_source`. */
export const initialNameOf = (name: string): string => `$initial_${name.replace(/^\$/, '')}`

const INITIAL_NAMES: ReadonlyMap<string, string> = new Map(
  FIRST_TOUCH.map((name) => [name, initialNameOf(name)]),
)

/** Names of current values, by that of the first value. */
const CURRENT_NAMES: ReadonlyMap<string, string> = new Map(
  [...INITIAL_NAMES].map(([name, initial]) => [initial, name]),
)

/**
 * Returns the stored properties that decide these ones in `personPropertyMap`: themselves, and the properties from which they are
 * derived.
 */
export function sourcesOf(keys: Iterable<string>): ReadonlySet<string> {
  const sources = new Set(keys)
  // The set grows while it is walked.
  for (const key of sources) {
    const current = CURRENT_NAMES.get(key)
    if (current !== undefined) sources.add(current)
    if (key === '$os') sources.add('$os_name')
    if (key === '$os_name') sources.add('$os')
  }
  return sources
}

/**
 * Returns the complete property map that person filters read. Properties of the request take precedence over stored ones. `distinct_id`
 * is added when neither has it, `$os` and `$os_name` stand in for each other, and a missing `$initial_…` takes the current value. The
 * given maps are not changed.
 */
export function personPropertyMap(stored: JsonObject, sent: JsonObject, distinctId: string): JsonObject {
  const properties = overlay(stored, sent)
  fill(properties, 'distinct_id', distinctId)
  fill(properties, '$os', properties.get('$os_name'))
  fill(properties, '$os_name', properties.get('$os'))
  // Derived properties have no first-touch name and are skipped.
  for (const [name, value] of properties) {
    const initial = INITIAL_NAMES.get(name)
    if (initial !== undefined) fill(properties, initial, value)
  }
  return Object.fromEntries(properties)
}

/**
 * Returns the device id of a request: its own field when that is not empty, else the `$device_id` among the person properties that it
 * sends. Numbers become text. Returns null when neither is a number or a non-empty text.
 */
export function deviceIdOf(field: JsonValue | undefined, sent: JsonObject): string | null {
  for (const candidate of [field, ownValue(sent, '$device_id')]) {
    if (typeof candidate === 'string' && candidate !== '') return candidate
    if (typeof candidate === 'number') return textOf(candidate)
  }
  return null
}

/** Returns a map and not an object, so that a property called `__proto__` is one like any other. */
function overlay(stored: JsonObject, sent: JsonObject): Map<string, JsonValue> {
  const properties = new Map<string, JsonValue>()
  for (const source of [stored, sent]) {
    for (const [key, value] of Object.entries(source)) if (value !== undefined) properties.set(key, value)
  }
  return properties
}

function fill(properties: Map<string, JsonValue>, key: string, value: JsonValue | undefined): void {
  if (value !== undefined && !properties.has(key)) properties.set(key, value)
}

const NO_PROPERTIES: JsonObject = Object.freeze({})

/**
 * Returns the complete property map of each group, by the name of the group type. Properties of the request take precedence over stored
 * ones, except `$group_key`, which is always the key of a group that is named. Of one that is not, the map has what was sent.
 * @param groups keys by the name of the group type
 * @param stored stored properties of these groups, by the name of the group type
 * @param sent properties in the request, by the name of the group type
 */
export function groupPropertyMaps(
  groups: JsonObject,
  stored: Readonly<Record<string, JsonObject>>,
  sent: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  const maps = Object.entries(groups).map(([type, key]): [string, JsonObject] => [
    type,
    { ...own(stored, type), ...own(sent, type), $group_key: key },
  ])
  return Object.fromEntries([...Object.entries(sent), ...maps])
}

const own = (maps: Readonly<Record<string, JsonObject>>, type: string): JsonObject =>
  (ownValue(maps, type) as JsonObject | undefined) ?? NO_PROPERTIES
