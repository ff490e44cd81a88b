// The query whose persons an ActorsQuery shows.
import { invalid } from '../../../errors'
import { HogqlError, messageWithPlace } from '../../../hogql/error'
import type { Expression, Selection } from '../../../hogql/parser/ast'
import { parseQuery } from '../../../hogql/parser/parse'

/** Names of the column with ids of persons, in the order in which upstream looks for them. */
const ID_COLUMNS = ['actor_id', 'person_id', 'id']

/** @throws 400 `query` for a source of another kind, other options, and a query without ids of persons */
export function sourceCondition({ kind, query, ...options }: Readonly<Record<string, unknown>>): string {
  if (kind !== 'HogQLQuery') {
    throw invalid(
      'query',
      `A source of the kind '${String(kind)}' is not supported in an ActorsQuery: use a HogQLQuery that selects person_id.`,
    )
  }
  const other = Object.keys(options).find((key) => (options[key] ?? null) !== null)
  if (other !== undefined) throw invalid('query', `source.${other} is not supported in an ActorsQuery.`)
  if (typeof query !== 'string') throw invalid('query', 'source.query is not a text.')
  const column = idColumnOf(treeOf(query))
  // The line break ends a comment in the last line of the query.
  return `id IN (SELECT ${column} FROM (${query}\n))`
}

/** Parses the query by itself, because a text that does not parse by itself could change the query around it. */
function treeOf(query: string): Selection {
  try {
    return parseQuery(query)
  } catch (error) {
    if (!(error instanceof HogqlError)) throw error
    throw invalid('query', `source.query is not a HogQL query: ${messageWithPlace(error, query)}`)
  }
}

function idColumnOf(tree: Selection): string {
  if (tree.node === 'SelectSetQuery') return idColumnOf(tree.initial_select_query)
  const names = new Set(tree.select.map(nameOf))
  const found = ID_COLUMNS.find((name) => names.has(name))
  if (found !== undefined) return found
  throw invalid(
    'query',
    `source.query has no column with ids of persons: name one ${ID_COLUMNS.slice(0, -1).join(', ')} or ${ID_COLUMNS.at(-1)}.`,
  )
}

function nameOf(column: Expression): string | null {
  if (column.node === 'Alias') return column.alias
  return column.node === 'Field' ? String(column.chain.at(-1)) : null
}
