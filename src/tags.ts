// Tags: sets of lower-case names, with the same rules on everything that has some.

/** The order of SQLite, which compares bytes of UTF-8: that of code points. */
function byCodePoint(a: string, b: string): number {
  for (let at = 0; ; at++) {
    const [first, second] = [a.codePointAt(at), b.codePointAt(at)]
    if (first === undefined || second === undefined) return a.length - b.length
    if (first !== second) return first - second
  }
}

/** Names as stored: trimmed, lower-cased, without blanks and repetitions, sorted. */
export const cleanNames = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.trim().toLowerCase()))].filter(Boolean).sort(byCodePoint)
