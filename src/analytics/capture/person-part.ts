// What an event says about its person: properties, and who it is the same as. Pure.
import { isLongerThan } from '../../characters'
import type { JsonObject } from '../../json'
import { identifierIn, isPlaceholder, MAX_IDENTIFIER } from './identifiers'
import type { Report } from './problem'
import { changesIn, type PropertyChanges } from './property-changes'

/** What an event says about its person. */
export interface PersonPart {
  changes: PropertyChanges
  /** Whether the distinct id names somebody from now on. */
  identifies: boolean
  /** The distinct id whose person is to become one with the event's. */
  merge: { distinctId: string; evenIdentified: boolean; attr: string } | null
}

/** Reads what an event says about its person (reference: `$identify`, `$create_alias`, `$merge_dangerously`, `$set` and its siblings). */
export function personPartOf(
  event: string,
  distinctId: string,
  properties: JsonObject,
  report: Report,
): PersonPart {
  const changes = changesIn(properties)
  switch (event) {
    case '$identify':
      return {
        changes,
        identifies: !isPlaceholder(distinctId),
        merge: otherPerson('$anon_distinct_id', distinctId, properties, false, report),
      }
    case '$create_alias':
    case '$merge_dangerously': {
      const merge = otherPerson('alias', distinctId, properties, event === '$merge_dangerously', report)
      if (identifierIn(properties.alias) === null) report('properties__alias', 'This field is required.')
      return { changes, identifies: merge !== null, merge }
    }
    default:
      return { changes, identifies: false, merge: null }
  }
}

function otherPerson(
  key: string,
  distinctId: string,
  properties: JsonObject,
  evenIdentified: boolean,
  report: Report,
): PersonPart['merge'] {
  const other = identifierIn(properties[key])
  const attr = `properties__${key}`
  if (other === null || other === distinctId) return null
  const placeholder = [distinctId, other].find(isPlaceholder)
  if (placeholder !== undefined) {
    report(
      placeholder === other ? attr : 'distinct_id',
      `"${placeholder}" names nobody, so it is not merged.`,
    )
    return null
  }
  if (isLongerThan(other, MAX_IDENTIFIER)) {
    report(attr, `Ensure this field has no more than ${MAX_IDENTIFIER} characters.`)
    return null
  }
  return { distinctId: other, evenIdentified, attr }
}
