// The time of the SQL that a function is on SQLite, from its text. Of the branches of a condition, one is evaluated: the slowest counts.
import { DATE, FUNCTION, JSON_PATH, JSON_ROWS, NUMBER_TEXT, PATTERN, SUBSELECT, WINDOW } from './rates'

/** Matches texts and names in quotes, names, arrows of JSON paths, and the signs that separate arguments. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\w+|->|[(),]/g

/** Nanoseconds of names before a parenthesis. */
const CALLS: Readonly<Record<string, number>> = {
  strftime: DATE,
  julianday: DATE,
  unixepoch: DATE,
  datetime: DATE,
  date: DATE,
  time: DATE,
  json_each: JSON_ROWS,
  json_tree: JSON_ROWS,
  json_group_array: JSON_ROWS / 2,
  printf: NUMBER_TEXT,
}

/** Nanoseconds of other words and signs. */
const WORDS: Readonly<Record<string, number>> = {
  SELECT: SUBSELECT,
  OVER: WINDOW,
  GLOB: PATTERN,
  LIKE: PATTERN,
  '->': JSON_PATH,
}

/** Words that a parenthesis may follow without a call. */
const NO_CALLS =
  /^(?:AS|AND|OR|NOT|IN|IS|WHEN|THEN|ELSE|CASE|SELECT|FROM|WHERE|OVER|MATERIALIZED|EXISTS|BY|ALL|UNION)$/

/**
 * Returns the nanoseconds that SQL takes for a row with short values, besides what stands in it for arguments.
 * @param sql an expression
 */
export function timeOfSql(sql: string): number {
  const tokens = sql.match(TOKEN) ?? []
  let at = 0

  /** Reads up to one of `ends` that is in no inner parentheses or CASE. */
  function timeUntil(...ends: string[]): number {
    let time = 0
    while (at < tokens.length && !ends.includes(tokens[at]!)) time += timeOfToken(tokens[at++]!)
    return time
  }

  function timeOfToken(token: string): number {
    if (token === 'CASE') return timeOfCase()
    if (token === '(') return timeOfParentheses()
    if (token === 'iif') return timeOfIif()
    if (tokens[at] === '(' && /^\w/.test(token) && !NO_CALLS.test(token))
      return Object.hasOwn(CALLS, token) ? CALLS[token]! : FUNCTION
    return Object.hasOwn(WORDS, token) ? WORDS[token]! : 0
  }

  function timeOfParentheses(): number {
    const time = timeUntil(')')
    at += 1
    return time
  }

  function timeOfCase(): number {
    let conditions = timeUntil('WHEN', 'END')
    let slowest = 0
    while (tokens[at] === 'WHEN' || tokens[at] === 'ELSE') {
      if (tokens[at++] === 'WHEN') {
        conditions += timeUntil('THEN')
        at += 1
      }
      slowest = Math.max(slowest, timeUntil('WHEN', 'ELSE', 'END'))
    }
    at += 1
    return conditions + slowest
  }

  function timeOfIif(): number {
    at += 1
    const condition = timeUntil(',', ')')
    let slowest = 0
    while (tokens[at] === ',') {
      at += 1
      slowest = Math.max(slowest, timeUntil(',', ')'))
    }
    at += 1
    return condition + slowest
  }

  return timeUntil()
}
