import { LruCache } from '../../lru-cache'
import { HogqlError } from '../error'
import type { Expression, Selection } from './ast'
import { type Rule, withParser } from './instance'
import { requireParsable } from './complexity'
import { tokensOf } from './tokens'

/** Characters of a query, as many as D1 allows of SQL. */
const MAX_LENGTH = 100_000

/** Nodes of a tree and their depth: walking deeper trees overflows the stack. */
const MAX_NODES = 20_000
const MAX_DEPTH = 200

interface Position {
  offset: number
}

interface Failure {
  error: true
  type: 'SyntaxError' | 'NotImplementedError' | 'ParsingError'
  message: string
  start: Position
  end: Position
}

/** Levels of brackets that the parser may cache. */
const MAX_CACHED_DEPTH = 4

/** The parser's message when its memory runs out. */
const OUT_OF_MEMORY = 'Unexpected exception in parser'

/**
 * Parses one SELECT or a set operation.
 * @throws HogqlError `syntax_error` with the parser's message, `query_too_large` above a limit, `not_supported` for HogQL that is not a
 * query
 */
export async function parseQuery(sql: string): Promise<Selection> {
  const tree = await treeOf<Selection>(sql, 'parseSelect')
  if (tree.node === 'SelectQuery' || tree.node === 'SelectSetQuery') return tree
  throw new HogqlError('A query has to be a SELECT.', { start: 0, end: sql.length })
}

/** @throws HogqlError as `parseQuery` does */
export async function parseExpression(sql: string): Promise<Expression> {
  return treeOf<Expression>(sql, 'parseExpr')
}

async function treeOf<Tree>(sql: string, rule: Rule): Promise<Tree> {
  if (sql.length > MAX_LENGTH) throw tooLarge(`A query may have at most ${MAX_LENGTH} characters.`)
  if (!sql.isWellFormed())
    throw new HogqlError('The query contains half of a surrogate pair.', null, 'syntax_error')
  const json = parsed.get(`${rule} ${sql}`) ?? (await jsonOf(sql, rule))
  const tree = JSON.parse(json) as Tree | Failure
  if (isFailure(tree)) throw errorOf(sql, tree, offsetsIn(sql))
  parsed.set(`${rule} ${sql}`, json, sql.length + json.length)
  simplifyPositions(tree, offsetsIn(sql))
  return tree
}

/** Characters of trees, and of the texts that they are of. */
const MAX_CACHED_CHARACTERS = 1_000_000

/** JSON of trees, by rule and text: a query is checked before it is written, and its text is compiled again with other facts. */
const parsed = new LruCache<string, string>(MAX_CACHED_CHARACTERS)

async function jsonOf(sql: string, rule: Rule): Promise<string> {
  const apart = requireParsable(sql) > MAX_CACHED_DEPTH
  return withParser((parser) => {
    try {
      return parser.parse(rule, sql, apart)
    } catch {
      // `requireParsable` does not count every kind of nesting, such as long sums.
      throw tooLarge('The query nests too deeply to be parsed.')
    }
  })
}

function errorOf(sql: string, failure: Failure, offsetOf: Offsets): HogqlError {
  const { type, message, start, end } = failure
  if (message === OUT_OF_MEMORY) return tooLarge('The query is too large to be parsed.')
  if (type === 'NotImplementedError') return unsupported(sql, message)
  const from = offsetOf(start)
  const isOwn = /^(?:no viable|mismatched|extraneous|missing|token recognition)/.test(message)
  return new HogqlError(
    isOwn ? syntaxMessage(sql, from, message) : message,
    { start: from, end: Math.max(from, offsetOf(end)) },
    'syntax_error',
  )
}

/** What is wrong at a place, in place of the grammar's rules. */
function syntaxMessage(sql: string, from: number, message: string): string {
  if (/expecting \{SELECT/.test(message)) return 'Syntax error: a query begins with SELECT or WITH.'
  const [word = ''] = /^(?:[\p{L}\p{N}_$]+|'[^']*'?|[^])/u.exec(sql.slice(from)) ?? []
  if (word.trim() === '') return 'Syntax error: the query ends where more is expected.'
  if (/^'[^']*$/.test(word)) return 'Syntax error: the text that begins here has no closing quote.'
  const after = / expecting <EOF>/.test(message) ? ': nothing may follow the query' : ''
  return `Syntax error at '${word.slice(0, 40)}'${after}.`
}

/** Clauses by their rule in the grammar, and what to write instead. */
const CLAUSES: Readonly<Record<string, readonly [word: string, instead: string]>> = {
  topClause: ['TOP', ': use LIMIT at the end of the query'],
  settingsClause: ['SETTINGS', ''],
}

/** HogQL that the parser has no tree for. */
function unsupported(sql: string, message: string): HogqlError {
  const [, rule = ''] = /\.(\w+)\(\)$/.exec(message) ?? []
  const [word, instead] = (Object.hasOwn(CLAUSES, rule) && CLAUSES[rule]) || []
  if (word === undefined) return new HogqlError(message)
  const place = [...tokensOf(sql)].find(({ text }) => text === word.toLowerCase())
  return new HogqlError(
    `${word} is not supported${instead ?? ''}`,
    place && { start: place.start, end: place.end },
  )
}

const isFailure = (tree: unknown): tree is Failure =>
  typeof tree === 'object' && tree !== null && 'error' in tree && tree.error === true

type Offsets = (position: Position) => number

/** The parser counts code points, some of which are two units of a string, and bytes for the end of the text. */
function offsetsIn(sql: string): Offsets {
  if (!/[\uD800-\uDBFF]/.test(sql)) return ({ offset }) => Math.min(offset, sql.length)
  const offsets = [0]
  for (const point of sql) offsets.push(offsets.at(-1)! + point.length)
  return ({ offset }) => offsets[offset] ?? sql.length
}

const tooLarge = (message: string) => new HogqlError(message, null, 'query_too_large')

/**
 * Converts positions to offsets, in place.
 * @throws HogqlError for a tree that is too large or too deep
 */
function simplifyPositions(tree: unknown, offsetOf: Offsets): void {
  const left: [value: object, depth: number][] = [[tree as object, 0]]
  let count = 0
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, depth] = next
    if (++count > MAX_NODES) throw tooLarge(`A query may consist of at most ${MAX_NODES} parts.`)
    if (depth > MAX_DEPTH) throw tooLarge(`A query may nest at most ${MAX_DEPTH} deep.`)
    // Windows are stored by name, and `node` is a valid name.
    if ('node' in value && typeof value.node === 'string') {
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
