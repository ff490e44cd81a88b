// HogQL expressions inside an insight. Each must parse by itself: one that closes a parenthesis would change the query around it.
import { invalid } from '../../errors'
import { HogqlError } from '../../hogql/error'
import { parseExpression } from '../../hogql/parser/parse'
import type { Funnel } from './funnels-text'
import type { Insight } from './insight-types'

/** @throws 400 `query` with the name of the first invalid expression */
export async function requireExpressions(query: Insight): Promise<void> {
  for (const [field, text] of expressionsIn(query)) {
    try {
      await parseExpression(text)
    } catch (error) {
      if (!(error instanceof HogqlError)) throw error
      throw invalid('query', `${field} is no HogQL expression: ${error.message}`)
    }
  }
}

function* expressionsIn(
  query: Insight & Pick<Funnel, 'funnelsFilter'>,
): Generator<[field: string, text: string]> {
  for (const [index, { math_hogql: text }] of (query.series ?? []).entries()) {
    if (text) yield [`series[${index}].math_hogql`, text]
  }
  const { breakdown, breakdowns, breakdown_type: type } = query.breakdownFilter ?? {}
  for (const [index, { property, type: own }] of (breakdowns ?? []).entries()) {
    if (own === 'hogql') yield [`breakdownFilter.breakdowns[${index}].property`, String(property)]
  }
  if (type === 'hogql' && !breakdowns?.length && breakdown !== null && breakdown !== undefined) {
    const several: readonly unknown[] = Array.isArray(breakdown) ? breakdown : [breakdown]
    for (const each of several) yield ['breakdownFilter.breakdown', String(each)]
  }
  const aggregate = query.funnelsFilter?.funnelAggregateByHogQL
  if (aggregate) yield ['funnelsFilter.funnelAggregateByHogQL', aggregate]
}
