// The tokens of a text, as far as counting them needs: the parser's own are not to be had without parsing.
import { HogqlError, type Span } from '../error'

export interface Token extends Span {
  /** As it is written, in lower case. Texts are one token each, but for `f'…'`: its start, what its braces hold, and its end. */
  readonly text: string
}

/** Whitespace and comments; quoted texts and names; the start of `f'…'`; words; numbers; whatever else, by the character. */
const TOKEN =
  /\s+|--[^\n\r]*|\/\/[^\n\r]*|'(?:[^'\\]|\\[^]|'')*'|`(?:[^`\\]|\\[^]|``)*`|"(?:[^"\\]|\\[^]|"")*"|f'|[\p{L}_$][\p{L}\p{N}_$]*|\d\w*|->|[^]/iuy

const NOTHING = /^(?:\s|--|\/\/)/

/** A quote that nothing closes: parsing ends there. */
const UNCLOSED = /^['"`]$/

/** What stands between `f'` or `}` and the next `{` or the end. */
const TEMPLATE_TEXT = /(?:[^'\\{]|\\[^]|'')*/y

/** What the parser reads as `<tag …>` and not as a comparison. */
const TAG = /<[a-z_][\w-]*(?:[>/]|\s(?:\s|(?:\/\/|--)[^\n\r]*(?:[\n\r]|$))*[\w>/#])/iy

/**
 * Goes through the tokens of a text, without whitespace and comments, and no further than a quote that nothing closes.
 * @throws HogqlError `not_supported` for tags: a quote within them means nothing, so that what follows one could not be counted
 */
export function* tokensOf(sql: string): Generator<Token> {
  // What is being read: SQL, or the text of an f'…'. Braces lead from either into SQL, and back.
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
    if (NOTHING.test(text)) continue
    if (UNCLOSED.test(text)) return
    const tagEnd = text === '<' ? endOf(TAG, sql, start) : start
    if (tagEnd > start) {
      const place = { start, end: tagEnd }
      throw new HogqlError('Tags are not supported; a comparison wants a space after its <.', place)
    }
    if (text === "f'") modes.push('template')
    else if (text === '{') modes.push('sql')
    else if (text === '}' && modes.length > 1) modes.pop()
    yield { text, start, end }
  }
}

/** Where a match that starts at a place ends: at that place, where nothing matches. */
function endOf(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(sql) ? pattern.lastIndex : at
}
