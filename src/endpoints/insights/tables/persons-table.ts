// Persons as a table.
import type { ActorsQuery } from '../../query/query-types'
import { type InsightKind, pageOf, pageWithNext } from '../insight-kind'
import { quoted } from '../text-parts'
import { sourceCondition } from './persons-source'
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
