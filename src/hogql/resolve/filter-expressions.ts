// Filters of type `hogql`: their text is an expression, which is parsed before the query is resolved.
import { HogqlError } from '../error'
import type { Expression } from '../parser/ast'
import { parseExpression } from '../parser/parse'
import { walk, withoutPlaces } from '../parser/walk'
import type { FilterTree, StoredFilters } from './context/filters'
import { allFilters } from './references'

/** Parsed expressions of filters, by their text. */
type FilterExpressions = ReadonlyMap<string, Expression>

/** The most expressions of a query, and the most characters of all of them. */
export const MAX_FILTER_EXPRESSIONS = 50
export const MAX_FILTER_CHARACTERS = 20_000

/** @throws HogqlError for text that is no expression, and for too much text */
export async function parseFilterExpressions(
  filters?: StoredFilters | null,
  fragments: Readonly<Record<string, FilterTree>> = {},
): Promise<FilterExpressions> {
  const texts = new Set(
    allFilters(filters, fragments).flatMap(({ type, key }) => (type === 'hogql' ? [key] : [])),
  )
  const characters = [...texts].reduce((sum, text) => sum + text.length, 0)
  if (texts.size > MAX_FILTER_EXPRESSIONS || characters > MAX_FILTER_CHARACTERS) {
    throw new HogqlError(
      `The filters of type 'hogql' of a query are at most ${MAX_FILTER_EXPRESSIONS}, of ${MAX_FILTER_CHARACTERS.toLocaleString('en')} characters together.`,
      null,
      'query_too_large',
    )
  }
  const parsed = new Map<string, Expression>()
  for (const text of texts) parsed.set(text, parseFilter(text))
  return parsed
}

function parseFilter(text: string): Expression {
  const tree = treeOf(text)
  walk(tree, (node) => {
    if (node.node === 'Placeholder')
      throw new HogqlError(`The filter '${text}' has a placeholder.`, null, 'invalid_query')
  })
  return withoutPlaces(tree)
}

function treeOf(text: string): Expression {
  try {
    return parseExpression(text)
  } catch (error) {
    if (!(error instanceof HogqlError)) throw error
    throw new HogqlError(`The filter '${text}' is not an expression: ${error.message}`, null, error.code)
  }
}
