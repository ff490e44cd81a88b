// Parses HogQL into the trees of the reference's parser (`@posthog/hogql-parser`), with which tests compare them.
import { HogqlError } from '../error'
import type { Expression, Selection } from './ast'
import { expression } from './expressions'
import { rejectBeginning } from './other-clauses'
import { Reader, tooLarge } from './reader'
import { selection, setOf } from './selections'

/** The most characters of a query, which are as many as D1 allows for SQL. */
const MAX_LENGTH = 100_000

/** Maximum depth of a tree. Walking a deeper one overflows the stack. */
const MAX_DEPTH = 200

/**
 * Parses one SELECT or a set operation.
 * @throws HogqlError `syntax_error`, `query_too_large` above a limit, `not_supported` for HogQL that is not a query
 */
export function parseQuery(sql: string): Selection {
  const reader = open(sql)
  if (!/^(?:SELECT|WITH|\(|\{)$/.test(reader.token.word)) rejectBeginning(reader)
  const tree: Selection | Expression = reader.selection()
  close(reader, reader.take(';') ? 'nothing may follow the query' : undefined)
  if (tree.node !== 'SelectQuery' && tree.node !== 'SelectSetQuery') {
    throw new HogqlError('A query has to be a SELECT.', { start: 0, end: sql.length })
  }
  requireShallow(tree)
  return tree
}

/** @throws HogqlError as `parseQuery` does */
export function parseExpression(sql: string): Expression {
  const reader = open(sql)
  const tree = reader.expression()
  close(reader)
  requireShallow(tree)
  return tree
}

function open(sql: string): Reader {
  if (sql.length > MAX_LENGTH) {
    throw tooLarge(`A query may have at most ${MAX_LENGTH} characters.`, { start: 0, end: sql.length })
  }
  if (!sql.isWellFormed()) {
    throw new HogqlError('The query contains half of a surrogate pair.', null, 'syntax_error')
  }
  return new Reader(sql, { expression, selection, setOf })
}

/** @throws HogqlError when any text is left */
function close(reader: Reader, reason?: string): void {
  if (reader.token.kind !== 'end') reader.fail(reason)
}

/** Checks the depth of a tree. A row of operators is deep, too: the first operator is the innermost. */
function requireShallow(tree: Selection | Expression): void {
  const left: [value: object, depth: number][] = [[tree, 0]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, depth] = next
    if (depth > MAX_DEPTH) throw tooLarge(`A query may nest at most ${MAX_DEPTH} deep.`, { start: 0, end: 0 })
    const deeper = Array.isArray(value) ? depth : depth + 1
    for (const child of Object.values(value)) {
      if (typeof child === 'object' && child !== null) left.push([child as object, deeper])
    }
  }
}
