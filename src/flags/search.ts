// Substring search as SQL, without LIKE (its patterns are cut at 50 bytes on D1) and without regular expressions.
import { type SQL, sql } from 'drizzle-orm'

/** Between the fields of a searched text: no term can reach across it. */
const FIELD_BREAK = '\u001f'

/** What a space in a term stands for: any run, also an empty one, of these. As an SQL literal. */
const SEPARATORS = sql.raw(`(' -_' || char(9, 10, 11, 12, 13))`)

/** The text that `search` looks through for a flag: lower-cased key and name. */
export const searchTextOf = ({ key, name }: { key: string; name: string }): string =>
  `${key}${FIELD_BREAK}${name}`.toLowerCase()

/**
 * A condition: `column` contains `term`, where each space of the term matches any run of white space, `-` and `_`
 * (reference/flags-api.md §2: `web ana` finds `web-analytics`).
 *
 * Every place where the first word stands is a start; from each, one step a word skips separators and compares. All of it is
 * `instr`, `substr` and `ltrim`, so it is linear in the text, and the term is only ever a bound parameter.
 * @param column a qualified column name, as SQL text.
 */
export function contains(column: string, term: string): SQL {
  const [first = '', ...words] = term.toLowerCase().split(/ +/)
  const hay = sql.raw(column)
  if (words.length === 0) return sql`instr(${hay}, ${first}) > 0`

  const after = sql.raw(String(lengthOf(first)))
  return sql`(instr(${hay}, ${first}) > 0 AND EXISTS (WITH RECURSIVE
    step0(rest) AS (
      SELECT substr(${hay}, instr(${hay}, ${first}) + ${after}) WHERE instr(${hay}, ${first}) > 0
      UNION ALL
      SELECT substr(rest, instr(rest, ${first}) + ${after}) FROM step0 WHERE instr(rest, ${first}) > 0),
    ${sql.join(words.map(step), sql`, `)}
    SELECT 1 FROM ${sql.raw(`step${words.length}`)}))`
}

/** What is left of each candidate once separators and `word` have been read from its front. */
function step(word: string, index: number): SQL {
  const bare = word.replace(/^[-_]+/, '')
  const [from, to] = [sql.raw(`step${index}`), sql.raw(`step${index + 1}`)]
  const size = sql.raw(String(lengthOf(bare)))
  return sql`${to}(rest) AS (
    SELECT substr(ltrim(rest, ${SEPARATORS}), ${size} + 1) FROM ${from}
    WHERE substr(ltrim(rest, ${SEPARATORS}), 1, ${size}) = ${bare} ${lead(word.slice(0, word.length - bare.length), bare)})`
}

/** A word may itself begin with separators: the run in front of it has to end with them. */
function lead(separators: string, bare: string): SQL {
  if (separators === '') return sql``
  const run = sql`substr(rest, 1, length(rest) - length(ltrim(rest, ${SEPARATORS})))`
  if (bare === '') return sql`AND instr(${run}, ${separators}) > 0`
  return sql`AND substr(${run}, ${sql.raw(String(-separators.length))}) = ${separators}`
}

/** SQLite counts code points. */
const lengthOf = (text: string) => [...text].length
