// Searches flags: the text that is stored for a flag, and the conditions that search it. Each space of a term matches any run of white
// space, `-` and `_`, also an empty one: `web ana` finds `web-analytics`. In a long term, and in one with separators inside a word
// (`a-b c`), all spaces match the same, which is nothing or one character.
//
// The cost is linear in the stored text. SQLite runs at most 2 ** (MAX_JOINED_WORDS - 1) calls of `instr()` a flag, each at worst the
// length of the text times the length of the term (MAX_SEARCH_LENGTH). LIKE is not used, because D1 limits its patterns to 50 bytes.
import { or, type SQL, sql } from 'drizzle-orm'

/** Maximum characters of a name that are searched. */
export const MAX_SEARCHED_NAME = 2_000

/** Maximum words of a term that is matched in every spelling: `a b c` as `abc`, `a bc`, `ab c` and `a b c`. */
const MAX_JOINED_WORDS = 4

/** Separates the fields of a searched text, so that no term reaches across them. */
const FIELD_BREAK = '\u001f'
/** Separates the text as written from the same text with every run of separators as one space. */
const FORM_BREAK = '\u001e'

const SEPARATORS = /[\s_-]+/g
const HAS_SEPARATOR = /[\s_-]/

/** Returns the text of a flag that `search` looks through. */
export const searchTextOf = ({ key, name }: { key: string; name: string }): string =>
  searchable(`${key}${FIELD_BREAK}${name.slice(0, MAX_SEARCHED_NAME)}`)

/**
 * Returns the stored form of a searched text: lower-cased, followed by its collapsed form where that differs. A word without separators
 * occurs in the collapsed form only where it occurs in the text, so that `instr()` over both is exact for every single word.
 */
export function searchable(text: string): string {
  const written = text.toLowerCase()
  const collapsed = written.replace(SEPARATORS, ' ')
  return collapsed === written ? written : written + FORM_BREAK + collapsed
}

/**
 * Returns the condition that a column holds a term.
 * @param term not empty, without spaces at its ends. It is only ever a bound parameter. `column` is a qualified column name, as SQL text.
 */
export function searchFor(term: string): (column: string) => SQL {
  // The separators of the stored form are not part of the text.
  if (term.includes(FIELD_BREAK) || term.includes(FORM_BREAK)) return () => sql`FALSE`
  const words = term.toLowerCase().split(/ +/)
  const isShort = words.length <= MAX_JOINED_WORDS && !words.some((word) => HAS_SEPARATOR.test(word))
  const spellings = isShort ? spellingsOf(words) : ['', ' ', '-', '_'].map((between) => words.join(between))
  return (column) => or(...[...new Set(spellings)].map((spelling) => holdsText(column, spelling)))!
}

const holdsText = (column: string, text: string): SQL => sql`instr(${sql.raw(column)}, ${text}) > 0`

/** Returns the spellings of the words in order, with a space or nothing between two of them. */
const spellingsOf = ([first, ...rest]: readonly string[]): readonly string[] =>
  rest.reduce<readonly string[]>(
    (spellings, word) => spellings.flatMap((spelling) => [`${spelling}${word}`, `${spelling} ${word}`]),
    [first!],
  )
