// Persons as a table.
import { invalid } from '../../../errors'
import type { Selection } from '../../../hogql/parser/ast'
import { parseQuery } from '../../../hogql/parser/parse'
import { legsOf, outputNames } from '../../materialization/analysis/tree'
import type { ActorsQuery } from '../../query/query-types'
import { type InsightKind, pageOf, pageWithNext } from '../insight-kind'
import { parsedAlone, quoted } from '../text-parts'
import { columnsOf, documentOf, tableResult, tableText, type WideColumn } from './table-text'

const PERSON: WideColumn = {
  expressions: ['id', 'properties', 'is_identified', 'created_at'],
  shape: ([id, properties, isIdentified, createdAt]) => ({
    id,
    properties: documentOf(properties),
    is_identified: Boolean(isIdentified),
    created_at: createdAt,
  }),
}

export const WIDE_PERSON_COLUMNS: Readonly<Record<string, WideColumn>> = {
  actor: PERSON,
  person: PERSON,
  // Upstream's user interface shows a delete button in this column.
  'person.$delete': { expressions: ['1'], shape: ([value]) => value },
}

const personsColumns = ({ select }: ActorsQuery) =>
  columnsOf(select?.length ? select : ['person', 'id', 'person.$delete'], WIDE_PERSON_COLUMNS)

/** HogQL condition: the name, the email or an id contains the text. */
function searchCondition(search: string): string {
  const contains = (value: string) => `position(lower(${value}), lower(${quoted(search)})) > 0`
  return `(${[
    contains("ifNull(toString(properties.email), '')"),
    contains("ifNull(toString(properties.name), '')"),
    contains('id'),
    `id IN (SELECT person_id FROM person_distinct_ids WHERE ${contains('distinct_id')})`,
  ].join(' OR ')})`
}

export const actorsKind: InsightKind<ActorsQuery> = {
  text(query, { fragments }) {
    const conditions = [
      fragments.add('query', query.properties),
      fragments.add('fixed', query.fixedProperties),
      query.search ? searchCondition(query.search) : null,
      query.source ? sourceCondition(query.source) : null,
    ].filter((condition) => condition !== null)
    return tableText({
      table: 'persons',
      columns: personsColumns(query),
      where: [],
      conditions,
      orderBy: query.orderBy ?? null,
      newest: 'created_at',
    })
  },
  times: () => ({}),
  page: pageWithNext,
  result: (query, rows) => tableResult(personsColumns(query), rows, pageOf(query)),
}

/** Names of the column with ids of persons, in the order in which upstream looks for them. */
const ID_COLUMNS = ['actor_id', 'person_id', 'id']

/** HogQL condition: the persons of another query. @throws 400 `query` for another kind, other options, and a query without ids of persons */
function sourceCondition({ kind, query, ...options }: Readonly<Record<string, unknown>>): string {
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
