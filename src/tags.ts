// Tags: sets of lower-case names, with the same rules for everything that has tags.

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
