// Substring search as SQL, without LIKE (its patterns are cut at 50 bytes on D1) and without regular expressions.
import { type SQL, sql } from 'drizzle-orm'

/** Between the fields of a searched text: no term can reach across it. */
const FIELD_BREAK = '\u001f'

/** What a space in a term stands for: any run, also an empty one, of these. As an SQL literal. */
const SEPARATORS = sql.raw(`(' -_' || char(9, 10, 11, 12, 13))`)

/**
 * How much of a name is looked through. A term of several words costs, at worst, the square of this for each flag: a name of a
 * megabyte must not stall the database that all projects share.
 */
const MAX_NAME = 2_000

/** The text that `search` looks through for a flag: lower-cased key and name. */
export const searchTextOf = ({ key, name }: { key: string; name: string }): string =>
  `${key}${FIELD_BREAK}${name.slice(0, MAX_NAME)}`.toLowerCase()

/**
 * A condition: `column` contains `term`, where each space of the term matches any run of white space, `-` and `_`
 * (reference/flags-api.md §2: `web ana` finds `web-analytics`).
 *
 * Every place where the first word stands is a start; from there each word has to come next, with nothing but separators in between.
 * The first occurrence of a word is the only one to look at: a word that holds anything but separators cannot begin earlier, and one
 * that does not leaves the most behind it. The term is only ever a bound parameter.
 * @param column a qualified column name, as SQL text.
 */
export function contains(column: string, term: string): SQL {
  const words = term.toLowerCase().split(/ +/)
  const hay = sql.raw(column)
  const holdsFirst = sql`instr(${hay}, ${words[0]}) > 0`
  if (words.length === 1) return holdsFirst

  const wordAt = (at: SQL) => sql`json_extract(${JSON.stringify(words)}, '$[' || ${at} || ']')`
  return sql`(${holdsFirst} AND EXISTS (WITH RECURSIVE
    reach(rest, at, word) AS (
      SELECT ${hay}, 0, ${words[0]}
      UNION ALL
      SELECT substr(rest, instr(rest, word) + 1), 0, word FROM reach WHERE at = 0 AND instr(rest, word) > 0
      UNION ALL
      SELECT substr(rest, instr(rest, word) + length(word)), at + 1, ${wordAt(sql`(at + 1)`)} FROM reach
        WHERE instr(rest, word) > 0
          AND (at = 0 OR ltrim(substr(rest, 1, instr(rest, word) - 1), ${SEPARATORS}) = ''))
    SELECT 1 FROM reach WHERE word IS NULL))`
}
