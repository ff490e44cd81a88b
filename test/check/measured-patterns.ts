// Regular expressions that the detector cannot check: it does not read look-around, takes minutes for some, and cannot read those that
// are built from texts. Each has, by its source, the test below test/ that measures it with hostile text, or proves that its text is
// bounded.

const PATTERNS = 'hostile/patterns'

export const MEASURED: Readonly<Record<string, string>> = {
  // src/import/references.ts
  [String.raw`'(?:\\.|''|[^'\\])*(?:'|\\?$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\b(COHORT\s+)(?:(\d+)|'((?:\\.|''|[^'\\])*)')`]:
    PATTERNS,
  // src/hogql/parser/lexer.ts
  ['([\'`"])(?:(?!\\1)[^\\\\]|\\\\[^])*\\1']: PATTERNS,
  // src/account/identity-fields.ts
  [String.raw`^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}|localhost)$`]: PATTERNS,
  // src/hogql/computed/texts.ts
  'new RegExp(SEMVER)': PATTERNS,
  // src/evaluation/values/free-date.ts
  ['new RegExp(`^${WEEKDAY}${calendar}${CLOCK}${OFFSET}$`)']: PATTERNS,
  // src/evaluation/regex/character-sets.ts: a set, for one character.
  ['new RegExp(`^[${items}]$`)']: PATTERNS,
  ['new RegExp(`${escaped(WORD_SOURCE)}(?!-)|${escaped(javaScriptOf(NOT_WORD))}|\\\\\\\\[pP]\\\\{[^{}]*\\\\}`)']:
    PATTERNS,
  ['new RegExp(`^${source}$`)']: PATTERNS,
  // src/console/design/code/highlight.tsx
  "new RegExp(sources.join('|'))": 'console/design/highlight',
  // src/analytics/engine/d1-errors.ts: the texts are fixed.
  'new RegExp(RECURSION_ERROR)': PATTERNS,
  'new RegExp(SIZES_ERROR)': PATTERNS,
  'new RegExp(SEVERAL_ROWS_ERROR)': PATTERNS,
}
