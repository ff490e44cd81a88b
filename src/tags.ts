// Tags: sets of lower-case names, the same on everything that carries some.
import { Buffer } from 'node:buffer'

/** The order of SQLite, which compares bytes of UTF-8. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Names as stored: trimmed, lower-cased, without blanks and repetitions, sorted. */
export const cleanNames = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.trim().toLowerCase()))].filter(Boolean).sort(byBytes)
