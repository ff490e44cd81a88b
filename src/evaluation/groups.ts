// What a group of a request and a group type of a project may be.
import type { JsonObject } from '../json'

/** Group types of a project, with indexes 0 to 4. */
export const MAX_GROUP_TYPES = 5

/**
 * The name of the first group type whose key is neither text nor a number: it would count as no group, without a word. Null is no group.
 * Undefined without one.
 */
export const typeWithoutKey = (groups: JsonObject): string | undefined =>
  Object.entries(groups).find(
    ([, key]) => key !== null && typeof key !== 'string' && typeof key !== 'number',
  )?.[0]

/** The reason of a 400. */
export const notGroupKey = (type: string): string =>
  `The key of the group '${type}' must be text or a number.`
