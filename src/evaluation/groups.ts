// Rules about the groups of a request and the group types of a project.
import type { JsonObject } from '../json'

/** Maximum group types of a project. Their indexes are 0 to 4. */
export const MAX_GROUP_TYPES = 5

/**
 * Returns the name of the first group type whose key is neither text nor a number, because it would silently count as no group. A null
 * key means no group. Returns undefined when every key is valid.
 */
export const typeWithoutKey = (groups: JsonObject): string | undefined =>
  Object.entries(groups).find(
    ([, key]) => key !== null && typeof key !== 'string' && typeof key !== 'number',
  )?.[0]

/** The detail of the 400 error. */
export const notGroupKey = (type: string): string =>
  `The key of the group '${type}' must be text or a number.`
