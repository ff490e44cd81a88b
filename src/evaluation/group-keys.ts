// Group keys of a request, which have to be texts or numbers: any other would count as no group, without a word.
import type { JsonObject } from '../json'

/** The name of the first group type whose key is neither text nor a number; null is no group. Undefined without one. */
export const typeWithoutKey = (groups: JsonObject): string | undefined =>
  Object.entries(groups).find(
    ([, key]) => key !== null && typeof key !== 'string' && typeof key !== 'number',
  )?.[0]

/** The reason of a 400. */
export const notGroupKey = (type: string): string =>
  `The key of the group '${type}' must be text or a number.`
