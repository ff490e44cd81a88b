// HogQL expressions inside an insight.
import { invalid } from '../../errors'
import { parseExpression } from '../../hogql/parser/parse'
import { walk } from '../../hogql/parser/walk'
import { findAggregate } from '../../hogql/resolve/expressions/aggregates'
import type { ActorsQuery, EventsQuery, InsightQuery } from '../query/query-types'
import { WIDE_EVENT_COLUMNS } from './tables/events-table'
import { WIDE_PERSON_COLUMNS } from './tables/persons-table'
import { isWide, orderOf } from './tables/table-text'
import { parsedAlone } from './text-parts'

/** @throws 400 `query` with the name of the first invalid expression, and of one of an event that has an aggregate */
export function requireExpressions(query: InsightQuery): void {
  for (const [field, text] of expressionsIn(query)) {
    const tree = parsedAlone(text, parseExpression, `${field} is not a HogQL expression`)
    if (!OF_EVENT.test(field)) continue
    walk(tree, (node) => {
      if (node.node === 'Call' && findAggregate(node.name))
        throw invalid(
          'query',
          `${field} is a value of each event, and '${node.name}' is an aggregate: use math_hogql.`,
        )
    })
  }
}

/** Options that are a value of each event. */
const OF_EVENT = /^(?:breakdownFilter|pathsFilter|funnelsFilter)\./

function* expressionsIn(query: InsightQuery): Generator<[field: string, text: string]> {
  const series = 'series' in query ? query.series : []
  for (const [index, { math_hogql: text }] of series.entries()) {
    if (text) yield [`series[${index}].math_hogql`, text]
  }
  const filter = 'breakdownFilter' in query ? query.breakdownFilter : null
  const { breakdown, breakdowns, breakdown_type: type } = filter ?? {}
  for (const [index, { property, type: own }] of (breakdowns ?? []).entries()) {
    if (own === 'hogql') yield [`breakdownFilter.breakdowns[${index}].property`, String(property)]
  }
  if (type === 'hogql' && !breakdowns?.length && breakdown !== null && breakdown !== undefined) {
    const several: readonly unknown[] = Array.isArray(breakdown) ? breakdown : [breakdown]
    for (const each of several) yield ['breakdownFilter.breakdown', String(each)]
  }
  if (query.kind === 'EventsQuery' || query.kind === 'ActorsQuery') yield* columnsIn(query)
  const item = query.kind === 'PathsQuery' && query.pathsFilter?.pathsHogQLExpression
  if (item) yield ['pathsFilter.pathsHogQLExpression', item]
  const aggregate = query.kind === 'FunnelsQuery' && query.funnelsFilter?.funnelAggregateByHogQL
  if (aggregate) yield ['funnelsFilter.funnelAggregateByHogQL', aggregate]
}

function* columnsIn(query: EventsQuery | ActorsQuery): Generator<[field: string, text: string]> {
  const wide = query.kind === 'EventsQuery' ? WIDE_EVENT_COLUMNS : WIDE_PERSON_COLUMNS
  for (const [index, text] of (query.select ?? []).entries()) {
    if (!isWide(text, wide)) yield [`select[${index}]`, text]
  }
  for (const [index, text] of (query.orderBy ?? []).entries()) {
    yield [`orderBy[${index}]`, orderOf(text).expression]
  }
  if (query.kind !== 'EventsQuery') return
  for (const [index, text] of (query.where ?? []).entries()) yield [`where[${index}]`, text]
}
