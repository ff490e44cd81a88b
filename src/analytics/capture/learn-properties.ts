// What a run of events teaches about the types of properties: the first value that says something decides. Pure.
import { isLongerThan } from '../../characters'
import type { JsonObject } from '../../json'
import { parseTimestamp } from '../../timestamps'
import type { PropertyDefinition, PropertyOwner, PropertyType } from '../property-type'
import type { KnownOfProject } from './known-properties'
import type { CapturedEvent } from './parse-event'

/** Code points that the name of a property with a definition may have. */
const MAX_NAME = 200

/** Properties that carry changes and names of groups: nobody queries them for a value. */
const NEVER_LEARNED = /^\$(?:set|set_once|unset|groups|group_\d)$/

/** Properties of which some values look like something else: campaigns called `2024`, flags that answer `true` or a variant. */
const ALWAYS_TEXT =
  /^(?:utm_|\$initial_utm_|\$feature\/|\$feature_flag_response$|\$survey_response|distinct_id$)/

/**
 * The definitions that events give and the project does not have yet, as far as is known. A group's properties belong to its type's
 * number.
 * @param typeIndexes numbers of the group types.
 */
export function learnProperties(
  events: readonly CapturedEvent[],
  typeIndexes: ReadonlyMap<string, number>,
  { names, room }: KnownOfProject,
): PropertyDefinition[] {
  const learned = new Map<string, PropertyDefinition>()

  const learn = (owner: PropertyOwner, properties: JsonObject) => {
    const known = names.get(owner)
    for (const name of Object.keys(properties)) {
      if (known?.has(name) || learned.size >= room) continue
      const key = `${owner} ${name}`
      if (learned.has(key) || !isName(name)) continue
      const type = typeOf(name, properties[name])
      if (type) learned.set(key, { owner, name, type })
    }
  }

  for (const { properties, person, groupIdentify } of events) {
    const typeIndex = groupIdentify && typeIndexes.get(groupIdentify.type)
    if (groupIdentify && typeof typeIndex === 'number') learn(`group_${typeIndex}`, groupIdentify.set)
    // What else `$groupidentify` carries is about the group, too.
    if (!groupIdentify) learn('event', properties)
    if (person) {
      learn('person', person.changes.set)
      learn('person', person.changes.setOnce)
    }
  }
  return [...learned.values()]
}

/** SQLite ends text at U+0000, and UTF-8 has no half surrogates: such a name would be stored as another. */
const isName = (name: string): boolean =>
  name !== '' &&
  !isLongerThan(name, MAX_NAME) &&
  !name.includes('\u0000') &&
  name.isWellFormed() &&
  !NEVER_LEARNED.test(name)

/** What a value says about its property; null for what has no type: objects, lists, and nothing. */
export function typeOf(name: string, value: unknown): PropertyType | null {
  switch (typeof value) {
    case 'number':
      return ALWAYS_TEXT.test(name) ? 'String' : 'Numeric'
    case 'boolean':
      return ALWAYS_TEXT.test(name) ? 'String' : 'Boolean'
    case 'string':
      return !ALWAYS_TEXT.test(name) && parseTimestamp(value) !== null ? 'DateTime' : 'String'
    default:
      return null
  }
}
