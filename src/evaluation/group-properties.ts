// The property maps of a subject's groups, from what is stored and what a request sends (reference §0.4).

import { ownValue, type JsonObject } from '../json'

const NONE: JsonObject = Object.freeze({})

/**
 * The complete property map of each group that a request names, by group type name. What the request sends wins over
 * what is stored, but for `$group_key`, which is always the group's key. A group that is not named gets no map, even
 * when properties are sent for it.
 * @param groups group type name to group key
 * @param stored group type name to the stored properties of that very group
 * @param sent group type name to properties in the request
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
  return Object.fromEntries(maps)
}

const own = (maps: Readonly<Record<string, JsonObject>>, type: string): JsonObject =>
  (ownValue(maps, type) as JsonObject | undefined) ?? NONE
