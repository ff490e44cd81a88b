// How deep a text may nest, and how many things it may list, before it is parsed. The parser's time doubles, and worse, with each pair of
// parentheses within parentheses, and grows with the square of a list: what would keep it busy for seconds is refused by counting.
import { HogqlError } from '../error'

/** Parentheses within parentheses, a subquery counting anew. */
const DEEPEST = 8

/** Commas outside strings: longer lists belong in a variable of type List. */
const LONGEST_LIST = 5_000

/** Strings, names in quotes, and comments: parentheses in there are none. */
const TOKEN =
  /'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.|``)*`|"(?:[^"\\]|\\.|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\(\s*(?:select|with)\b|[()[\]{},]/gi

/** @throws HogqlError `query_too_large` for a text that nests deeper, or lists more, than the parser can bear. */
export function requireBearable(sql: string): void {
  const depths: number[] = [0]
  let commas = 0
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    const depth = depths.at(-1)!
    if (/^\(\s*[sw]/i.test(token)) depths.push(depth > 0 ? Math.max(1, depth - 3) : 0)
    else if (token === '(' || token === '[' || token === '{') depths.push(depth + 1)
    else if ((token === ')' || token === ']' || token === '}') && depths.length > 1) depths.pop()
    if (token === ',' && ++commas > LONGEST_LIST) {
      throw new HogqlError(
        `A query may list at most ${LONGEST_LIST} things: pass longer lists as a variable.`,
        { start: index, end: index + 1 },
        'query_too_large',
      )
    }
    if (depths.at(-1)! > DEEPEST || depths.length > 60) {
      throw new HogqlError(
        `Parentheses nest too deep: at most ${DEEPEST} within one another.`,
        { start: index, end: index + 1 },
        'query_too_large',
      )
    }
  }
}
