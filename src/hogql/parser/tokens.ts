// The tokens of a text, as far as counting them requires: the parser exposes none.
import type { Span } from '../error'

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

/** The end of an opening tag, or of one without children; and the text between tags, in which quotes have no meaning. */
const TAG_END = /\/?>/y
const CHILDREN_TEXT = /[^{<]*/y
const CLOSING_TAG = /<\/[^>]*>?/y

/** Tokens without whitespace and comments, up to an unclosed quote. A tag begins and ends as a parenthesis does. */
export function* tokensOf(sql: string): Generator<Token> {
  // Braces switch between SQL and the text of an f'…', of a tag, or between tags.
  const modes: ('sql' | 'template' | 'tag' | 'children')[] = ['sql']
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
    if (modes.at(-1) === 'children') {
      start = endOf(CHILDREN_TEXT, sql, start)
      end = endOf(CLOSING_TAG, sql, start)
      if (end > start) {
        modes.pop()
        yield { text: ')', start, end }
      } else {
        end = start + 1
        if (sql[start] === '<') modes.push('tag')
        else modes.push('sql')
        yield { text: sql[start] === '<' ? '(' : sql.slice(start, end), start, end }
      }
      continue
    }
    if (modes.at(-1) === 'tag') {
      end = endOf(TAG_END, sql, start)
      if (end > start) {
        modes.pop()
        if (end === start + 1) modes.push('children')
        else yield { text: ')', start, end }
        continue
      }
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
    if (text === '<' && endOf(TAG, sql, start) > start) {
      modes.push('tag')
      yield { text: '(', start, end }
      continue
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
