// What a text will cost the parser, found by counting before it is parsed: what would keep it busy for seconds is refused.
import { HogqlError } from '../error'

/** Brackets within brackets. */
const DEEPEST = 12

/** Steps of a path (`a.b.c`), and NOTs in a row: the parser's time grows with their square. */
const LONGEST_PATH = 60
const MOST_NOTS = 20

/** Arrows of lambdas, which may nest without brackets. */
const MOST_ARROWS = 60

/** Commas outside text. */
const LONGEST_LIST = 5_000

/** Milliseconds, more or less, on a slow machine: a name, and a bracket for each that it stands in. */
const NAME = 2
const BRACKET = 4
const DEAREST = 6_000

/** Text, names in quotes, and comments first: what is in there is nothing. */
const TOKEN =
  /'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.|``)*`|"(?:[^"\\]|\\.|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|[\p{L}_$][\p{L}\p{N}_$]*|->|[()[\]{},.]/gu

/**
 * How deep the brackets of a text nest.
 * @throws HogqlError `query_too_large` for a text that nests deeper, or lists more, than the parser can bear.
 */
export function requireBearable(sql: string): number {
  let [depth, deepest, commas, arrows, steps, nots, cost] = [0, 0, 0, 0, 0, 0, 0]
  let before = ''
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    const refuse = (message: string): never => {
      throw new HogqlError(message, { start: index, end: index + token.length }, 'query_too_large')
    }
    const first = token[0]!
    if (token.startsWith('--') || token.startsWith('/*')) continue
    if (token === ',' && ++commas > LONGEST_LIST) {
      refuse(`A query may list at most ${LONGEST_LIST} things: pass longer lists as a variable.`)
    }
    if (token === '->' && ++arrows > MOST_ARROWS) refuse(`A query may have at most ${MOST_ARROWS} lambdas.`)
    if (token === '.') steps += 1
    else if (before !== '.') steps = 0
    if (steps > LONGEST_PATH) refuse(`A path may have at most ${LONGEST_PATH} steps.`)
    nots = /^not$/i.test(token) ? nots + 1 : 0
    if (nots > MOST_NOTS) refuse(`There may be at most ${MOST_NOTS} NOTs in a row.`)
    if ('([{'.includes(first)) {
      depth += 1
      deepest = Math.max(deepest, depth)
      cost += BRACKET * depth
      if (depth > DEEPEST) refuse(`Parentheses nest too deep: at most ${DEEPEST} within one another.`)
    } else if (')]}'.includes(first)) {
      depth = Math.max(0, depth - 1)
    } else if (/[\p{L}_$`"]/u.test(first)) {
      cost += NAME
    }
    if (cost > DEAREST) refuse('The query is too long: it has too many names and calls.')
    before = token
  }
  return deepest
}
