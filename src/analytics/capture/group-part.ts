// What an event says about groups. Pure.
import { isLongerThan } from '../../characters'
import { isObject, type JsonObject } from '../../json'
import { identifierIn, MAX_GROUP_KEY } from './identifiers'
import type { Report } from './problem'

export interface GroupName {
  type: string
  key: string
}

export interface GroupIdentify extends GroupName {
  set: JsonObject
}

const isUsable = (name: string | null): name is string => name !== null && !isLongerThan(name, MAX_GROUP_KEY)

/** The groups that an event happened in, from its `$groups`. What cannot be a group's name is passed over. */
export function groupsOf($groups: unknown): GroupName[] {
  if (!isObject($groups)) return []
  return Object.entries($groups).flatMap(([sentType, sentKey]) => {
    const [type, key] = [identifierIn(sentType), identifierIn(sentKey)]
    return isUsable(type) && isUsable(key) ? [{ type, key }] : []
  })
}

/** The group that a `$groupidentify` event describes; null, and reported, when it names none. */
export function groupIdentifyOf(properties: JsonObject, report: Report): GroupIdentify | null {
  const [type, key] = [identifierIn(properties.$group_type), identifierIn(properties.$group_key)]
  if (isUsable(type) && isUsable(key)) {
    return { type, key, set: isObject(properties.$group_set) ? properties.$group_set : {} }
  }
  const detail = `Must be text of at most ${MAX_GROUP_KEY} characters, or a number.`
  report(isUsable(type) ? 'properties__$group_key' : 'properties__$group_type', detail)
  return null
}
