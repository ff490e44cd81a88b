// Tags: sets of lower-case names, with the same rules for everything that has tags.

import { invalid } from './errors'

/** Bulk changes read the tags of every flag. */
export const MAX_TAGS = 100

/** Compares by code points, as SQLite does, which compares bytes of UTF-8. */
function byCodePoint(a: string, b: string): number {
  for (let at = 0; ; at++) {
    const [first, second] = [a.codePointAt(at), b.codePointAt(at)]
    if (first === undefined || second === undefined) return a.length - b.length
    if (first !== second) return first - second
  }
}

/** Returns names as they are stored: trimmed, lower-cased, without blanks and repetitions, sorted. */
export const cleanNames = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.trim().toLowerCase()))].filter(Boolean).sort(byCodePoint)

/**
 * Returns tags as they are stored.
 * @throws 400, attr `tags`, for a list of blanks alone, which would remove all tags
 */
export function cleanTags(tags: readonly string[]): string[] {
  const names = cleanNames(tags)
  if (tags.length > 0 && names.length === 0)
    throw invalid('tags', 'A tag may not be blank. An empty list removes all tags.', 'blank')
  return names
}
