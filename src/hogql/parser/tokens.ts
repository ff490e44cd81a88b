// The tokens of a text, as far as counting them requires: the parser exposes none.
import { HogqlError, type Span } from '../error'

export interface Token extends Span {
  /** In lower case. A text is one token; `f'…'` is its start, its braces' content, and its end. */
  readonly text: string
}

/** Whitespace and comments; quoted texts and names; the start of `f'…'`; words; numbers; any other character. */
const TOKEN =
  /\s+|--[^\n\r]*|\/\/[^\n\r]*|'(?:[^'\\]|\\[^]|'')*'|`(?:[^`\\]|\\[^]|``)*`|"(?:[^"\\]|\\[^]|"")*"|f'|[\p{L}_$][\p{L}\p{N}_$]*|\d\w*|->|[^]/iuy

const BLANK = /^(?:\s|--|\/\/)/

/** An unclosed quote: parsing ends there. */
const UNCLOSED = /^['"`]$/

/** The text between `f'` or `}` and the next `{` or the end. */
const TEMPLATE_TEXT = /(?:[^'\\{]|\\[^]|'')*/y

/** What the parser takes for a `<tag …>` instead of a comparison. */
const TAG = /<[a-z_][\w-]*(?:[>/]|\s(?:\s|(?:\/\/|--)[^\n\r]*(?:[\n\r]|$))*[\w>/#])/iy

/**
 * Tokens without whitespace and comments, up to an unclosed quote.
 * @throws HogqlError `not_supported` for tags: quotes inside them have no meaning, so the rest could not be counted
 */
export function* tokensOf(sql: string): Generator<Token> {
  // Braces switch between SQL and the text of an f'…'.
  const modes: ('sql' | 'template')[] = ['sql']
  let lastComment = false
  for (let start = 0, end = 0; start < sql.length; start = end) {
    if (modes.at(-1) === 'template') {
      start = endOf(TEMPLATE_TEXT, sql, start)
      end = start + 1
      if (sql[start] === '{') modes.push('sql')
      else modes.pop()
      yield { text: sql.slice(start, end), start, end }
      continue
    }
    if (!lastComment && sql.startsWith('/*', start)) {
      const close = sql.indexOf('*/', start + 2)
      end = close + 2
      if (close >= 0) continue
      lastComment = true
    }
    end = endOf(TOKEN, sql, start)
    const text = sql.slice(start, end).toLowerCase()
    if (BLANK.test(text)) continue
    if (UNCLOSED.test(text)) return
    const tagEnd = text === '<' ? endOf(TAG, sql, start) : start
    if (tagEnd > start) {
      const place = { start, end: tagEnd }
      throw new HogqlError('Tags are not supported: put a space after the < of a comparison.', place)
    }
    if (text === "f'") modes.push('template')
    else if (text === '{') modes.push('sql')
    else if (text === '}' && modes.length > 1) modes.pop()
    yield { text, start, end }
  }
}

/** The end of a match at an offset; the offset itself without a match. */
function endOf(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(sql) ? pattern.lastIndex : at
}
