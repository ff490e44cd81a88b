// Properties of an event that are copied to its person: the current values, and the first ones as `$initial_…`. The table and the rules for
// `$os_name`, servers and null are those of upstream's capture (person-property-utils, db utils), except that `$os_name` also replaces an `$os`
// that is null.
import { FIRST_TOUCH, initialNameOf } from '../../evaluation/property-maps'
import { ownValue, type JsonObject, type JsonValue } from '../../json'
import type { PropertyChanges } from './property-changes'

/** Names of the properties. Upstream's flags derive no `$initial_utm_name`, but its capture stores it. `$os_name` is copied as `$os`. */
export const COPIED: readonly string[] = [...FIRST_TOUCH, 'utm_name']

/** Properties of a page or a device, which change too often for a write of the person. They are copied together with other changes. */
const NEVER_ALONE: ReadonlySet<string> = new Set([
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
])

/** Whether a new value of a copied property that the person has is worth a write of the person. */
export const isCopiedAlone = (name: string): boolean => !NEVER_ALONE.has(name)

/** Events about a person. Each new value of theirs is worth a write. */
const PERSON_EVENTS: ReadonlySet<string> = new Set([
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$set',
])

export interface PropertyCopies extends PropertyChanges {
  /** Whether new values of a page or a device are worth a write of the person, too. */
  isAlwaysCopied: boolean
}

/**
 * Returns the properties to copy from an event to its person, without those that the event itself sets or unsets. It is null when there
 * are none.
 */
export function copiesIn(
  event: string,
  properties: JsonObject,
  changes: PropertyChanges,
): PropertyCopies | null {
  const set: Record<string, JsonValue> = {}
  const setOnce: Record<string, JsonValue> = {}
  const unset = new Set(changes.unset)
  for (const name of COPIED) {
    const value = copiedValue(name, properties)
    if (value === undefined) continue
    if (!Object.hasOwn(changes.set, name) && !unset.has(name)) set[name] = value
    const initial = initialNameOf(name)
    const isDecided = [changes.set, changes.setOnce].some((each) => Object.hasOwn(each, initial))
    // Clients send null for campaign parameters that a page does not have. As a first value it would stay.
    if (value !== null && !isDecided && !unset.has(initial)) setOnce[initial] = value
  }
  return Object.keys(set).length + Object.keys(setOnce).length > 0
    ? { set, setOnce, unset: [], isAlwaysCopied: PERSON_EVENTS.has(event) }
    : null
}

function copiedValue(name: string, properties: JsonObject) {
  // The operating system of a server is not that of the person.
  if (properties.$is_server === true && (name === '$os' || name === '$os_version')) return undefined
  const value = ownValue(properties, name)
  return name === '$os' ? (value ?? ownValue(properties, '$os_name') ?? value) : value
}
