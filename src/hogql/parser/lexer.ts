// Splits a query's text into tokens, as the lexer of HogQL does (`HogQLLexer.common.g4` of PostHog).
import { HogqlError, type Span } from '../error'

/** `text` is what an f'…' has between its braces. `sign` is everything else, such as operators. The last token is the `end`. */
type TokenKind = 'word' | 'quoted' | 'string' | 'integer' | 'float' | 'text' | 'sign' | 'end'

export interface Token extends Span {
  readonly kind: TokenKind
  /** A word in upper case, or a sign as it is written. It is empty for other tokens. */
  readonly word: string
  /** The token as it is written; names and texts are without their quotes and escapes. */
  readonly value: string
}

/** Matches white space and comments. */
const BLANK = /[\s\u0085]+|--[^\n\r]*|\/\/[^\n\r]*|\/\*[^]*?\*\//y

const STRING = /'(?:[^'\\]|\\(?:[bfrntav0\\']|x[\da-f]{2})|'')*'/iy
const QUOTED =
  /`(?:[^`\\]|\\(?:[bfrntav0\\']|x[\da-f]{2})|``)*`|"(?:[^"\\]|\\(?:[bfrntav0\\"]|x[\da-f]{2})|"")*"/iy
const WORD = /[a-z_$][\w$]*/iy
/** Matches floats. A dot without an exponent is a separate token: `a.1.2` are elements of elements. */
const FLOAT = /0x[\da-f]+(?:\.[\da-f]*)?p[-+]?\d+|\d+(?:\.\d*)?e[-+]?\d+|\.\d+e[-+]?\d+/iy
const INTEGER = /0x[\da-f]+|0[bo]\d+|\d+/iy
const SIGN =
  /=~\*|!~\*|\/(?!\*)|->|::|:=|\|\||==|>=|<=>|<=|!=|<>|~\*|=~|!~|\?\.|\?\?|[-+*%=<>~?:;,.()[\]{}#]/y

/** Matches what upstream reads as a tag of HogQLX. After an expression it is a comparison. */
const TAG = /<[a-z_][\w-]*(?=[\s/>])/iy
const BEFORE_TAGS = /^(?:[^\w)\]}`"']+|SELECT|DISTINCT|THEN|ELSE|FROM|JOIN)?$/

const TEMPLATE_TEXT = /(?:[^'\\{]|\\(?:[bfrntav0\\'{]|x[\da-f]{2})|'')+/iy

/** How the text at the position is read. Braces switch to SQL and back. */
type Mode = 'sql' | 'template'

/** @throws HogqlError `syntax_error` when no token begins */
export function tokensIn(sql: string): Token[] {
  const tokens: Token[] = []
  const modes: Mode[] = ['sql']
  let at = 0

  /** Moves past the match of a pattern at the position, and returns it. */
  function match(pattern: RegExp): string | null {
    pattern.lastIndex = at
    const found = pattern.exec(sql)?.[0]
    if (!found) return null
    at += found.length
    return found
  }
  function push(kind: TokenKind, written: string, value = written, word = ''): true {
    tokens.push({ kind, word, value, start: at - written.length, end: at })
    return true
  }
  function add(kind: TokenKind, pattern: RegExp, valueOf = (written: string) => written): boolean {
    const written = match(pattern)
    return written !== null && push(kind, written, valueOf(written))
  }
  function addWord(): boolean {
    const written = match(WORD)
    return written !== null && push('word', written, written, written.toUpperCase())
  }
  function addSign(pattern: RegExp): string | null {
    const written = match(pattern)
    if (written !== null) push('sign', written, written, written)
    return written
  }
  function beginsTemplate(): boolean {
    if (addSign(/f'/y) === null) return false
    modes.push('template')
    return true
  }
  function rejectTag(): false {
    const start = at
    const { kind, word } = tokens.at(-1) ?? { kind: 'sign', word: '' }
    if (sql[at] !== '<' || !/^(?:word|sign)$/.test(kind) || !BEFORE_TAGS.test(word)) return false
    const tag = match(TAG)
    if (tag === null) return false
    const message = `HogQLX tags such as ${tag}> are not supported: select the values themselves.`
    throw new HogqlError(message, { start, end: at })
  }
  function brace(): boolean {
    const found = addSign(SIGN)
    if (found === '{') modes.push('sql')
    else if (found === '}' && modes.length > 1) modes.pop()
    return found !== null
  }

  const inMode: Record<Mode, () => boolean> = {
    sql: () =>
      match(BLANK) !== null ||
      rejectTag() ||
      beginsTemplate() ||
      addWord() ||
      add('float', FLOAT) ||
      add('integer', INTEGER) ||
      add('string', STRING, unescaped) ||
      add('quoted', QUOTED, unescaped) ||
      brace(),
    template() {
      if (add('text', TEMPLATE_TEXT, (written) => unescaped(`'${written}'`))) return true
      const found = addSign(/[{']/y)
      if (found === '{') modes.push('sql')
      else if (found) modes.pop()
      return found !== null
    },
  }

  while (at < sql.length) if (!inMode[modes.at(-1)!]()) throw noToken(sql, at)
  tokens.push({ kind: 'end', word: '', value: '', start: sql.length, end: sql.length })
  return tokens
}

const ESCAPED: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  r: '\r',
  n: '\n',
  t: '\t',
  a: '\u0007',
  v: '\v',
  // ClickHouse's clients ignore this escape.
  0: '',
}

/** Returns the text inside quotes, or inside `f'…'`. Unknown escapes stay as they are, as upstream. */
function unescaped(written: string): string {
  const text = written.slice(1, -1)
  const quote = written[0]!
  if (!text.includes('\\') && !text.includes(quote)) return text
  return text.replaceAll(/\\([^])|(['`"])\2/g, (all, escaped?: string, doubled?: string) => {
    if (escaped === undefined) return doubled === quote ? quote : all
    if (escaped === '\\' || escaped === '{' || escaped === "'" || escaped === quote) return escaped
    return ESCAPED[escaped] ?? all
  })
}

function noToken(sql: string, start: number): HogqlError {
  const place = { start, end: sql.length }
  if (/['`"]/.test(sql[start]!) && !hasEscape(sql, start)) {
    return new HogqlError(
      'Syntax error: the text that begins here has no closing quote.',
      place,
      'syntax_error',
    )
  }
  if (sql.startsWith('/*', start)) {
    return new HogqlError('Syntax error: the comment that begins here has no end.', place, 'syntax_error')
  }
  const [character = ''] = sql.slice(start)
  return new HogqlError(
    `Syntax error at '${character}'.`,
    { start, end: start + character.length },
    'syntax_error',
  )
}

/** Returns whether the quotes close. If they do, the error is an escape in them. */
const hasEscape = (sql: string, start: number) => {
  const close = /(['`"])(?:(?!\1)[^\\]|\\[^])*\1/y
  close.lastIndex = start
  return close.test(sql)
}
