// From the text of a query to its tree.
import { HogqlError } from '../error'
import type { Expression, Selection } from './ast'
import { dropParser, loadParser, makeParser } from './load'
import { requireBearable } from './nesting'

/** Characters of a query. D1 takes no more than that of the SQL that it becomes. */
const LONGEST = 100_000

/** Things in a tree, and how deep they may stand: past that, whatever walks it would end on the stack. */
const MOST_NODES = 20_000
const DEEPEST = 200

/** Brackets within brackets that the isolate's parser can be let learn from. */
const SHALLOW = 3

interface Position {
  offset: number
}

interface Failure {
  error: true
  message: string
  start: Position
  end: Position
}

/**
 * Parses a query: one SELECT, or several that are put together.
 * @throws HogqlError `syntax_error` with the parser's own message, `query_too_large` for what is too long, too large or too deep.
 */
export async function parseQuery(sql: string): Promise<Selection> {
  return treeOf<Selection>(sql, (parser) => parser.parseSelect(sql))
}

/**
 * Parses a single expression.
 * @throws HogqlError as `parseQuery` does.
 */
export async function parseExpression(sql: string): Promise<Expression> {
  return treeOf<Expression>(sql, (parser) => parser.parseExpr(sql))
}

async function treeOf<Tree>(sql: string, parse: (parser: Parser) => string): Promise<Tree> {
  if (sql.length > LONGEST) throw tooLarge(`A query may have at most ${LONGEST} characters.`)
  const depth = requireBearable(sql)
  const parser = await (depth > SHALLOW ? makeParser() : loadParser())
  const tree = JSON.parse(answer(parser, parse)) as Tree | Failure
  if (isFailure(tree)) {
    throw new HogqlError(tree.message, placeOf(tree, offsetsIn(sql)), 'syntax_error')
  }
  simplifyPositions(tree, offsetsIn(sql))
  return tree
}

type Parser = Awaited<ReturnType<typeof loadParser>>

/** What the parser says of a text. What nests without parentheses is not counted before: it may end on the parser's stack. */
function answer(parser: Parser, parse: (parser: Parser) => string): string {
  try {
    return parse(parser)
  } catch {
    dropParser(parser)
    throw tooLarge('The query nests too deeply to be parsed.')
  }
}

const isFailure = (tree: unknown): tree is Failure =>
  typeof tree === 'object' && tree !== null && 'error' in tree && tree.error === true

const placeOf = ({ start, end }: Failure, offsetOf: Offsets) => ({
  start: offsetOf(start),
  end: Math.max(offsetOf(start), offsetOf(end)),
})

type Offsets = (position: Position) => number

/** The parser counts code points, and JavaScript's strings count some of them twice. */
function offsetsIn(sql: string): Offsets {
  if (!/[\uD800-\uDBFF]/.test(sql)) return ({ offset }) => offset
  const offsets = [0]
  for (const point of sql) offsets.push(offsets.at(-1)! + point.length)
  return ({ offset }) => offsets[offset] ?? sql.length
}

const tooLarge = (message: string) => new HogqlError(message, null, 'query_too_large')

/** Turns positions into offsets, in place, and refuses trees that are larger or deeper than what comes after could bear. */
function simplifyPositions(tree: unknown, offsetOf: Offsets): void {
  const left: [value: object, depth: number][] = [[tree as object, 0]]
  let count = 0
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, depth] = next
    if (++count > MOST_NODES) throw tooLarge(`A query may consist of at most ${MOST_NODES} parts.`)
    if (depth > DEEPEST) throw tooLarge(`A query may nest at most ${DEEPEST} deep.`)
    if ('node' in value) {
      const node = value as { start?: Position | number | null; end?: Position | number | null }
      node.start = typeof node.start === 'object' && node.start ? offsetOf(node.start) : null
      node.end = typeof node.end === 'object' && node.end ? offsetOf(node.end) : null
    }
    const deeper = Array.isArray(value) ? depth : depth + 1
    for (const child of Object.values(value)) {
      if (typeof child === 'object' && child !== null) left.push([child as object, deeper])
    }
  }
}
