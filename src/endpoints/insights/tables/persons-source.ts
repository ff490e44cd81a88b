// The query whose persons an ActorsQuery shows.
import { invalid } from '../../../errors'
import type { Selection } from '../../../hogql/parser/ast'
import { parseQuery } from '../../../hogql/parser/parse'
import { legsOf, outputNames } from '../../materialization/analysis/tree'
import { parsedAlone } from '../text-parts'

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
  const column = idColumnOf(parsedAlone(query, parseQuery, 'source.query is not a HogQL query'))
  // The line break ends a comment in the last line of the query.
  return `id IN (SELECT ${column} FROM (${query}\n))`
}

function idColumnOf(tree: Selection): string {
  const names = new Set(outputNames(legsOf(tree)[0]!))
  const found = ID_COLUMNS.find((name) => names.has(name))
  if (found !== undefined) return found
  throw invalid(
    'query',
    `source.query has no column with ids of persons: name one ${ID_COLUMNS.slice(0, -1).join(', ')} or ${ID_COLUMNS.at(-1)}.`,
  )
}
