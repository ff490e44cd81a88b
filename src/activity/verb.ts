import type { ActivityVerb } from './entry'

/** Returns the verb of a change, from whether the item was deleted before it and is after it. */
export function verbOf(before: boolean, after: boolean): ActivityVerb {
  if (before === after) return 'updated'
  return after ? 'deleted' : 'restored'
}
