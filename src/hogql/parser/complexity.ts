// Rejects texts that would keep the parser busy for seconds, by counting tokens before parsing.
import { HogqlError, type Span } from '../error'
import { type Token, tokensOf } from './tokens'

/** Levels of brackets and CASEs. */
const MAX_BRACKETS = 12

/** Steps of a path (`a.b.c`), and NOTs or minuses in a row: the parser's time is quadratic in them. */
const MAX_PATH_STEPS = 60
const MAX_PREFIXES = 20

/** Lambdas, which nest without brackets. */
const MAX_LAMBDAS = 60

/** Operators in a row: each adds a level to the tree. */
const MAX_OPERATORS = 400
const SIGN = /^[-+*/%=<>!~|?:]$/
const ENDS_SIGNS = new Set([',', 'and', 'or', 'when', 'then', 'else', 'select', 'from', 'where'])

/** Commas: longer lists belong in a variable of type List. */
const MAX_COMMAS = 5_000

/** Rough milliseconds on a slow machine: of a name, and of a bracket for each level that it is at. */
const NAME_MS = 2
const BRACKET_MS = 4
const MAX_MS = 6_000

const OPENED_BY = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
  ['end', 'case'],
])
const OPENING = new Set(OPENED_BY.values())

/**
 * @returns the depth of the brackets
 * @throws HogqlError `query_too_large`, and what `tokensOf` throws
 */
export function requireParsable(sql: string): number {
  const open: string[] = []
  let [deepest, signs, commas, arrows, steps, prefixes, cost] = [0, 0, 0, 0, 0, 0, 0]
  let before = ''
  for (const token of tokensOf(sql)) {
    const { text } = token
    if (ENDS_SIGNS.has(text)) signs = 0
    else if (SIGN.test(text) && ++signs > MAX_OPERATORS) {
      reject(
        token,
        `An expression may have at most ${MAX_OPERATORS} operators between its ANDs, ORs and commas.`,
      )
    }
    if (text === ',' && ++commas > MAX_COMMAS) {
      reject(token, `A query may list at most ${MAX_COMMAS} items: pass longer lists as a variable.`)
    }
    if (text === '->' && ++arrows > MAX_LAMBDAS) {
      reject(token, `A query may have at most ${MAX_LAMBDAS} lambdas.`)
    }
    if (text === '.') steps += 1
    else if (before !== '.') steps = 0
    if (steps > MAX_PATH_STEPS) reject(token, `A path may have at most ${MAX_PATH_STEPS} steps.`)
    prefixes = text === 'not' || text === '-' ? prefixes + 1 : 0
    if (prefixes > MAX_PREFIXES) {
      reject(token, `There may be at most ${MAX_PREFIXES} NOTs or minuses in a row.`)
    }
    if (nest(open, token, before)) {
      deepest = Math.max(deepest, open.length)
      cost += BRACKET_MS * open.length
    } else if (/[\p{L}_$`"]/u.test(text[0] ?? '')) {
      cost += NAME_MS
    }
    if (cost > MAX_MS) reject(token, 'The query is too long: it has too many names and calls.')
    before = text
  }
  return deepest
}

/** Updates the open brackets. @returns whether the token opens one */
function nest(open: string[], token: Token, before: string): boolean {
  const { text } = token
  // A column may be called `case`, or `end`.
  if (before === '.') return false
  if (OPENING.has(text)) {
    open.push(text)
    if (open.length > MAX_BRACKETS) {
      reject(token, `Parentheses may nest at most ${MAX_BRACKETS} deep.`)
    }
    return true
  }
  const opener = OPENED_BY.get(text)
  if (opener === undefined || (opener === 'case' && open.at(-1) !== 'case')) return false
  // What is left open inside is a CASE, or an error that the parser reports.
  const at = open.lastIndexOf(opener)
  if (at >= 0) open.length = at
  return false
}

function reject(place: Span, message: string): never {
  throw new HogqlError(message, { start: place.start, end: place.end }, 'query_too_large')
}
