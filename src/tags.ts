// Tags: sets of lower-case names, the same on everything that carries some.

/** Names as stored: trimmed, lower-cased, without blanks and repetitions, sorted. */
export const cleanNames = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.trim().toLowerCase()))].filter(Boolean).sort()
